import type { Block } from './block.ts'

/** The maximum length of the column names that each row repeats. */
const LONGEST_NAMES = 200
/** The number of characters that repeated names may add to a table, and the factor by which they may lengthen it. */
const ADDED = 20_000
const MOST_LONGER = 2

/**
 * Makes a text of a table, a line for each row. A row names its columns, as in `Plan: Team; Price: 29 EUR`, unless that
 * makes a large table much longer: then a line above the rows has the names.
 * @param lead the lines above the table
 * @param names those of the columns; none when the table has no header
 */
export function tableBlock(
  lead: string,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): Block & { kind: 'text' } {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const isNamed = names.some((name) => name !== '')
  const length = names.reduce((sum, name) => sum + name.length + 2, 0)
  const added = length * filled.length
  const whole = filled.reduce((sum, row) => row.reduce((sum, cell) => sum + cell.length, sum), 0)
  const repeats =
    isNamed && filled.length > 0 && length <= LONGEST_NAMES && added <= Math.max(ADDED, MOST_LONGER * whole)
  const lines = filled.map((row) => (repeats ? namedRow(names, row) : plainRow(row)))
  const head = isNamed && !repeats ? plainRow(names) : ''
  const text = [lead, head, ...lines].filter((line) => line !== '').join('\n')
  return { kind: 'text', text, table: { lead, head, rows: lines } }
}

function namedRow(names: readonly string[], row: readonly string[]): string {
  // A line across the table parts its rows.
  const isAcross = names.length > 2 && row.slice(1).every((cell) => cell === '')
  const cells = row.flatMap((cell, at) =>
    cell === '' ? [] : [isAcross || !names[at] ? cell : `${names[at]}: ${cell}`],
  )
  return `- ${cells.join('; ')}`
}

function plainRow(cells: readonly string[]): string {
  return `- ${cells.map((cell) => cell || '–').join(' — ')}`
}
