import { useNavigate } from '@tanstack/react-router'
import type { Api } from '../../../api/client.ts'
import { useAgent } from '../../../api/session.ts'
import { type SeededParts, useSeededForm } from '../../../ui/use-seeded-form.ts'
import type { RuleKind } from '../kinds.ts'

interface RuleParts<Rule, Values, Body> extends Omit<SeededParts<Rule | null, Values, Body>, 'send'> {
  /** Stores a new rule. A changed one is sent with the same fields. */
  make: (api: Api, body: Body) => Promise<{ data: Rule }>
}

/**
 * The form of a rule. After a new one is stored, the list of its kind opens.
 * @param rule null for a new one
 */
export function useRuleForm<
  Rule extends { id: number; version: string },
  Values extends Record<string, unknown>,
  Body extends Record<string, unknown>,
>(kind: RuleKind, rule: Rule | null, { make, ...parts }: RuleParts<Rule, Values, Body>) {
  const { id: agentId, api, key } = useAgent()
  const navigate = useNavigate()
  const send = async (body: Body) => {
    const stored = rule ? await api.patch(`/${kind}/${rule.id}`, body as object) : await make(api, body)
    if (!rule)
      await navigate({ to: '/agents/$agentId/rules', params: { agentId: String(agentId) }, search: { kind } })
    return stored.data as unknown as Rule
  }
  return { ...useSeededForm(rule, { ...parts, send }), refresh: [key('rules')] }
}
