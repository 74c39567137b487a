/** The protocols that model servers speak. */
export const modelKinds = ['openai', 'anthropic', 'gemini', 'azure'] as const

export type ModelKind = (typeof modelKinds)[number]
