/** The kinds of rules as their paths name them. Evaluators come last: they do nothing until a rule asks them. */
export const ruleKinds = ['guardrails', 'ctas', 'automations', 'evaluators'] as const
export type RuleKind = (typeof ruleKinds)[number]

/** Rules that act by themselves, as paths name one of them. */
export const singular = { guardrails: 'guardrail', ctas: 'cta', automations: 'automation' } as const
export type ActingKind = keyof typeof singular

export function isRuleKind(text: unknown): text is RuleKind {
  return ruleKinds.includes(text as RuleKind)
}
