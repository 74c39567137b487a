import { useNavigate } from '@tanstack/react-router'
import { useAgent } from '../../../api/session.ts'
import type { RuleKind } from '../kinds.ts'

/**
 * Stores a rule. After a new one, the list of its kind opens.
 * @param id null for a new one
 */
export function useSaveRule<Rule>(kind: RuleKind, id: number | null): (body: object) => Promise<Rule> {
  const { id: agentId, api } = useAgent()
  const navigate = useNavigate()
  return async (body) => {
    if (id !== null) return (await api.patch(`/${kind}/${id}`, body)).data as Rule
    const { data } = await api.post(`/${kind}`, body)
    await navigate({ to: '/agents/$agentId/rules', params: { agentId: String(agentId) }, search: { kind } })
    return data as Rule
  }
}
