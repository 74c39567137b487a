/** `{name}`, which stands for an argument, and `{user.id}` and `{user.source}`, which the service fills. */
const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_]{0,63}|user\.(?:id|source))\}/

/** The names that stand for the conversation's user. No argument can have them. */
export const USER_ID = 'user.id'
export const USER_SOURCE = 'user.source'
export const USER_NAMES: readonly string[] = [USER_ID, USER_SOURCE]

/** The error of a template that cannot be used, in words for its author. */
export class TemplateError extends Error {}

/** The error of an argument that cannot stand where its placeholder does, in words for the model. */
export class ArgumentError extends Error {}

/** Splits a text at its placeholders: texts and names take turns, beginning and ending with a text. */
export function splitTemplate(text: string): string[] {
  return text.split(new RegExp(PLACEHOLDER, 'g'))
}

/** The names of the placeholders in a split text. */
export function namesIn(parts: readonly string[]): string[] {
  return parts.filter((_, at) => at % 2 === 1)
}

/** Writes an argument as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  return JSON.stringify(value) ?? ''
}
