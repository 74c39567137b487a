import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../api/session.ts'
import type { InboxCounts } from '../api/types.ts'

/** Returns the number of conversations in each view. Read once; after that the live stream reports changes. */
export function useInboxCounts(): InboxCounts | undefined {
  const { api, key } = useAgent()
  const counts = useQuery({
    queryKey: key('inbox', 'counts'),
    queryFn: async () => (await api.get('/inbox', { per_page: 1 })).counts,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return counts.data
}
