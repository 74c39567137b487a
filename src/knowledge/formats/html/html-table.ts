import type { Leave } from '../left-out.ts'

/** A cell of a table as it was read. */
export interface Cell {
  /** The lines of the cell; null while it is being read. */
  lines: string[] | null
  isHeader: boolean
  /** The numbers of columns and rows that it covers. */
  columns: number
  rows: number
}

/** The maximum length of a cell. A table with a longer one lays out the page, as on old pages. */
const LONGEST_CELL = 600
const MOST_COLUMNS = 40

/**
 * Renders a table as lines of Markdown. The cells of a table that only lays out the page become text, one after
 * another.
 */
export function renderTable(rows: readonly Cell[][], leave: Leave): string[] {
  const filled = rows.filter((row) => row.length > 0)
  const columns = Math.max(0, ...filled.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)))
  const isLayout =
    filled.length < 2 || columns < 2 || filled.flat().some((cell) => textOf(cell).length > LONGEST_CELL)
  if (isLayout)
    return filled
      .flat()
      .flatMap(({ lines }) => (lines?.length ? (lines.at(-1) === '' ? lines : [...lines, '']) : []))
  leave('left_out_columns', Math.max(0, columns - MOST_COLUMNS))
  const grid = spread(filled, Math.min(columns, MOST_COLUMNS))
  const namesItsRows =
    columns === 2 && filled.every(([first, second]) => first?.isHeader && !second?.isHeader)
  if (namesItsRows) return grid.map(([name = '', value = '']) => `- ${name}: ${value}`)
  const [first = [], ...below] = grid
  const marked = Math.min(below.length, MOST_HEADERS, countHeaders(filled))
  const headers = marked === 0 && namesColumns(first, below) ? 1 : marked
  const header = headers === 0 ? first.map(() => '') : joined(grid.slice(0, headers))
  const others = grid.slice(headers)
  return [lineOf(header), lineOf(header.map(() => '---')), ...others.map(lineOf)]
}

const MOST_HEADERS = 3

/** Counts the rows at the top that are marked as names of the columns. */
function countHeaders(rows: readonly Cell[][]): number {
  const first = rows.findIndex((row) => !row.every(({ isHeader }) => isHeader))
  return first < 0 ? 1 : first
}

const LONGEST_COLUMN_NAME = 40

/** Tells whether a row that is not marked names the columns: it has short words above numbers. */
export function namesColumns(first: readonly string[], below: readonly string[][]): boolean {
  const isName = (cell: string) => cell !== '' && cell.length <= LONGEST_COLUMN_NAME && !/\d/.test(cell)
  return first.every(isName) && below.some((row) => row.some((cell) => /\d/.test(cell)))
}

/** Joins the names of columns in several rows, such as `Price` above `Month`. */
function joined(headers: readonly string[][]): string[] {
  const [first = []] = headers
  return first.map((_, column) => [...new Set(headers.map((row) => row[column] ?? ''))].join(' ').trim())
}

/** Returns the texts of all places of a table. The text of a cell that covers several places stands in each of them. */
function spread(rows: readonly Cell[][], width: number): string[][] {
  const below = new Map<number, { text: string; left: number }>()
  return rows.map((row) => {
    const texts: string[] = []
    const cells = [...row]
    while (texts.length < width) {
      const above = below.get(texts.length)
      if (above && above.left > 0) {
        above.left--
        texts.push(above.text)
        continue
      }
      const cell = cells.shift()
      if (!cell) {
        texts.push('')
        continue
      }
      const text = textOf(cell)
      // A cell across the whole table parts its rows.
      const isAcross = row.length === 1 && cell.columns >= width
      for (let column = 0; column < cell.columns && texts.length < width; column++) {
        if (cell.rows > 1) below.set(texts.length, { text, left: cell.rows - 1 })
        texts.push(column === 0 || !isAcross ? text : '')
      }
    }
    return texts
  })
}

function textOf({ lines }: Cell): string {
  return (lines ?? [])
    .map((line) => line.replace(/^\s*(?:#{1,6}|[-*]|`{3,})(?:\s+|$)/, ''))
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll('|', '\\|')
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
