/** What models are called for. */
export const callKinds = ['answer', 'judge', 'embedding', 'summary'] as const

export type CallKind = (typeof callKinds)[number]
