/** Tells whether the parameters of a request ask for a text, and not for JSON. */
export function asksForText({ response_format }: Record<string, unknown>): boolean {
  const type = (response_format as { type?: unknown } | null | undefined)?.type
  return type === undefined || type === 'text'
}
