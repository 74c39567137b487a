import { useQuery } from '@tanstack/react-query'
import { useAgent } from '../../api/session.ts'
import type { Agent, Single } from '../../api/types.ts'

/** The settings of the agent of the address. */
export function useSettings() {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('settings'),
    queryFn: async () => (await api.get<Single<Agent>>('/agent')).data,
  })
}

/** Stores some of the settings, and returns all of them as they then are. */
export function useSaveSettings(): (patch: object) => Promise<Agent> {
  const { api } = useAgent()
  return async (patch) => (await api.patch<Single<Agent>>('/agent', patch)).data
}
