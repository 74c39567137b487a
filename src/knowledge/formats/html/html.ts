import type { Leave } from '../left-out.ts'
import { controlledBy, isChrome, isHidden, isOpenable } from './html-chrome.ts'
import { type LinkedEntry, readJsonLd } from './json-ld.ts'
import { type MarkedContent, mainContent } from './main-content.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { parseHtml } from './parse-html.ts'

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const BLOCKS = new Set(
  'p div section article main header dl dt dd blockquote figure figcaption body html details summary address form fieldset caption center'.split(
    ' ',
  ),
)
const HEADING = /^h([1-6])$/
const LIST = /^(?:ul|ol|menu)$/

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
const LONGEST_JSON = 2_000_000

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
  const writer = new MarkdownWriter(leave)
  let title = ''
  let inTitle = false
  /** Names of the open elements that are left out. Only the end tag of the same name ends one. */
  const skipping: string[] = []
  /** The open elements that mark the content, each with the number of elements of its name that are open in it. */
  const marked: { name: string; inside: number }[] = []
  const contents: MarkedContent[] = []
  let depth = 0
  let letters = 0
  let linked = 0
  let [inLink, inHead] = [0, 0]
  /** The number of letters in the hidden element that is being left out; null: it is left out for another reason. */
  let hidden: number | null = null
  /** The element whose text is a name: its inner elements make no lines. */
  let named: 'summary' | 'dt' | 'button' | '' = ''
  /** The lists of definitions, and whether each has an open part. */
  const definitions: { isOpen: boolean; anchor: string | null }[] = []
  /** The ids of the panels that the present button controls. */
  let controls: string[] = []
  /** The names of the panels that controls open; empty: a heading names it. */
  const controlled = new Map<string, string>()
  const panels: Panel[] = []
  /** The JSON-LD that is being read. */
  let json: string | null = null
  const entries: LinkedEntry[] = []

  function endDefinition(): void {
    const list = definitions.at(-1)
    if (list?.isOpen) writer.endPart()
    if (list) list.isOpen = false
  }

  function onOpen(name: string, attributes: Record<string, string>): void {
    if (named !== '') return
    const [, level] = HEADING.exec(name) ?? []
    if (level !== undefined || LIST.test(name) || /^(?:table|pre|details)$/.test(name)) writer.endTerm()
    if (level !== undefined) writer.beginHeading(Number(level), attributes.id)
    else if (name === 'details' && writer.tables === 0) writer.beginDetails(attributes.id)
    else if (name === 'summary' && writer.isInDetails) {
      writer.endLine()
      named = name
    } else if (name === 'dl') {
      writer.endBlock()
      definitions.push({ isOpen: false, anchor: null })
    } else if (name === 'dt' && writer.tables === 0) {
      writer.endTerm()
      writer.endBlock()
      endDefinition()
      named = name
      const list = definitions.at(-1)
      // Generators of documentation describe functions in such lists.
      if (list) list.anchor = /\bsig\b/.test(attributes.class ?? '') ? (attributes.id ?? '') : null
    } else if (name === 'img') leave('left_out_pictures', attributes.alt === undefined ? 1 : 0)
    else if (name === 'a') inLink++
    else if (name === 'br') writer.breakLine()
    else if (name === 'hr') writer.endBlock()
    else if (LIST.test(name))
      writer.beginList(name === 'ol' ? Number.parseInt(attributes.start ?? '1', 10) || 1 : null)
    else if (name === 'li') writer.beginItem()
    else if (name === 'table') writer.beginTable()
    else if (name === 'tr' && writer.tables > 0) writer.beginRow()
    else if ((name === 'td' || name === 'th') && writer.tables > 0)
      writer.beginCell({
        isHeader: name === 'th' || inHead > 0,
        columns: spanOf(attributes.colspan),
        rows: spanOf(attributes.rowspan),
      })
    else if (name === 'pre') writer.beginVerbatim()
    else if (name === 'thead') inHead++
    else if (name === 'code') writer.beginCode()
    else if (BLOCKS.has(name)) writer.endBlock()
    if (attributes.id && level === undefined) writer.noteId(attributes.id)
    beginContent(name, attributes.role)
  }

  function onText(text: string): void {
    letters += text.length
    if (inLink > 0) linked += text.length
    writer.text(text)
  }

  function onClose(name: string): void {
    if (name === 'a') inLink = Math.max(0, inLink - 1)
    if (named !== '') {
      if (name === named) endName()
      return
    }
    if (name === 'pre') writer.endVerbatim()
    else if (name === 'thead') inHead = Math.max(0, inHead - 1)
    else if (name === 'code') writer.endCode()
    else if (name === 'details' && writer.tables === 0 && writer.isInDetails) writer.endDetails()
    else if (name === 'dl' && definitions.length > 0) {
      writer.endTerm()
      writer.endBlock()
      endDefinition()
      definitions.pop()
    } else if (HEADING.test(name)) writer.endHeading()
    else if (LIST.test(name)) writer.endList()
    else if (name === 'li') writer.endItem()
    else if (name === 'td' || name === 'th' || name === 'tr') writer.endCell()
    else if (name === 'table') writer.endTable()
    else if (BLOCKS.has(name)) writer.endBlock()
    endContent(name)
  }

  function beginContent(name: string, role: string | undefined): void {
    const around = marked.findLast((one) => one.name === name)
    if (around) around.inside++
    if ((name === 'main' || name === 'article' || role === 'main') && !VOID.has(name)) {
      marked.push({ name, inside: 0 })
      if (writer.tables === 0) contents.push({ name, from: writer.length, to: -1 })
    }
  }

  function endContent(name: string): void {
    const closed = marked.findLast((one) => one.name === name)
    if (!closed || closed.inside-- > 0) return
    marked.splice(marked.indexOf(closed), 1)
    const content = writer.tables === 0 && contents.findLast((one) => one.name === name && one.to < 0)
    if (content) content.to = writer.length
  }

  /** Ends an element whose text is a name. */
  function endName(): void {
    const ended = named
    const name = writer.takeName()
    named = ''
    if (ended === 'summary') writer.summary(name)
    else if (ended === 'button') for (const id of controls) controlled.set(id, name)
    else {
      const list = definitions.at(-1)
      if (list && name !== '' && (list.anchor !== null || /[?？]$/.test(name))) {
        writer.beginPart(name, list.anchor ?? '')
        list.isOpen = true
      } else writer.beginTerm(name)
    }
  }

  function openPanel(name: string, isHidden: boolean): void {
    writer.endBlock()
    const from = writer.length
    const isPart = name !== '' && writer.tables === 0
    if (isPart) writer.beginPart(name)
    panels.push({ depth, tables: writer.tables, from, letters, linked, isHidden, isPart })
  }

  function closePanel(panel: Panel): void {
    writer.endBlock()
    const isMenu = linked - panel.linked > MENU * (letters - panel.letters)
    if (panel.isHidden && isMenu && writer.tables === panel.tables) writer.cutAt(panel.from)
    else if (panel.isPart) writer.endPart()
  }

  /** Returns true if an element is left out. */
  function isLeftOut(name: string, attributes: Record<string, string>): boolean {
    const ids = controlledBy(attributes)
    const isButton = name === 'button' && ids.length > 0
    if (isChrome(name, attributes, marked.length > 0) && !isButton) return true
    if (isButton) {
      controls = ids
      // The words of a button in a heading are the heading.
      if (writer.isInHeading || named !== '') for (const id of ids) controlled.set(id, '')
      else {
        writer.endLine()
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
  const text = mainContent(writer.end(), contents)
  const ownTitle = title.replace(/\s+/g, ' ').trim()
  return { title: ownTitle === '' ? null : ownTitle, text: withEntries(text, entries) }
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
