import { escapeMarkdown } from '../escape-markdown.ts'
import type { Leave } from '../left-out.ts'
import { raiseDigits } from '../raised-digits.ts'
import { slugger } from '../slug.ts'
import { type Cell, renderTable } from './html-table.ts'

interface List {
  /** The number of the next item; null: the list is not numbered. */
  next: number | null
}

interface Table {
  rows: Cell[][]
  /** Lines outside of the cells, such as a caption. */
  loose: string[]
  /** The lines of the page or cell that contains the table. */
  around: string[]
  lists: List[]
}

/** The ids that can be written behind a heading. */
const PLAIN_ID = /^[^\s{}#"'<>]{1,200}$/
const LONGEST_NAME = 500
/** The maximum length of code that is read as such within a line. */
const LONGEST_CODE = 500
/** A character of no script. */
const CODE_SIGN = '\uE000'
const CODE = /\uE000(\d+)\uE000/g

/** Writes the elements of a page as lines of Markdown, in the order in which they open and close. */
export class MarkdownWriter {
  readonly #leave: Leave
  readonly #escapeLine: (line: string) => string
  #lines: string[] = []
  /** The text of the present line, with a number between two signs in place of each code. */
  #line = ''
  /** The codes of the present line, and the open one. */
  #codes: string[] = []
  #code = ''
  #inBold = 0
  /** True if no text of the present line is outside of bold elements. */
  #isBold = true
  /** The list item's mark that begins the next line. */
  #mark = ''
  #heading = ''
  #headingId = ''
  /** The id of an element that has no text yet; the next heading gets it. */
  #nearId = ''
  /** The term of a list of definitions that begins the next line. */
  #term = ''
  #lists: List[] = []
  /** The lists around each open `details`. */
  readonly #folded: List[][] = []
  readonly #tables: Table[] = []
  /** The text of a `pre` so far. */
  #verbatim: string | null = null
  #inCode = 0

  /** @param escapeLine writes a line of text as Markdown */
  constructor(leave: Leave, escapeLine = escapeMarkdown) {
    this.#leave = leave
    this.#escapeLine = escapeLine
  }

  /** The number of lines so far; within a table, of those in the open cell. */
  get length(): number {
    return this.#lines.length
  }

  /** The number of open tables. */
  get tables(): number {
    return this.#tables.length
  }

  /** True if the present line has no text yet. */
  get isLineEmpty(): boolean {
    return this.#line.trim() === ''
  }

  get isInHeading(): boolean {
    return this.#heading !== ''
  }

  get isInDetails(): boolean {
    return this.#folded.length > 0
  }

  /** Removes the lines from a position on. */
  cutAt(length: number): void {
    this.#lines.length = Math.min(this.#lines.length, length)
  }

  /** Notes the id of an element, for a heading that begins before any text. */
  noteId(id: string): void {
    this.#nearId = id
  }

  text(text: string): void {
    if (this.#nearId !== '' && this.#heading === '' && text.trim() !== '') this.#nearId = ''
    if (this.#verbatim !== null) this.#verbatim += text
    else {
      if (this.#inBold === 0 && text.trim() !== '') this.#isBold = false
      if (this.#inCode > 0) this.#code += text
      else this.#line += text.replaceAll(CODE_SIGN, '')
    }
  }

  /** Writes raised text, such as the cents of a price. */
  raised(text: string): void {
    const before = this.#verbatim ?? (this.#inCode > 0 ? this.#code : this.#line)
    this.text(/\p{N}$/u.test(before) ? raiseDigits(text) : text)
  }

  /** Ends the line, or breaks it within code. */
  breakLine(): void {
    if (this.#verbatim === null) this.endLine()
    else this.text('\n')
  }

  beginCode(): void {
    if (this.#verbatim !== null) return
    this.#inCode++
  }

  endCode(): void {
    if (this.#verbatim !== null) return
    this.#inCode = Math.max(0, this.#inCode - 1)
    if (this.#inCode === 0) this.#keepCode()
  }

  beginBold(): void {
    this.#inBold++
  }

  endBold(): void {
    this.#inBold = Math.max(0, this.#inBold - 1)
  }

  beginVerbatim(): void {
    this.endBlock()
    this.#verbatim ??= ''
  }

  endVerbatim(): void {
    if (this.#verbatim === null) return
    const code = this.#verbatim.replace(/^\n/, '').trimEnd()
    this.#verbatim = null
    if (code === '') return
    const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
    if (this.#mark !== '') this.#lines.push(this.#mark.trimEnd())
    this.#lines.push(fence, ...code.split('\n'), fence)
    this.#mark = ''
    this.endBlock()
  }

  beginHeading(level: number, id: string | undefined): void {
    this.endBlock()
    this.#heading = '#'.repeat(level)
    this.#headingId = id ?? this.#nearId
    this.#nearId = ''
  }

  endHeading(): void {
    this.endBlock()
    this.#heading = ''
    this.#headingId = ''
  }

  /** @param start the number of the first item; null: the list is not numbered */
  beginList(start: number | null): void {
    if (this.#lists.length === 0) this.endBlock()
    else this.endLine()
    this.#lists.push({ next: start })
  }

  endList(): void {
    this.endLine()
    this.#lists.pop()
    if (this.#lists.length === 0) this.endBlock()
  }

  beginItem(): void {
    this.endLine()
    const list = this.#lists.at(-1)
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1))
    this.#mark = `${indent}${list && list.next !== null ? `${list.next++}.` : '-'} `
  }

  endItem(): void {
    this.endLine()
    this.#mark = ''
  }

  /** Begins the definition of a term, which begins its next line. */
  beginTerm(term: string): void {
    this.#term = term
  }

  /** Ends a term that has no definition in its own line. */
  endTerm(): void {
    if (this.#term === '') return
    this.endLine()
    if (this.#term !== '') this.#addLine(`${this.#mark}${this.#term}`)
  }

  /** Begins a part that folds, and whose name follows as its summary. */
  beginDetails(id: string | undefined): void {
    this.#beginPart(id)
    this.#folded.push(this.#lists)
    this.#lists = []
  }

  endDetails(): void {
    this.endPart()
    this.#lists = this.#folded.pop() ?? []
  }

  /** Begins a part with a name. */
  beginPart(name: string, id = ''): void {
    this.#beginPart(id)
    this.summary(name)
  }

  endPart(): void {
    this.endTerm()
    this.endBlock()
    this.#lines.push('</details>', '')
  }

  summary(name: string): void {
    this.#lines.push(`<summary>${name.slice(0, LONGEST_NAME)}</summary>`, '')
  }

  beginTable(): void {
    this.endBlock()
    this.#tables.push({ rows: [], loose: [], around: this.#lines, lists: this.#lists })
    this.#lines = []
    this.#lists = []
  }

  beginRow(): void {
    this.endCell()
    this.#tables.at(-1)?.rows.push([])
  }

  beginCell(cell: Omit<Cell, 'lines'>): void {
    this.endCell()
    const { rows = [] } = this.#tables.at(-1) ?? {}
    if (rows.length === 0) rows.push([])
    rows.at(-1)?.push({ lines: null, ...cell })
    this.#lines = []
  }

  endCell(): void {
    this.endLine()
    const table = this.#tables.at(-1)
    const cell = table?.rows.at(-1)?.at(-1)
    if (cell?.lines === null) cell.lines = this.#lines
    else table?.loose.push(...this.#lines)
    if (table) this.#lines = []
  }

  endTable(): void {
    this.endCell()
    const table = this.#tables.pop()
    if (!table) return
    this.#lines = table.around
    this.#lists = table.lists
    for (const text of [...table.loose, ...renderTable(table.rows, this.#leave)]) this.#lines.push(text)
    this.endBlock()
  }

  /** Returns the text of the present line as a name, and begins a new line. */
  takeName(): string {
    return this.#takeLine(/(?<![¶\u{1F517}\u200B])\s*[¶\u{1F517}\u200B]+$/u)
  }

  endLine(): void {
    const isBold = this.#isBold
    const text = this.isInHeading ? this.takeName() : this.#takeLine()
    if (text === '') return
    if (this.#mark === '' && !this.isInHeading && this.#lists.length > 0)
      this.#mark = '  '.repeat(this.#lists.length)
    const anchor = this.#headingId || this.#nearId
    const isOwn = this.isInHeading && PLAIN_ID.test(anchor) && slugger()(text) !== anchor
    if (this.isInHeading) this.#addLine(`${this.#heading} ${text}${isOwn ? ` {#${anchor}}` : ''}`)
    // Pages of questions often have them in bold, in place of headings.
    else if (isBold && /[?？]$/.test(text) && !this.#isInside) this.#addLine(`**${text}**`)
    else this.#addLine(`${this.#mark}${this.#term === '' ? '' : `${this.#term}: `}${text}`)
  }

  endBlock(): void {
    this.endLine()
    // The items of a list stay together.
    if (this.#lists.length === 0 && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }

  /** Ends all that is open, and returns the lines. */
  end(): string[] {
    this.endTerm()
    this.endBlock()
    while (this.#tables.length > 0) this.endTable()
    return this.#lines
  }

  #beginPart(id = ''): void {
    this.endBlock()
    this.#mark = ''
    this.#lines.push(PLAIN_ID.test(id) ? `<details id="${id}">` : '<details>')
  }

  /** True within a list, a table or a definition. */
  get #isInside(): boolean {
    return this.#lists.length > 0 || this.#tables.length > 0 || this.#term !== ''
  }

  #addLine(line: string): void {
    this.#lines.push(line)
    this.#mark = ''
    this.#term = ''
    this.#headingId = ''
    this.#nearId = ''
  }

  #keepCode(): void {
    const code = this.#code.replace(/\s+/g, ' ').trim()
    if (code !== '') this.#line += `${CODE_SIGN}${this.#codes.push(code) - 1}${CODE_SIGN}`
    this.#code = ''
  }

  /** @param sign the end that is no part of the text */
  #takeLine(sign = /$^/): string {
    this.#keepCode()
    const text = this.#line.replace(/\s+/g, ' ').trim().replace(sign, '')
    const codes = this.#codes
    this.#line = ''
    this.#codes = []
    this.#isBold = true
    return this.#escapeLine(text).replace(CODE, (_, at) => this.#codeSpan(codes[at] ?? ''))
  }

  /** Writes code as such, or as text if it cannot stand between backticks. */
  #codeSpan(code: string): string {
    return code.includes('`') || code.length > LONGEST_CODE ? this.#escapeLine(code) : `\`${code}\``
  }
}
