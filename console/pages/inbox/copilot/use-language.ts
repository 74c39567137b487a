import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../../api/session.ts'

/** Returns the language in which the user of a conversation writes; null if it is not known. */
export function useLanguage(conversationId: string): string | null {
  const { api, key } = useAgent()
  const { data } = useQuery({
    queryKey: key('conversation', conversationId, 'entry'),
    queryFn: async () => (await api.get(`/inbox/${conversationId}`)).data,
    refetchOnMount: false,
  })
  return data?.language ?? null
}
