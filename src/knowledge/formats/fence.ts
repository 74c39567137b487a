/** The line that opens a block of code, also in a list. Its first group is the mark that closes the block. */
export const FENCE = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})[^`]*$/

/** Tells whether a line consists only of the fence's character, at least as many times, possibly after a `>`. */
export function closesFence(line: string, fence: string): boolean {
  const mark = line.trim().replace(/^>\s*/, '')
  return mark.startsWith(fence) && mark.replaceAll(fence.charAt(0), '') === ''
}
