import { useAgent } from '../../api/session.ts'
import type { Agent } from '../../api/types.ts'

/** Returns a function that stores some settings, and returns all of them as they are then. */
export function useSaveSettings(): (patch: object) => Promise<Agent> {
  const { api } = useAgent()
  return async (patch) => (await api.patch('/agent', patch)).data
}
