import { useQuery } from '@tanstack/react-query'
import { teamApi } from './client.ts'

/** Reads the groups of the team. */
export function useGroups() {
  return useQuery({
    queryKey: ['groups'],
    queryFn: async () => (await teamApi.get('/groups')).data,
    staleTime: 60_000,
  })
}
