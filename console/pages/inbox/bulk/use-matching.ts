import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../../api/session.ts'
import type { InboxMatching, Single } from '../../../api/types.ts'
import { type InboxSearch, inboxQuery } from '../inbox-search.ts'

/** Conversations come and go while somebody thinks. */
const COUNT_EVERY_MS = 15_000

/** Counts the conversations that match in the whole view, once this is asked for; undefined: not counted yet. */
export function useMatching(search: InboxSearch, isAsked: boolean): InboxMatching | undefined {
  const { api, key } = useAgent()
  const { sort: _, ...query } = inboxQuery(search)
  const { data } = useQuery({
    queryKey: key('inbox', 'matching', JSON.stringify(search)),
    queryFn: async () => (await api.get<Single<InboxMatching>>('/inbox/bulk/count', query)).data,
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: COUNT_EVERY_MS,
  })
  return data
}
