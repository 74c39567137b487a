import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { agentCalls } from '../../src/app/console-calls.ts'
import type { Api } from './client.ts'
import type { AnswerTo, Calls, Exactly, PathOf, QueryOf } from './typed-calls.ts'
import type { List } from './types.ts'

type ItemAt<All extends Calls, Path> =
  AnswerTo<All, 'GET', Path> extends { data: (infer Item)[] } ? Item : never

/**
 * Reads a list of any length page by page; each page begins where the one before ended.
 * @param readAgain returns the time after which what was read is read again; false: never
 */
export function useList<
  Path extends PathOf<All, 'GET'>,
  Given extends Exactly<QueryOf<All, 'GET', Path>, Given>,
  All extends Calls = typeof agentCalls,
>(
  queryKey: QueryKey,
  api: Api<All>,
  path: Path,
  query = {} as Given,
  readAgain: (read: { items: ItemAt<All, Path>[] }) => number | false = () => false,
) {
  return useInfiniteQuery({
    queryKey: [...queryKey, query],
    queryFn: async ({ pageParam, signal }) => {
      // Every list takes these two, which the compiler cannot tell of all paths at once.
      const asked = { per_page: 50, ...query, cursor: pageParam } as never
      return (await api.get<Path, never>(path, asked, signal)) as List<ItemAt<All, Path>>
    },
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
