import type { Leave } from '../left-out.ts'
import { slugger } from '../slug.ts'
import { controlledBy, isChrome, isHidden, isOpenable } from './html-chrome.ts'
import { type Cell, renderTable } from './html-table.ts'
import { type LinkedEntry, readJsonLd } from './json-ld.ts'
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

/** A part of the page that a control opens. */
interface Panel {
  /** The number of elements around it. */
  depth: number
  /** The number of tables around it. */
  tables: number
  /** The number of lines before it. */
  from: number
  /** The numbers of letters before it, and of those in links. */
  letters: number
  linked: number
  isHidden: boolean
  /** True if the words of its control are its name. */
  isPart: boolean
}

/** The share of a hidden panel's letters that are links from which it is a menu. */
const MENU = 0.7
/** The minimum length of a hidden text that is told about. Shorter ones are words for screen readers. */
const LEAST_HIDDEN = 20
const LONGEST_NAME = 500
const LONGEST_JSON = 2_000_000
/** The ids that can be written behind a heading. */
const PLAIN_ID = /^[^\s{}#"'<>]{1,200}$/

/**
 * Reads a page's content as Markdown: its headings, paragraphs, lists, tables and code, without the parts that surround
 * it on the site. It prefers the content of `main`, or else of `article`. What folds, opens from a button or answers a
 * question of a list becomes `details`, and so do questions that only the page's JSON-LD answers.
 * @returns also the page's own title, if it has one
 */
export function htmlToMarkdown(
  html: string,
  leave: Leave = () => {},
): { title: string | null; text: string } {
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
  let depth = 0
  let letters = 0
  let linked = 0
  let [inLink, inCode, inHead] = [0, 0, 0]
  /** The number of letters in the hidden element that is being left out; null: it is left out for another reason. */
  let hidden: number | null = null
  /** The id of the heading, and of an element just before the next text. */
  let [headingId, nearId] = ['', '']
  /** The element whose text is a name: its inner elements make no lines. */
  let named: 'summary' | 'dt' | 'button' | '' = ''
  /** The term of a list of definitions that begins the next line. */
  let term = ''
  /** The lists of definitions, and whether each has an open part. */
  const definitions: { isOpen: boolean; anchor: string | null }[] = []
  /** The lists around each open `details`. */
  const folded: List[][] = []
  /** The ids of the panels that the present button controls. */
  let controls: string[] = []
  /** The names of the panels that controls open; empty: a heading names it. */
  const controlled = new Map<string, string>()
  const panels: Panel[] = []
  /** The JSON-LD that is being read. */
  let json: string | null = null
  const entries: LinkedEntry[] = []

  function takeLine(isName = false): string {
    const text = line.replace(/\s+/g, ' ').trim()
    line = ''
    return isName ? text.replace(/\s*[#¶\u{1F517}\u200B]+$/u, '') : text
  }

  function endLine(): void {
    const text = takeLine(heading !== '')
    if (text === '') return
    if (mark === '' && heading === '' && lists.length > 0) mark = '  '.repeat(lists.length)
    const anchor = headingId || nearId
    const isOwn = heading !== '' && PLAIN_ID.test(anchor) && slugger()(text) !== anchor
    if (heading !== '') out.push(`${heading} ${text}${isOwn ? ` {#${anchor}}` : ''}`)
    else out.push(`${mark}${term === '' ? '' : `${term}: `}${text}`)
    mark = ''
    term = ''
    headingId = ''
    nearId = ''
  }

  /** Ends a term that has no definition in its own line. */
  function endTerm(): void {
    if (term === '') return
    endLine()
    if (term === '') return
    line = term
    term = ''
    endLine()
  }

  function beginPart(name: string, anchor = ''): void {
    endBlock()
    mark = ''
    out.push(detailsTag(anchor), ...summaryLines(name))
  }

  function endPart(): void {
    endTerm()
    endBlock()
    out.push('</details>', '')
  }

  function endDefinition(): void {
    const list = definitions.at(-1)
    if (list?.isOpen) endPart()
    if (list) list.isOpen = false
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
    for (const text of [...table.loose, ...renderTable(table.rows, leave)]) out.push(text)
    endBlock()
  }

  function onOpen(name: string, attributes: Record<string, string>): void {
    if (named !== '') return
    if (/^(?:h[1-6]|ul|ol|menu|table|pre|details)$/.test(name)) endTerm()
    if (/^h[1-6]$/.test(name)) {
      endBlock()
      heading = '#'.repeat(Number(name[1]))
      headingId = attributes.id ?? nearId
      nearId = ''
    } else if (name === 'details' && tables.length === 0) {
      endBlock()
      mark = ''
      out.push(detailsTag(attributes.id))
      folded.push(lists)
      lists = []
    } else if (name === 'summary' && folded.length > 0) {
      endLine()
      named = name
    } else if (name === 'dl') {
      endBlock()
      definitions.push({ isOpen: false, anchor: null })
    } else if (name === 'dt' && tables.length === 0) {
      endTerm()
      endBlock()
      endDefinition()
      named = name
      const list = definitions.at(-1)
      // Generators of documentation describe functions in such lists.
      if (list) list.anchor = /\bsig\b/.test(attributes.class ?? '') ? (attributes.id ?? '') : null
    } else if (name === 'img') leave('left_out_pictures', attributes.alt === undefined ? 1 : 0)
    else if (name === 'a') inLink++
    else if (name === 'br') verbatim === null ? endLine() : onText('\n')
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
        isHeader: name === 'th' || inHead > 0,
        columns: spanOf(attributes.colspan),
        rows: spanOf(attributes.rowspan),
      })
      out = []
    } else if (name === 'pre') {
      endBlock()
      verbatim ??= ''
    } else if (name === 'thead') inHead++
    else if (name === 'code' && verbatim === null) {
      line += '`'
      inCode++
    } else if (BLOCKS.has(name)) endBlock()
    if (attributes.id && !/^h[1-6]$/.test(name)) nearId = attributes.id
    const around = marked.findLast((one) => one.name === name)
    if (around) around.inside++
    if ((name === 'main' || name === 'article' || attributes.role === 'main') && !VOID.has(name)) {
      content++
      marked.push({ name, inside: 0 })
      if (tables.length === 0) ranges.push({ name, from: out.length, to: -1 })
    }
  }

  function onText(text: string): void {
    letters += text.length
    if (inLink > 0) linked += text.length
    if (nearId !== '' && heading === '' && text.trim() !== '') nearId = ''
    if (verbatim !== null) verbatim += text
    // What looks like a tag here is text that names one.
    else line += inCode > 0 ? text : text.replace(/<(?=[a-z/!])/gi, '\\<')
  }

  function onClose(name: string): void {
    if (name === 'a') inLink = Math.max(0, inLink - 1)
    if (named !== '') {
      if (name === named) endName()
      return
    }
    if (name === 'pre' && verbatim !== null) {
      const code = verbatim.replace(/^\n|\s+$/g, '')
      verbatim = null
      if (code !== '') {
        const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
        out.push(...(mark === '' ? [] : [mark.trimEnd()]), fence, ...code.split('\n'), fence)
        mark = ''
        endBlock()
      }
    } else if (name === 'thead') inHead = Math.max(0, inHead - 1)
    else if (name === 'code' && verbatim === null) {
      line += '`'
      inCode = Math.max(0, inCode - 1)
    } else if (name === 'details' && tables.length === 0 && folded.length > 0) {
      endPart()
      lists = folded.pop() ?? []
    } else if (name === 'dl' && definitions.length > 0) {
      endTerm()
      endBlock()
      endDefinition()
      definitions.pop()
    } else if (/^h[1-6]$/.test(name)) {
      endBlock()
      heading = ''
      headingId = ''
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

  /** Ends an element whose text is a name. */
  function endName(): void {
    const ended = named
    const name = takeLine(true)
    named = ''
    if (ended === 'summary') out.push(...summaryLines(name))
    else if (ended === 'button') for (const id of controls) controlled.set(id, name)
    else {
      const list = definitions.at(-1)
      if (list && name !== '' && (list.anchor !== null || /[?？]$/.test(name))) {
        beginPart(name, list.anchor ?? '')
        list.isOpen = true
      } else term = name
    }
  }

  function openPanel(name: string, isHidden: boolean): void {
    endBlock()
    const from = out.length
    const isPart = name !== '' && tables.length === 0
    if (isPart) beginPart(name)
    panels.push({ depth, tables: tables.length, from, letters, linked, isHidden, isPart })
  }

  function closePanel(panel: Panel): void {
    endBlock()
    const isMenu = linked - panel.linked > MENU * (letters - panel.letters)
    if (panel.isHidden && isMenu && tables.length === panel.tables)
      out.length = Math.min(out.length, panel.from)
    else if (panel.isPart) endPart()
  }

  /** Returns true if an element is left out. */
  function isLeftOut(name: string, attributes: Record<string, string>): boolean {
    const ids = controlledBy(attributes)
    const isButton = name === 'button' && ids.length > 0
    if (isChrome(name, attributes, content > 0) && !isButton) return true
    if (isButton) {
      controls = ids
      // The words of a button in a heading are the heading.
      if (heading !== '' || named !== '') for (const id of ids) controlled.set(id, '')
      else {
        endLine()
        named = 'button'
      }
      return false
    }
    for (const id of ids) if (!controlled.has(id)) controlled.set(id, '')
    const control = controlled.get(attributes.id ?? '')
    const isConcealed = isHidden(attributes)
    if (control !== undefined && named === '') openPanel(control, isConcealed)
    else if (isConcealed && !isOpenable(attributes)) {
      hidden = 0
      return true
    }
    return false
  }

  parseHtml(html, {
    onopentag(name, attributes) {
      depth++
      // A drawing has a title of its own, which is not the page's.
      if (name === 'title' && !skipping.includes('svg')) inTitle = true
      if (name === 'script' && attributes.type?.toLowerCase() === 'application/ld+json') json = ''
      if (skipping.length > 0 || isLeftOut(name, attributes)) {
        if (!VOID.has(name)) skipping.push(name)
        return
      }
      onOpen(name, attributes)
    },
    ontext(text) {
      if (inTitle) title += text
      if (json !== null && json.length < LONGEST_JSON) json += text
      if (skipping.length === 0) onText(text)
      else if (hidden !== null) hidden += text.trim().length
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (name === 'script' && json !== null) {
        entries.push(...readJsonLd(json))
        json = null
      }
      if (skipping.length === 0) onClose(name)
      else if (skipping.at(-1) === name) skipping.pop()
      if (skipping.length === 0 && hidden !== null) {
        leave('left_out_hidden', hidden >= LEAST_HIDDEN ? 1 : 0)
        hidden = null
      }
      for (let last = panels.at(-1); last && last.depth >= depth; last = panels.at(-1)) {
        panels.pop()
        closePanel(last)
      }
      depth--
    },
  })
  endTerm()
  endBlock()
  while (tables.length > 0) endTable()
  const ownTitle = title.replace(/\s+/g, ' ').trim()
  const text = withEntries(mainOf(out, ranges), entries)
  return { title: ownTitle === '' ? null : ownTitle, text }
}

function detailsTag(id = ''): string {
  return PLAIN_ID.test(id) ? `<details id="${id}">` : '<details>'
}

function summaryLines(name: string): string[] {
  return [`<summary>${name.slice(0, LONGEST_NAME)}</summary>`, '']
}

/** The number of letters by which an answer is recognised in a page. */
const RECOGNISED = 80

/** Adds the entries of a page's JSON-LD whose answers its text does not show. */
function withEntries(text: string, entries: readonly LinkedEntry[]): string {
  if (entries.length === 0) return text
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const shown = lettersOf(text)
  const added = entries.flatMap(({ name, text }) => {
    const answer = /<[a-z]/i.test(text) ? htmlToMarkdown(text).text : text
    const letters = lettersOf(answer).slice(0, RECOGNISED)
    if (letters === '' || shown.includes(letters)) return []
    return [`<details>\n<summary>${name.replace(/\s+/g, ' ')}</summary>\n\n${answer}\n\n</details>`]
  })
  return [text, ...added].filter((part) => part !== '').join('\n\n')
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
