/** A table of a text: its columns' names, and the cells of its rows, line by line. */
export interface RstTable {
  head: string[][]
  rows: string[][][]
  /** The line behind it. */
  end: number
}

const GRID_RULE = /^\+(?:[-=]+\+)+$/
const SIMPLE_RULE = /^=+(?:[ \t]+=+)+$/
const MOST_COLUMNS = 100

/** Reads a table whose cells are drawn with lines; null: none begins here. */
export function readGridTable(lines: readonly string[], start: number): RstTable | null {
  const first = (lines[start] ?? '').trimEnd()
  if (!GRID_RULE.test(first)) return null
  const edges = [...first.matchAll(/\+/g)].map(({ index }) => index).slice(0, MOST_COLUMNS + 1)
  const parts: { isHead: boolean; rows: string[][][] }[] = [{ isHead: false, rows: [] }]
  let row: string[][] | null = null
  let end = start + 1
  for (; end < lines.length; end++) {
    const line = (lines[end] ?? '').trimEnd()
    if (!/^[+|]/.test(line)) break
    if (GRID_RULE.test(line) && /[-=]{2}/.test(line)) {
      if (row) parts.at(-1)?.rows.push(row)
      row = null
      const part = parts.at(-1)
      if (line.includes('=') && part) {
        part.isHead = true
        parts.push({ isHead: false, rows: [] })
      }
      continue
    }
    row ??= edges.slice(1).map(() => [])
    for (const [column, cell] of cellsBetween(line, edges).entries())
      if (cell !== '' && !/^[-=+]+$/.test(cell)) row[column]?.push(cell)
  }
  if (row) parts.at(-1)?.rows.push(row)
  return asTable(parts, end)
}

/** Cuts a line of a grid at its edges. The text of a cell that covers several columns stands in the first. */
function cellsBetween(line: string, edges: readonly number[]): string[] {
  const cells = edges.slice(1).map(() => '')
  let from = 0
  for (let column = 1; column < edges.length; column++) {
    const at = edges[column] ?? line.length
    const isEdge = /[|+]/.test(line[at] ?? '|')
    if (!isEdge) continue
    cells[from] = line.slice((edges[from] ?? 0) + 1, at).trim()
    from = column
  }
  return cells
}

/** Reads a table between lines of `=`; null: none begins here. */
export function readSimpleTable(lines: readonly string[], start: number): RstTable | null {
  const first = (lines[start] ?? '').trimEnd()
  if (!SIMPLE_RULE.test(first)) return null
  const starts = [...first.matchAll(/=+/g)].map(({ index }) => index).slice(0, MOST_COLUMNS)
  const rules = [start]
  for (let at = start + 1; at < lines.length; at++) {
    const line = (lines[at] ?? '').trimEnd()
    if (SIMPLE_RULE.test(line)) {
      rules.push(at)
      const isBlankNext = (lines[at + 1] ?? '').trim() === ''
      if (rules.length === 3 || isBlankNext) break
    } else if (line === '' && (lines[at + 1] ?? '').trim() === '') break
  }
  const end = rules.at(-1) ?? start
  if (end === start) return null
  const parts = rules.slice(1).map((to, at) => ({
    isHead: rules.length > 2 && at === 0,
    rows: simpleRows(lines.slice((rules[at] ?? start) + 1, to), starts),
  }))
  return asTable(parts, end + 1)
}

function simpleRows(lines: readonly string[], starts: readonly number[]): string[][][] {
  const rows: string[][][] = []
  for (const line of lines) {
    if (line.trim() === '' || /^-+(?:[ \t]+-+)*[ \t]*$/.test(line.slice(0, 500))) continue
    const cells = starts.map((from, at) => line.slice(from, starts[at + 1]).trim())
    // A row without a first cell goes on with the row above.
    const row = cells[0] === '' ? rows.at(-1) : undefined
    if (row) for (const [at, cell] of cells.entries()) row[at]?.push(cell)
    else rows.push(cells.map((cell) => [cell]))
  }
  return rows
}

function asTable(parts: readonly { isHead: boolean; rows: string[][][] }[], end: number): RstTable {
  const heads = parts.filter(({ isHead }) => isHead).flatMap(({ rows }) => rows)
  const [first = []] = heads
  return {
    head: first.map((_, column) => heads.flatMap((row) => row[column] ?? [])),
    rows: parts.filter(({ isHead }) => !isHead).flatMap(({ rows }) => rows),
    end,
  }
}
