import { getDocumentProxy } from 'unpdf'
import { because } from '../../reasons.ts'
import { escapeMarkdown } from '../escape-markdown.ts'
import { namesColumns } from '../html/html-table.ts'
import { type Converted, MOST_TEXT } from './converted.ts'
import { type PdfLine, type PdfText, readLines } from './pdf-lines.ts'

const MOST_PAGES = 5000
/** The minimum number of characters. A page with fewer has no text, at most a stamped number. */
const LEAST_TEXT = 10

/** Reads the text of a PDF file as Markdown, with a heading for each page. */
export async function readPdf(bytes: Uint8Array): Promise<Converted> {
  const pdf = await getDocumentProxy(bytes, {
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
  }).catch((error: Error) => error)
  if (pdf instanceof Error)
    return {
      refused: because(pdf.name === 'PasswordException' ? 'needs_password' : 'broken_pdf'),
    }
  if (pdf.numPages > MOST_PAGES) return { refused: because('too_many_pages', { count: MOST_PAGES }) }
  const pages: PdfLine[][] = []
  let length = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    // A broken page costs only itself.
    const lines = await linesOf(number).catch(() => [])
    pages.push(lines)
    length += lines.reduce((sum, { text }) => sum + text.length, 0)
    if (length > MOST_TEXT) return { refused: because('too_long', { count: MOST_TEXT }) }
  }
  const empty = pages.flatMap((lines, at) => (isEmpty(lines) ? [at + 1] : []))
  if (empty.length === pages.length) return { refused: because('scan') }
  const title = await titleOf()
  const notes =
    empty.length === 0
      ? []
      : [because(empty.length === 1 ? 'page_without_text' : 'pages_without_text', { pages: pagesIn(empty) })]
  const escaped = pages.map((lines) => lines.map((line) => ({ ...line, text: escapeMarkdown(line.text) })))
  return { content: toMarkdown(escaped), format: 'markdown', title, notes }

  async function linesOf(number: number): Promise<PdfLine[]> {
    if (pdf instanceof Error) return []
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const lines = readLines(items.filter((item): item is PdfText & typeof item => 'str' in item))
    page.cleanup()
    return lines
  }

  async function titleOf(): Promise<string | null> {
    if (pdf instanceof Error) return null
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
    const { Title: title } = info as { Title?: unknown }
    // Programs that make PDF files put the name of a file or their own name here.
    const isName = typeof title !== 'string' || /\.\w{2,4}$|^(?:untitled|microsoft word)\b/i.test(title)
    return isName || title.trim() === '' ? null : title.trim().slice(0, 500)
  }
}

function isEmpty(lines: readonly PdfLine[]): boolean {
  return lines.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0) < LEAST_TEXT
}

/** Lists pages in words, such as `pages 1, 3-5`. */
function pagesIn(numbers: readonly number[]): string {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  const shown = runs.slice(0, 10).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
  return `${shown.join(', ')}${runs.length > 10 ? ', …' : ''}`
}

/** The size, relative to most of the text, from which a line is a heading. */
const HEADING_SIZE = 1.2
const LONGEST_HEADING = 150

function toMarkdown(pages: readonly (readonly PdfLine[])[]): string {
  const usual = usualSize(pages)
  const out: string[] = []
  /** The heading whose section continues on the next page. */
  let heading = ''
  for (const [at, lines] of pages.entries()) {
    if (isEmpty(lines)) continue
    const isHeading = ({ size, text }: PdfLine) =>
      size >= usual * HEADING_SIZE && text.length <= LONGEST_HEADING && /\p{L}/u.test(text)
    out.push('', `## Page ${at + 1}`, '')
    if (heading !== '' && lines[0] && !isHeading(lines[0])) out.push(`### ${heading}`, '')
    let inHeading = false
    for (const line of asTables(lines)) {
      if (isHeading(line)) {
        heading = inHeading ? `${heading} ${line.text}` : line.text
        if (inHeading) out.splice(-2, 2)
        out.push('', `### ${heading}`, '')
      } else out.push(...(line.isApart ? [''] : []), line.text)
      inHeading = isHeading(line)
    }
  }
  return withoutHyphens(out.join('\n'))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Makes Markdown tables of lines with cells, with a head that is empty when the first line names no columns. */
function asTables(lines: readonly PdfLine[]): PdfLine[] {
  const hasCells = (line: PdfLine | undefined) => line?.text.includes(' | ') ?? false
  const cellsOf = ({ text }: PdfLine) => text.split(' | ')
  return lines.flatMap((line, at) => {
    if (!hasCells(line)) return [{ ...line, isApart: line.isApart || hasCells(lines[at - 1]) }]
    const row = { ...line, text: `| ${line.text} |`, size: 0, isApart: false }
    const isFirst = !hasCells(lines[at - 1])
    if (!isFirst) return [row]
    const last = lines.findIndex((line, index) => index > at && !hasCells(line))
    const below = lines.slice(at + 1, last < 0 ? undefined : last)
    if (below.length === 0) return [{ ...row, isApart: true }]
    const rule = { ...row, text: `|${' --- |'.repeat(cellsOf(line).length)}` }
    if (namesColumns(cellsOf(line), below.map(cellsOf))) return [{ ...row, isApart: true }, rule]
    return [{ ...row, text: rule.text.replaceAll('-', ' '), isApart: true }, rule, row]
  })
}

/** Returns the letter size of most of the text. */
function usualSize(pages: readonly (readonly PdfLine[])[]): number {
  const sizes = new Map<number, number>()
  for (const { size, text } of pages.flat()) sizes.set(size, (sizes.get(size) ?? 0) + text.length)
  return [...sizes].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0]
}

/** Joins words that were hyphenated at the end of a line. */
function withoutHyphens(text: string): string {
  return text.replace(/(?<=\p{Ll})[-\u00AD]\n(?!(?:und|oder|and|or)\b)(?=\p{Ll})/gu, '')
}
