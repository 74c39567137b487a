import { useQuery } from '@tanstack/react-query'
import { useAgent } from './session.ts'
import type { Colleague } from './types.ts'

/** Returns the active people of the team, to whom a conversation can be given. */
export function useColleagues(): readonly Colleague[] {
  const { api } = useAgent()
  const colleagues = useQuery({
    queryKey: ['colleagues'],
    queryFn: async () => (await api.get('/colleagues')).data,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  return colleagues.data ?? []
}
