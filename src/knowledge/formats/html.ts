import { isChrome, isHidden } from './html-chrome.ts'
import { type Cell, renderTable } from './html-table.ts'
import { parseHtml } from './parse-html.ts'

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const BLOCKS = new Set(
  'p div section article main header dl dt dd blockquote figure figcaption body html details summary address form fieldset caption center'.split(
    ' ',
  ),
)

/** The minimum length of the text in `main` or `article` for that to be the page's content. */
const LEAST_MAIN = 200

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

/**
 * Reads a page's content as Markdown: its headings, paragraphs, lists, tables and code, without the parts that surround
 * it on the site. It prefers the content of `main`, or else of `article`.
 * @returns also the page's own title, if it has one
 */
export function htmlToMarkdown(html: string): { title: string | null; text: string } {
  let out: string[] = []
  let line = ''
  let title = ''
  let inTitle = false
  /** Names of the open elements that are left out. Only the end tag of the same name ends one. */
  const skipping: string[] = []
  /** The text of a `pre` so far. */
  let verbatim: string | null = null
  /** The list item's mark that begins the next line. */
  let mark = ''
  let heading = ''
  let lists: List[] = []
  const tables: Table[] = []
  let content = 0
  /** The open elements that mark the content, each with the number of elements of its name that are open in it. */
  const marked: { name: string; inside: number }[] = []
  const ranges: { name: string; from: number; to: number }[] = []

  function endLine(): void {
    let text = line.replace(/\s+/g, ' ').trim()
    line = ''
    if (heading !== '') text = text.replace(/\s*[#¶\u{1F517}\u200B]+$/u, '')
    if (text === '') return
    if (mark === '' && heading === '' && lists.length > 0) mark = '  '.repeat(lists.length)
    out.push(heading !== '' ? `${heading} ${text}` : mark + text)
    mark = ''
  }

  function endBlock(): void {
    endLine()
    // The items of a list stay together.
    if (lists.length === 0 && out.length > 0 && out.at(-1) !== '') out.push('')
  }

  function endCell(): void {
    endLine()
    const table = tables.at(-1)
    const cell = table?.rows.at(-1)?.at(-1)
    if (cell?.lines === null) cell.lines = out
    else table?.loose.push(...out)
    if (table) out = []
  }

  function endTable(): void {
    endCell()
    const table = tables.pop()
    if (!table) return
    out = table.around
    lists = table.lists
    for (const text of [...table.loose, ...renderTable(table.rows)]) out.push(text)
    endBlock()
  }

  function onOpen(name: string, attributes: Record<string, string>): void {
    if (/^h[1-6]$/.test(name)) {
      endBlock()
      heading = '#'.repeat(Number(name[1]))
    } else if (name === 'br') verbatim === null ? endLine() : onText('\n')
    else if (name === 'hr') endBlock()
    else if (name === 'ul' || name === 'ol' || name === 'menu') {
      lists.length === 0 ? endBlock() : endLine()
      lists.push({ next: name === 'ol' ? Number.parseInt(attributes.start ?? '1', 10) || 1 : null })
    } else if (name === 'li') {
      endLine()
      const list = lists.at(-1)
      const indent = '  '.repeat(Math.max(0, lists.length - 1))
      mark = `${indent}${list && list.next !== null ? `${list.next++}.` : '-'} `
    } else if (name === 'table') {
      endBlock()
      tables.push({ rows: [], loose: [], around: out, lists })
      out = []
      lists = []
    } else if (name === 'tr' && tables.length > 0) {
      endCell()
      tables.at(-1)?.rows.push([])
    } else if ((name === 'td' || name === 'th') && tables.length > 0) {
      endCell()
      const { rows = [] } = tables.at(-1) ?? {}
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push({
        lines: null,
        isHeader: name === 'th',
        columns: spanOf(attributes.colspan),
        rows: spanOf(attributes.rowspan),
      })
      out = []
    } else if (name === 'pre') {
      endBlock()
      verbatim ??= ''
    } else if (name === 'code' && verbatim === null) line += '`'
    else if (BLOCKS.has(name)) endBlock()
    const around = marked.findLast((one) => one.name === name)
    if (around) around.inside++
    if ((name === 'main' || name === 'article' || attributes.role === 'main') && !VOID.has(name)) {
      content++
      marked.push({ name, inside: 0 })
      if (tables.length === 0) ranges.push({ name, from: out.length, to: -1 })
    }
  }

  function onText(text: string): void {
    if (verbatim === null) line += text
    else verbatim += text
  }

  function onClose(name: string): void {
    if (name === 'pre' && verbatim !== null) {
      const code = verbatim.replace(/^\n|\s+$/g, '')
      verbatim = null
      if (code !== '') {
        const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
        out.push(...(mark === '' ? [] : [mark.trimEnd()]), fence, ...code.split('\n'), fence)
        mark = ''
        endBlock()
      }
    } else if (name === 'code' && verbatim === null) line += '`'
    else if (/^h[1-6]$/.test(name)) {
      endBlock()
      heading = ''
    } else if (name === 'ul' || name === 'ol' || name === 'menu') {
      endLine()
      lists.pop()
      if (lists.length === 0) endBlock()
    } else if (name === 'li') {
      endLine()
      mark = ''
    } else if (name === 'td' || name === 'th' || name === 'tr') endCell()
    else if (name === 'table') endTable()
    else if (BLOCKS.has(name)) endBlock()
    const closed = marked.findLast((one) => one.name === name)
    if (closed && closed.inside-- === 0) {
      marked.splice(marked.indexOf(closed), 1)
      content--
      const range = tables.length === 0 && ranges.findLast((one) => one.name === name && one.to < 0)
      if (range) range.to = out.length
    }
  }

  parseHtml(html, {
    onopentag(name, attributes) {
      // A drawing has a title of its own, which is not the page's.
      if (name === 'title' && !skipping.includes('svg')) inTitle = true
      if (skipping.length > 0 || isChrome(name, attributes, content > 0) || isHidden(attributes)) {
        if (!VOID.has(name)) skipping.push(name)
        return
      }
      onOpen(name, attributes)
    },
    ontext(text) {
      if (inTitle) title += text
      if (skipping.length === 0) onText(text)
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (skipping.length === 0) onClose(name)
      else if (skipping.at(-1) === name) skipping.pop()
    },
  })
  endBlock()
  while (tables.length > 0) endTable()
  const named = title.replace(/\s+/g, ' ').trim()
  return { title: named === '' ? null : named, text: mainOf(out, ranges) }
}

/** The maximum span of a cell. More would only make a page large. */
const LARGEST_SPAN = 20

function spanOf(attribute: string | undefined): number {
  return Math.min(LARGEST_SPAN, Math.max(1, Number.parseInt(attribute ?? '1', 10) || 1))
}

/** Returns the lines of the page's main content, if the page marks it. */
function mainOf(lines: string[], ranges: readonly { name: string; from: number; to: number }[]): string {
  const main = textOf(ranges.filter(({ name }) => name !== 'article'))
  if (main.length >= LEAST_MAIN) return main
  const all = lines.join('\n').trim()
  const articles = textOf(ranges.filter(({ name }) => name === 'article'))
  // If most of a page is outside of its articles, the page is about something else.
  return articles.length >= Math.max(LEAST_MAIN, all.length / 2) ? articles : all

  function textOf(parts: readonly { from: number; to: number }[]): string {
    let end = 0
    const texts: string[] = []
    for (const { from, to } of parts) {
      const last = to < 0 ? lines.length : to
      texts.push(...lines.slice(Math.max(from, end), last))
      end = Math.max(end, last)
    }
    return texts.join('\n').trim()
  }
}
