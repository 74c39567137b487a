import { step } from '../engine/step.ts'
import { addField, type FieldFound } from './field.ts'
import { endsKey, type Key, keyOf, kindOfKey, readKey } from './keys.ts'

const LONGEST_LINE = 4000
const MOST_CELLS = 64
const LONGEST_HEADER = 44
const RULE = /^[\s|:+=-]+$/

/** Cells of a row: the start and the end of each. */
type Cells = number[]

/** Reads the cells of tables whose first row names their columns: CSV, TSV, Markdown; and the lines of forms. */
export function readLines(text: string, found: FieldFound): void {
  let line = 0
  while (line < text.length) {
    const end = lineEnd(text, line)
    const mark = firstMark(text, line, Math.min(end, line + LONGEST_HEADER))
    const table = mark >= 0 && end < text.length ? headerOf(text, line, end, text.charAt(mark)) : undefined
    if (table) {
      line = readRows(text, table.header, table.delimiter, end + 1, found)
      continue
    }
    if (mark >= 0) readFormLine(text, line, mark, end, found)
    else readLoneKey(text, line, end, found)
    line = end + 1
  }
}

/** Returns the place of the first delimiter of cells, or of the mark between key and value in a form; -1 without one. */
function firstMark(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 44 || code === 59 || code === 9 || code === 124) return at
    if ((code !== 32 && code !== 46) || at === start) continue
    const next = text.charCodeAt(at + 1)
    const mayMark = next === code || next === 45 || next === 0x2013 || next === 0x2014
    if (mayMark && step(FORM_MARK, text, at) > at) return at
  }
  return -1
}

/** Returns the names of the columns if the line is a header: at least one is known, and all can be names. */
function headerOf(
  text: string,
  start: number,
  end: number,
  delimiter: string,
): { header: Key[]; delimiter: string } | undefined {
  if (!',;\t|'.includes(delimiter) || /[.!?]/.test(text.charAt(end - 1))) return
  if (!isInLine(text, end + 1, delimiter.charCodeAt(0))) return
  const columns = names(text, cellsOf(text, start, end, delimiter))
  const areNames = columns.every((name) => name.length <= LONGEST_HEADER && !/[.!?]\s|@|\d{4}/.test(name))
  if (columns.length < 2 || !areNames) return
  const header = columns.map(keyOf)
  return header.some(({ kind }) => kind) ? { header, delimiter } : undefined
}

function isInLine(text: string, start: number, char: number): boolean {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char) return true
    if (code === 10) return false
  }
  return false
}

/** A mark between key and value in the line of a form: a dash, tabs, dots or many spaces. */
const FORM_MARK = /[^\S\n][–—-]{1,2}[^\S\n]|\t{1,4}|[^\S\n]{3,20}|\.{3,40}/y

function readFormLine(text: string, start: number, mark: number, end: number, found: FieldFound): void {
  const from = step(FORM_MARK, text, mark)
  if (from === mark || !endsKey(text, mark)) return
  const key = readKey(text.slice(start, mark).replace(/^\s{0,8}(?:[-*•·]\s{1,2})?/, ''))
  // More tabs part the cells of a table.
  const isRow =
    text.charAt(mark) === '\t' && text.slice(from, Math.min(end, from + LONGEST_VALUE)).includes('\t')
  if (!isRow && key) addField(text, key, from, Math.min(end, from + LONGEST_VALUE), false, found)
}

/** Reads a line that is only a key, with the value on the next line. */
function readLoneKey(text: string, start: number, end: number, found: FieldFound): void {
  if (end - start > LONGEST_HEADER || end - start < 2 || end >= text.length) return
  if (!endsKey(text, end)) return
  const key = readKey(text.slice(start, end))
  if (!key) return
  const next = lineEnd(text, end + 1)
  if (next - end < LONGEST_VALUE && !kindOfKey(text.slice(end + 1, next)))
    addField(text, key, end + 1, next, false, found)
}

const LONGEST_VALUE = 160

/** Reads rows until one has another number of cells. Returns where the line behind the table begins. */
function readRows(text: string, header: Key[], delimiter: string, from: number, found: FieldFound): number {
  let line = from
  while (line < text.length) {
    const end = lineEnd(text, line)
    if (end - line > LONGEST_LINE) break
    if (!RULE.test(text.slice(line, end))) {
      const cells = cellsOf(text, line, end, delimiter)
      if (cells.length !== header.length * 2) break
      addRow(text, header, cells, found)
    }
    line = end + 1
  }
  return line
}

function addRow(text: string, header: Key[], cells: Cells, found: FieldFound): void {
  header.forEach((key, column) => {
    addField(text, key, cells[column * 2] as number, cells[column * 2 + 1] as number, true, found)
  })
}

function names(text: string, cells: Cells): string[] {
  const header: string[] = []
  for (let at = 0; at < cells.length; at += 2)
    header.push(text.slice(cells[at], cells[at + 1]).replace(/^[\s"'*_]+|[\s"'*_]+$/g, ''))
  return header
}

/** Splits a line at a delimiter that is not within quotes. The bars at the ends of a Markdown row are left out. */
function cellsOf(text: string, start: number, end: number, delimiter: string): Cells {
  const cells: Cells = []
  const isBarred = delimiter === '|'
  let from = start
  let to = end
  if (isBarred) {
    while (from < to && /\s/.test(text.charAt(from))) from++
    while (to > from && /\s/.test(text.charAt(to - 1))) to--
    if (text.charAt(from) === '|') from++
    if (text.charAt(to - 1) === '|' && to > from) to--
  }
  let isQuoted = false
  for (let at = from; at <= to && cells.length < MOST_CELLS * 2; at++) {
    const char = at < to ? text.charAt(at) : delimiter
    if (char === '"' && at < to) isQuoted = !isQuoted
    if (char !== delimiter || (isQuoted && at < to)) continue
    cells.push(from, at)
    from = at + 1
  }
  return cells
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

const HTML_CELL = /<(tr|t[hd])\b[^<>]{0,200}>([^<>]{0,300})(?:<\/t[hd]>)?/gi

/** Reads the cells of tables in HTML whose first row names their columns. */
export function readHtmlTables(text: string, found: FieldFound): void {
  let header: Key[] = []
  let column = -1
  let isHead = false
  for (const match of text.matchAll(HTML_CELL)) {
    const [whole, tag = '', content = ''] = match
    if (tag.toLowerCase() === 'tr') {
      column = 0
      continue
    }
    const start = match.index + whole.indexOf('>') + 1
    if (tag.toLowerCase() === 'th') {
      if (!isHead || column === 0) header = []
      header.push(keyOf(content.trim()))
      column++
      isHead = true
      continue
    }
    // `<th>Name</th><td>…</td>`: the head of a row names its only value.
    const key = isHead && header.length === 1 && column > 0 ? header[0] : header[column]
    if (key?.key) addField(text, key, start, start + content.length, true, found)
    column++
    if (column > 1) isHead = false
  }
}
