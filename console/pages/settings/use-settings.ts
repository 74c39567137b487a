import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../api/session.ts'
import type { Agent } from '../../api/types.ts'

/** Reads the settings of the agent that the address names. */
export function useSettings() {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('settings'),
    queryFn: async () => (await api.get('/agent')).data,
  })
}

/** Returns a function that stores some settings, and returns all of them as they are then. */
export function useSaveSettings(): (patch: object) => Promise<Agent> {
  const { api } = useAgent()
  return async (patch) => (await api.patch('/agent', patch)).data
}
