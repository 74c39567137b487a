import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { List } from './types.ts'

type Query = Parameters<Api['get']>[1]

/**
 * Reads a list of any length page by page; each page begins where the one before ended.
 * @param readAgain returns the time after which what was read is read again; false: never
 */
export function useList<Item>(
  queryKey: QueryKey,
  api: Api,
  path: string,
  query: Query = {},
  readAgain: (read: { items: Item[] }) => number | false = () => false,
) {
  return useInfiniteQuery({
    queryKey: [...queryKey, query],
    queryFn: ({ pageParam, signal }) =>
      api.get<List<Item>>(path, { per_page: 50, ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    refetchInterval: ({ state }) => readAgain({ items: state.data?.pages.flatMap(({ data }) => data) ?? [] }),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => ({
      items: pages.flatMap(({ data }) => data),
      total: pages[0]?.total ?? 0,
      isCapped: pages[0]?.total_capped ?? false,
    }),
  })
}
