/** Matches a variable such as `{{user.name}}` with a blank before it, and braces that a backslash takes literally. */
const VARIABLE = /\\(?<literal>\{\{)|(?<blank> ?)\{\{(?<name>[^{}]*)\}\}/g

/**
 * Replaces the variables of a text by their values, in one pass: what a value holds is never filled again. An empty value
 * takes the blank before it along. A variable without a value stays as it is.
 * @param valueFor the value of a variable; undefined: it has none
 * @param pattern another form of variables, with the same groups
 */
export function fillVariables(
  text: string,
  valueFor: (name: string) => string | undefined,
  pattern = VARIABLE,
): string {
  return text.replaceAll(pattern, (whole: string, ...rest: unknown[]) => {
    const { literal, blank = '', name = '' } = rest.at(-1) as Record<string, string | undefined>
    const value = literal ?? valueFor(name.trim())
    if (value === undefined) return whole
    return value === '' ? '' : blank + value
  })
}

/** Returns the names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].flatMap(({ groups }) => groups?.name?.trim() ?? [])
}
