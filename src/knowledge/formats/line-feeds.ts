/** Writes line feeds for all other line ends. U+2028 and U+2029 are among them, as patterns end lines there. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n')
}
