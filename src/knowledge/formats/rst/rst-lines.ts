const PUNCTUATION = '!-/:-@[-`{-~'
/** A row of one punctuation mark. */
export const RULE = new RegExp(String.raw`^([${PUNCTUATION}])\1*$`)

/** Reads a heading: a line above a row of one punctuation mark, which may also stand above it. */
export function headingAt(
  lines: readonly string[],
  at: number,
): { text: string; style: string; end: number } | null {
  const [first = '', second = '', third = ''] = lines.slice(at, at + 3).map((line) => line.trimEnd())
  if (
    RULE.test(first) &&
    first.length >= 2 &&
    second.trim() !== '' &&
    third[0] === first[0] &&
    RULE.test(third)
  )
    return { text: second.trim(), style: `${first[0]}${first[0]}`, end: at + 3 }
  const text = first.trim()
  const isLine = RULE.test(second) && (second.length >= 4 || second.length >= text.length)
  if (!isLine || first.startsWith(' ') || /^\.\.[ ]/.test(first) || RULE.test(first) || second === '::')
    return null
  return { text, style: second[0] ?? '', end: at + 2 }
}

/** Returns the lines that are indented at least so far, without their indentation, and the line behind them. */
export function bodyOf(
  lines: readonly string[],
  start: number,
  least: number,
): { body: string[]; end: number } {
  let end = start
  let last = start
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (line.trim() === '') continue
    if (indentOf(line) < least) break
    last = end + 1
  }
  const body = lines.slice(start, last)
  const indent = body.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))),
    Infinity,
  )
  return { body: body.map((line) => line.slice(Math.min(indent, line.length))), end: last }
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

export function endOfParagraph(lines: readonly string[], start: number): number {
  let end = start + 1
  while (end < lines.length && !isBlank(lines[end])) end++
  return end
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

export function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

export function withoutTabs(line: string): string {
  return line.replaceAll('\t', '        ')
}
