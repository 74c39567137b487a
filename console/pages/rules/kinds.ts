/** The kinds of rules as in their paths. Evaluators come last, because they do nothing until a rule asks them. */
export const ruleKinds = ['guardrails', 'ctas', 'automations', 'evaluators'] as const
export type RuleKind = (typeof ruleKinds)[number]

/** The kinds of rules that act by themselves, with the name of a single one in paths. */
export const singular = { guardrails: 'guardrail', ctas: 'cta', automations: 'automation' } as const
export type ActingKind = keyof typeof singular

export function isRuleKind(text: unknown): text is RuleKind {
  return ruleKinds.includes(text as RuleKind)
}
