import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { teamApi } from '../api/client.ts'
import { onLiveEvent } from '../api/live-events.ts'

/** The key of the signed-in person's notices, of all agents. */
export const NOTICES = ['notices']

/** Returns the signed-in person's notices in pages, the newest first. The live stream tells when they have changed. */
export function useNotices() {
  const queries = useQueryClient()
  useEffect(
    () =>
      onLiveEvent(({ type }) => {
        if (type === 'notices' || type === 'reset') void queries.invalidateQueries({ queryKey: NOTICES })
      }),
    [queries],
  )
  return useInfiniteQuery({
    queryKey: NOTICES,
    queryFn: ({ pageParam, signal }) => teamApi.get('/notices', { per_page: 30, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => ({
      items: pages.flatMap(({ data }) => data),
      unread: pages[0]?.unread ?? 0,
    }),
  })
}
