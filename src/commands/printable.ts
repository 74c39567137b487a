/**
 * Escapes control characters, line breaks, tabs and characters that change the direction of writing, as in `\u001b`.
 * Stored texts come from tenants and must not control the terminal of the operator. JSON on one line keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
