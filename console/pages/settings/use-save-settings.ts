import { useAgent } from '../../api/session.ts'
import type { Exactly } from '../../api/typed-calls.ts'
import type { Agent, AgentPatch } from '../../api/types.ts'

/** Returns a function that stores some settings, and returns all of them as they are then. */
export function useSaveSettings() {
  const { api } = useAgent()
  return async <Given extends Exactly<AgentPatch, Given>>(patch: Given): Promise<Agent> =>
    (await api.patch('/agent', patch)).data
}
