import { CsvError, parse } from 'csv-parse/sync'
import { because, type ReasonCode } from '../reasons.ts'
import type { Block } from './block.ts'
import { tableBlock } from './table-block.ts'
import { Unreadable } from './unreadable.ts'

const MOST_ROWS = 100_000
const LONGEST_ROW = 1_000_000
export const QUESTION = /^(?:question|frage|pregunta|pergunta|q)$/i
export const ANSWER = /^(?:answer|antwort|respuesta|réponse|reponse|resposta|a)$/i

/**
 * Reads a table of comma-separated values. With the columns `question` and `answer`, each row is an FAQ entry, and its
 * other columns are other ways to ask, unless they hold only ids, numbers or addresses. Any other table stays a table,
 * whose first row names the columns.
 * @throws Unreadable for broken CSV, and for more rows than are read
 */
export function readCsv(source: string): Block[] {
  const [header = [], ...rows] = readRows(source)
  const question = header.findIndex((name) => QUESTION.test(name))
  const answer = header.findIndex((name) => ANSWER.test(name))
  if (question < 0 || answer < 0) return rows.length === 0 ? [] : [tableOf(header, rows)]
  const ways = columnsOfWords(rows)
  return rows.flatMap((row): Block[] => {
    const [asked = '', answered = ''] = [row[question], row[answer]]
    if (asked === '' || answered === '') return []
    const questions = row.filter(
      (cell, at) => at !== question && at !== answer && cell !== '' && ways.has(at),
    )
    return [
      { kind: 'heading', level: 2, text: asked.replace(/\s+/g, ' '), questions },
      { kind: 'text', text: answered },
    ]
  })
}

/** A number, a date, an id with a digit, or an address. */
const IDENTIFIER = /^(?:[\p{L}#_-]{0,20}\d[\p{L}\d.,:/#_-]*|\/\S*|\w+:\S+|www\.\S+|\S+@\S+)$/u

/** Returns the places of the columns that hold words. */
function columnsOfWords(rows: readonly string[][]): Set<number> {
  const columns = new Set<number>()
  for (const row of rows)
    for (const [at, cell] of row.entries()) if (cell !== '' && !IDENTIFIER.test(cell)) columns.add(at)
  return columns
}

/** Reads the cells of all rows. @throws Unreadable */
export function readRows(source: string): string[][] {
  let rows: string[][]
  try {
    rows = parse(source, {
      bom: true,
      delimiter: delimiterOf(source),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      max_record_size: LONGEST_ROW,
      to: MOST_ROWS + 1,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const reason = reasonOfCsv(error)
    throw new Unreadable(
      'lines' in error
        ? because('broken_csv_line', { reason, line: String(error.lines) })
        : because('broken_csv', { reason }),
    )
  }
  if (rows.length > MOST_ROWS)
    throw new Unreadable(because('too_many_rows', { count: MOST_ROWS.toLocaleString('en') }))
  return rows
}

const REASONS: Readonly<Record<string, ReasonCode>> = {
  CSV_QUOTE_NOT_CLOSED: 'quote_not_closed',
  CSV_INVALID_CLOSING_QUOTE: 'quote_followed',
  INVALID_OPENING_QUOTE: 'quote_within',
  CSV_MAX_RECORD_SIZE: 'row_too_long',
}

/** Says why CSV is broken. */
export function reasonOfCsv({ code }: Pick<CsvError, 'code'>): string {
  return because(REASONS[code] ?? 'broken')
}

/** Returns the delimiter that separates the columns of the first row. */
export function delimiterOf(source: string): string {
  const first = /^(?:"[^"]*"|[^"\r\n])*/.exec(source.slice(0, 10_000))?.[0].replace(/"[^"]*"/g, '') ?? ''
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }))
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).mark
}

function tableOf(header: readonly string[], rows: readonly string[][]): Block {
  const inLine = (cell: string) => cell.replace(/\s+/g, ' ')
  return tableBlock(
    '',
    header.map(inLine),
    rows.map((row) => row.map(inLine)),
  )
}
