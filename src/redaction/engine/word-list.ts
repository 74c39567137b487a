/** Splits lines of words and phrases, which are separated by commas. */
export function wordList(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(', '))
}
