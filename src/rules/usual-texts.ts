/** The answer in place of a prompt or a response that a guardrail blocks, if the guardrail names none. */
export const USUAL_REPLY = 'I cannot help with that.'

/** The text in place of what a guardrail replaces, if the guardrail names none. */
export const USUAL_REPLACEMENT = '[removed]'
