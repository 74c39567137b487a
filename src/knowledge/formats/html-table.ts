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
export function renderTable(rows: readonly Cell[][]): string[] {
  const filled = rows.filter((row) => row.length > 0)
  const columns = Math.max(0, ...filled.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)))
  const isLayout =
    filled.length < 2 || columns < 2 || filled.flat().some((cell) => textOf(cell).length > LONGEST_CELL)
  if (isLayout)
    return filled
      .flat()
      .flatMap(({ lines }) => (lines?.length ? (lines.at(-1) === '' ? lines : [...lines, '']) : []))
  const grid = spread(filled, Math.min(columns, MOST_COLUMNS))
  const namesItsRows =
    columns === 2 && filled.every(([first, second]) => first?.isHeader && !second?.isHeader)
  if (namesItsRows) return grid.map(([name = '', value = '']) => `- ${name}: ${value}`)
  const [header = [], ...others] = grid
  return [lineOf(header), lineOf(header.map(() => '---')), ...others.map(lineOf)]
}

/** Returns the texts of all places of a table. The text of a cell that covers several rows stands in each of them. */
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
      for (let column = 0; column < cell.columns && texts.length < width; column++) {
        if (cell.rows > 1) below.set(texts.length, { text, left: cell.rows - 1 })
        texts.push(column === 0 ? text : '')
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
