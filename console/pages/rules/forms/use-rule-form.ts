import { useNavigate } from '@tanstack/react-router'
import { useAgent } from '../../../api/session.ts'
import { type SeededParts, useSeededForm } from '../../../ui/use-seeded-form.ts'
import type { RuleKind } from '../kinds.ts'

/**
 * The form of a rule. After a new one is stored, the list of its kind opens.
 * @param rule null for a new one
 */
export function useRuleForm<
  Rule extends { id: number; version: string },
  Values extends Record<string, unknown>,
>(kind: RuleKind, rule: Rule | null, parts: Omit<SeededParts<Rule | null, Values>, 'send'>) {
  const { id: agentId, api, key } = useAgent()
  const navigate = useNavigate()
  const send = async (body: object) => {
    const stored = rule ? await api.patch(`/${kind}/${rule.id}`, body) : await api.post(`/${kind}`, body)
    if (!rule)
      await navigate({ to: '/agents/$agentId/rules', params: { agentId: String(agentId) }, search: { kind } })
    return stored.data as unknown as Rule
  }
  return { ...useSeededForm(rule, { ...parts, send }), refresh: [key('rules')] }
}
