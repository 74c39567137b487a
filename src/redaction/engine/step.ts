/** Where a sticky pattern that begins at `at` ends, or `at` when it does not match there. */
export function step(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
