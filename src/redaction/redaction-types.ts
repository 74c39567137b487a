import { recognizers } from './recognizers/all.ts'

/** The name of a type: capital letters, digits and underscores; Presidio's name where it has one. */
export type RedactionType = string

/** Every type that the pattern redactor knows. */
export const redactionTypes: readonly { type: RedactionType; label: string; example: string }[] =
  recognizers.map(({ type, label, example }) => ({ type, label, example }))
