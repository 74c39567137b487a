/** Returns text that both databases keep: PostgreSQL takes no NUL, and half of a surrogate pair is no character. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
