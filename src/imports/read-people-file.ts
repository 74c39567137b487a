import { Readable } from 'node:stream'
import { setImmediate as letOthers } from 'node:timers/promises'
import { CsvError, type Info, parse } from 'csv-parse'
import { invalidField } from '../errors.ts'
import { delimiterOf, reasonOfCsv } from '../knowledge/formats/csv.ts'
import { decodeText } from '../knowledge/formats/decode-text.ts'
import { because } from '../knowledge/reasons.ts'
import { MOST_ATTRIBUTES } from '../profiles/schemas.ts'

/** The most people of one file. */
export const MOST_PEOPLE = 5000
const LONGEST_ROW = 100_000
const LONGEST_NAME = 64
/** The characters that are read before others have their turn. */
const PIECE = 65_536

/** The columns of a file: the places of the id and the name, and the names of the attributes by place. */
export interface Columns {
  id: number
  /** -1: there is none. */
  name: number
  titles: readonly string[]
}

/** A row of a file. */
export interface PeopleRow {
  /** The line on which it begins, from 1. */
  line: number
  cells: readonly string[]
}

export interface PeopleFile {
  columns: Columns
  rows: readonly PeopleRow[]
}

/**
 * Reads a file of comma-separated values, or of values between semicolons or tabs, whose first row names the columns.
 * @throws ApiError invalid_request for a file that is not one of people
 */
export async function readPeopleFile(bytes: Uint8Array): Promise<PeopleFile> {
  const decoded = decodeText(bytes, 'csv')
  if (decoded === null) throw refused(because('no_utf8'))
  // A line that ends with two characters within quotes would be counted twice.
  const text = decoded.replace(/\r\n?/g, '\n')
  const nul = text.indexOf('\u0000')
  if (nul >= 0) throw refused('must not contain a NUL character', text.slice(0, nul).split('\n').length)
  const rows = await readRows(text)
  const [header, ...people] = rows
  if (!header) throw refused('is empty')
  if (people.length === 0) throw refused('has no row below the names of its columns')
  return { columns: readColumns(header), rows: people }
}

async function readRows(text: string): Promise<PeopleRow[]> {
  const rows: PeopleRow[] = []
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    max_record_size: LONGEST_ROW,
  })
  try {
    for await (const one of Readable.from(piecesOf(text)).pipe(parser)) {
      const { record, info, raw } = one as { record: string[]; info: Info; raw: string }
      rows.push({ line: info.lines - (raw.trim().split('\n').length - 1), cells: record })
      if (rows.length > MOST_PEOPLE + 1)
        throw refused(because('too_many_rows', { count: MOST_PEOPLE.toLocaleString('en') }))
    }
  } catch (error) {
    if (error instanceof CsvError) throw refused(reasonOfCsv(error), Number(error.lines) || undefined)
    throw error
  }
  return rows
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) {
    await letOthers()
    yield text.slice(at, at + PIECE)
  }
}

/** Reads the names of the columns. Errors do not repeat them, because without a header the first row is personal data. */
function readColumns({ line, cells: titles }: PeopleRow): Columns {
  const find = (wanted: string) => titles.findIndex((title) => title.toLowerCase() === wanted)
  const [id, name] = [find('id'), find('name')]
  if (id < 0) throw refused('no column has the name "id"', line)
  const seen = new Map<string, number>()
  for (const [at, title] of titles.entries()) {
    const known = /^(?:id|name)$/i.test(title) ? title.toLowerCase() : title
    const before = seen.get(known)
    if (before !== undefined) throw refused(`columns ${before + 1} and ${at + 1} have the same name`, line)
    if (title === '') throw refused(`column ${at + 1} has no name`, line)
    if (title === '__proto__') throw refused(`column ${at + 1} has a name that no attribute may have`, line)
    if (title.length > LONGEST_NAME)
      throw refused(`the name of column ${at + 1} has more than ${LONGEST_NAME} characters`, line)
    seen.set(known, at)
  }
  const attributes = titles.length - (name < 0 ? 1 : 2)
  if (attributes > MOST_ATTRIBUTES) throw refused(`there are more than ${MOST_ATTRIBUTES} attributes`, line)
  return { id, name, titles }
}

function refused(why: string, line?: number) {
  return invalidField('file', line === undefined ? why : `line ${line}: ${why}`)
}
