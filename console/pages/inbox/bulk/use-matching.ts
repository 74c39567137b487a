import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvent } from '../../../api/live-events.ts'
import { useAgent } from '../../../api/session.ts'
import type { InboxMatching } from '../../../api/types.ts'
import { type InboxSearch, inboxQuery } from '../inbox-search.ts'

/** The shortest time between two counts, however much happens in the inbox. */
const COUNT_EVERY_MS = 1_000
const changing = new Set(['message', 'conversation', 'reset'])

/**
 * Counts the matching conversations in the whole view, once asked and again whenever one of them may have changed;
 * undefined until they are counted.
 */
export function useMatching(search: InboxSearch, isAsked: boolean): InboxMatching | undefined {
  const { api, key } = useAgent()
  const { sort: _, ...query } = inboxQuery(search)
  const { data, refetch } = useQuery({
    queryKey: key('inbox', 'matching', JSON.stringify(search)),
    queryFn: async () => (await api.get('/inbox/bulk/count', query)).data,
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
  })
  useEffect(() => {
    if (!isAsked) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let counted: Promise<unknown> = Promise.resolve()
    const end = onLiveEvent(({ type }) => {
      if (!changing.has(type)) return
      timer ??= setTimeout(async () => {
        await counted
        timer = undefined
        counted = refetch()
      }, COUNT_EVERY_MS)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [isAsked, refetch])
  return data
}
