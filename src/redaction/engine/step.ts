/** Returns the end of the match of a sticky pattern at `at`, or `at` if it does not match there. */
export function step(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
