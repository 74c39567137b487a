/**
 * A text as a terminal may show it: control characters, line breaks and tabs among them, and those that turn the
 * direction of writing stand as `\u001b`. What is stored comes from tenants and must not drive the operator's terminal.
 * JSON without line breaks stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
