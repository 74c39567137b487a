/** The purposes for which models are called. */
export const callKinds = [
  'answer',
  'judge',
  'embedding',
  'summary',
  'rewrite',
  'proposal',
  'customer',
  'suggestion',
  'handoff_summary',
  'translation',
  'inactivity',
] as const

export type CallKind = (typeof callKinds)[number]
