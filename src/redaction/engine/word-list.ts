/** Words and phrases written close together, parted by commas. */
export function wordList(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(', '))
}
