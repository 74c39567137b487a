/** The line that opens a block of code, also in a list. Its first group is the mark that closes the block. */
export const FENCE = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,}(?!~))[^`]*$/

/** Returns a function that tells of one line after another whether it belongs to a block of code, fences included. */
export function readsCode(): (line: string) => boolean {
  let fence = ''
  return (line) => {
    if (fence === '') {
      fence = FENCE.exec(line)?.[1] ?? ''
      return fence !== ''
    }
    if (closesFence(line, fence)) fence = ''
    return true
  }
}

/** Tells whether a line consists only of the fence's character, at least as many times, possibly after a `>`. */
export function closesFence(line: string, fence: string): boolean {
  const mark = line.trim().replace(/^>\s*/, '')
  return mark.startsWith(fence) && mark.replaceAll(fence.charAt(0), '') === ''
}
