/** Writes line feeds for all other line ends, among them those that patterns take for the end of a line: U+2028 and U+2029. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n')
}
