import { withoutWordBreaks } from '../../../language/words/word-breaks.ts'
import { escapeMarkdown } from '../escape-markdown.ts'
import type { Leave } from '../left-out.ts'
import { controlledBy, isChrome, isDrawing, isHidden, isOpenable, isTab } from './html-chrome.ts'
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
  /** True if it became a part whose name is the text of its control. */
  isPart: boolean
}

/** A control whose words are left out of the text. */
interface Control {
  /** The number of elements around it. */
  depth: number
  text: string
  /** Takes its words. */
  end: (text: string) => void
}

/** A hidden panel is a menu if at least this share of its letters is in links. */
const MENU = 0.7
/** The minimum length of a hidden text for a note that it was left out. Shorter texts are words for screen readers. */
const LEAST_HIDDEN = 20
const LONGEST_JSON = 2_000_000
/** Raised signs, and linked numbers, that only point to a note. */
const NOTE_SIGN = /^\s*[*†‡§]+\s*$/
const NOTE_NUMBER = /^\s*[[(]?(?:\d{1,3}|[a-z])[\])]?\s*$/i

/** The text of a link from a heading to itself. */
const LINK_SIGN = /^\s*#+\s*$/

/**
 * Reads a page's content as Markdown: its headings, paragraphs, lists, tables and code, without the parts that surround
 * it on the site. It prefers the content of `main`, or else of `article`. What folds, opens from a button or answers a
 * question of a list becomes `details`, and so do questions that only the page's JSON-LD answers.
 * @param escapeLine writes a line of text as Markdown, if it is not escaped as usual
 * @returns also the page's own title, if it has one
 */
export function htmlToMarkdown(
  html: string,
  leave: Leave = () => {},
  escapeLine?: (line: string) => string,
): { title: string | null; text: string } {
  return new PageReader(leave, escapeLine).read(html)
}

/** Follows the tags of one page, and decides which elements are content. */
class PageReader {
  readonly #leave: Leave
  readonly #writer: MarkdownWriter
  #title = ''
  #inTitle = false
  /** Names of the open elements that are left out. Only the end tag of the same name ends one. */
  readonly #skipping: string[] = []
  /** The open elements that mark the content, each with the number of elements of its name that are open in it. */
  readonly #marked: { name: string; inside: number }[] = []
  readonly #contents: MarkedContent[] = []
  #depth = 0
  #letters = 0
  #linked = 0
  #inLink = 0
  /** True if the present link has text that is not raised, so that raised digits behind it belong to that text. */
  #linkHasText = false
  #inHead = 0
  /** The text of the open `sup`, and whether a link of its own stands within it or around it. */
  #raised: { text: string; isLinked: boolean } | null = null
  /** The number of letters in the hidden element that is being left out; null: it is left out for another reason. */
  #hidden: number | null = null
  /** The element whose text is a name: its inner elements make no lines. */
  #named: 'summary' | 'dt' | 'button' | '' = ''
  /** The lists of definitions, and whether each has an open part. */
  readonly #definitions: { isOpen: boolean; anchor: string | null }[] = []
  /** The ids of the panels that the present button controls. */
  #controls: string[] = []
  /** The names of the panels that controls open; empty: a heading names it. */
  readonly #controlled = new Map<string, string>()
  /** The names of tabs by their own ids. */
  readonly #tabs = new Map<string, string>()
  #control: Control | null = null
  /** The words of a button in a name, which are the name if there are no others. */
  #buttonName = ''
  readonly #panels: Panel[] = []
  /** The JSON-LD that is being read. */
  #json: string | null = null
  readonly #entries: LinkedEntry[] = []

  constructor(leave: Leave, escapeLine?: (line: string) => string) {
    this.#leave = leave
    this.#writer = new MarkdownWriter(leave, escapeLine)
  }

  read(html: string): { title: string | null; text: string } {
    parseHtml(html, {
      onopentag: (name, attributes) => this.#begin(name, attributes),
      ontext: (text) => this.#say(text),
      onclosetag: (name) => this.#end(name),
    })
    const text = withEntries(mainContent(this.#writer.end(), this.#contents), this.#entries)
    const ownTitle = withoutWordBreaks(this.#title).replace(/\s+/g, ' ').trim()
    return { title: ownTitle === '' ? null : ownTitle, text: withoutWordBreaks(text) }
  }

  /** Takes a start tag: begins its element, or leaves it out with all that is in it. */
  #begin(name: string, attributes: Record<string, string>): void {
    this.#depth++
    // A drawing has a title of its own, which is not the page's.
    if (name === 'title' && !this.#skipping.includes('svg')) this.#inTitle = true
    if (name === 'script' && attributes.type?.toLowerCase() === 'application/ld+json') this.#json = ''
    this.#beginControl(name, attributes)
    if (this.#skipping.length > 0 || this.#isLeftOut(name, attributes)) {
      if (this.#skipping.length === 0 && isDrawing(name, attributes)) this.#describe(attributes['aria-label'])
      if (!VOID.has(name)) this.#skipping.push(name)
      return
    }
    this.#onOpen(name, attributes)
  }

  #say(text: string): void {
    if (this.#inTitle) this.#title += text
    if (this.#control !== null) this.#control.text += text
    if (this.#json !== null && this.#json.length < LONGEST_JSON) this.#json += text
    if (this.#skipping.length === 0) this.#onText(text)
    else if (this.#hidden !== null) this.#hidden += text.trim().length
  }

  #end(name: string): void {
    if (name === 'title') this.#inTitle = false
    if (name === 'script' && this.#json !== null) {
      this.#entries.push(...readJsonLd(this.#json))
      this.#json = null
    }
    if (this.#control?.depth === this.#depth) {
      this.#control.end(this.#control.text.replace(/\s+/g, ' ').trim())
      this.#control = null
    }
    if (this.#skipping.length === 0) this.#onClose(name)
    else if (this.#skipping.at(-1) === name) this.#skipping.pop()
    if (this.#skipping.length === 0 && this.#hidden !== null) {
      this.#leave('left_out_hidden', this.#hidden >= LEAST_HIDDEN ? 1 : 0)
      this.#hidden = null
    }
    for (let last = this.#panels.at(-1); last && last.depth >= this.#depth; last = this.#panels.at(-1)) {
      this.#panels.pop()
      this.#closePanel(last)
    }
    this.#depth--
  }

  /** Begins a tab, or a button within a heading or another name, if the element is one. */
  #beginControl(name: string, attributes: Record<string, string>): void {
    if (this.#control !== null) return
    const ids = controlledBy(attributes)
    const { id = '' } = attributes
    if (isTab(attributes))
      this.#beginWords((text) => {
        for (const panel of ids) this.#controlled.set(panel, escapeMarkdown(text))
        if (id !== '') this.#tabs.set(id, escapeMarkdown(text))
      })
    else if (name === 'button' && ids.length === 0 && this.#isInName)
      this.#beginWords((text) => {
        this.#buttonName ||= text
      })
  }

  #beginWords(end: (text: string) => void): void {
    this.#control = { depth: this.#depth, text: '', end }
  }

  get #isInName(): boolean {
    return this.#named !== '' || this.#writer.isInHeading
  }

  /** Takes the words of a button for the name in which it stands, if that has none of its own. */
  #completeName(): void {
    if (this.#writer.isLineEmpty) this.#writer.text(this.#buttonName)
    this.#buttonName = ''
  }

  #endDefinition(): void {
    const list = this.#definitions.at(-1)
    if (list?.isOpen) this.#writer.endPart()
    if (list) list.isOpen = false
  }

  #onOpen(name: string, attributes: Record<string, string>): void {
    if (name === 'sup') this.#raised ??= { text: '', isLinked: false }
    if (name === 'a') {
      this.#inLink++
      this.#linkHasText = false
    }
    if (this.#named !== '') return
    const [, level] = HEADING.exec(name) ?? []
    if (level !== undefined || LIST.test(name) || /^(?:table|pre|details)$/.test(name)) this.#writer.endTerm()
    if (level !== undefined) this.#writer.beginHeading(Number(level), attributes.id)
    else if (name === 'details' && this.#writer.tables === 0) this.#writer.beginDetails(attributes.id)
    else if (name === 'summary' && this.#writer.isInDetails) {
      this.#writer.endLine()
      this.#named = name
    } else if (name === 'dl') {
      this.#writer.endBlock()
      this.#definitions.push({ isOpen: false, anchor: null })
    } else if (name === 'dt' && this.#writer.tables === 0) {
      this.#writer.endTerm()
      this.#writer.endBlock()
      this.#endDefinition()
      this.#named = name
      const list = this.#definitions.at(-1)
      // Generators of documentation describe functions in such lists.
      if (list) list.anchor = /\bsig\b/.test(attributes.class ?? '') ? (attributes.id ?? '') : null
    } else if (name === 'img') this.#describe(attributes.alt)
    else if (name === 'br') this.#writer.breakLine()
    else if (name === 'hr') this.#writer.endBlock()
    else if (LIST.test(name))
      this.#writer.beginList(name === 'ol' ? Number.parseInt(attributes.start ?? '1', 10) || 1 : null)
    else if (name === 'li') this.#writer.beginItem()
    else if (name === 'table') this.#writer.beginTable()
    else if (name === 'tr' && this.#writer.tables > 0) this.#writer.beginRow()
    else if ((name === 'td' || name === 'th') && this.#writer.tables > 0)
      this.#writer.beginCell({
        isHeader: name === 'th' || this.#inHead > 0,
        columns: spanOf(attributes.colspan),
        rows: spanOf(attributes.rowspan),
      })
    else if (name === 'pre') this.#writer.beginVerbatim()
    else if (name === 'thead') this.#inHead++
    else if (name === 'code') this.#writer.beginCode()
    else if (name === 'strong' || name === 'b') this.#writer.beginBold()
    else if (BLOCKS.has(name)) this.#writer.endBlock()
    if (attributes.id && level === undefined) this.#writer.noteId(attributes.id)
    this.#beginContent(name, attributes.role)
  }

  /** Writes the description of a picture: it may be all that a cell has. */
  #describe(alt: string | undefined): void {
    this.#leave('left_out_pictures', alt === undefined ? 1 : 0)
    if (alt?.trim()) this.#onText(` ${alt} `)
  }

  #onText(text: string): void {
    if (this.#isInName && this.#inLink > 0 && !this.#linkHasText && LINK_SIGN.test(text)) return
    this.#letters += text.length
    if (this.#inLink > 0) this.#linked += text.length
    if (this.#raised === null) {
      this.#writer.text(text)
      this.#linkHasText ||= text.trim() !== ''
    } else {
      this.#raised.text += text
      this.#raised.isLinked ||= this.#inLink > 0 && !this.#linkHasText
    }
  }

  #onClose(name: string): void {
    if (name === 'a') this.#inLink = Math.max(0, this.#inLink - 1)
    if (name === 'sup') this.#endRaised()
    if (this.#named !== '') {
      if (name === this.#named) this.#endName()
      return
    }
    if (name === 'pre') this.#writer.endVerbatim()
    else if (name === 'thead') this.#inHead = Math.max(0, this.#inHead - 1)
    else if (name === 'code') this.#writer.endCode()
    else if (name === 'strong' || name === 'b') this.#writer.endBold()
    else if (name === 'details' && this.#writer.tables === 0 && this.#writer.isInDetails)
      this.#writer.endDetails()
    else if (name === 'dl' && this.#definitions.length > 0) {
      this.#writer.endTerm()
      this.#writer.endBlock()
      this.#endDefinition()
      this.#definitions.pop()
    } else if (HEADING.test(name)) {
      this.#completeName()
      this.#writer.endHeading()
    } else if (LIST.test(name)) this.#writer.endList()
    else if (name === 'li') this.#writer.endItem()
    else if (name === 'td' || name === 'th' || name === 'tr') this.#writer.endCell()
    else if (name === 'table') this.#writer.endTable()
    else if (BLOCKS.has(name)) this.#writer.endBlock()
    this.#endContent(name)
  }

  #endRaised(): void {
    const { text = '', isLinked = false } = this.#raised ?? {}
    this.#raised = null
    const isNote = NOTE_SIGN.test(text) || (isLinked && NOTE_NUMBER.test(text))
    if (!isNote) this.#writer.raised(text)
  }

  #beginContent(name: string, role: string | undefined): void {
    const around = this.#marked.findLast((one) => one.name === name)
    if (around) around.inside++
    if ((name === 'main' || name === 'article' || role === 'main') && !VOID.has(name)) {
      this.#marked.push({ name, inside: 0 })
      if (this.#writer.tables === 0) this.#contents.push({ name, from: this.#writer.length, to: -1 })
    }
  }

  #endContent(name: string): void {
    const closed = this.#marked.findLast((one) => one.name === name)
    if (!closed || closed.inside-- > 0) return
    this.#marked.splice(this.#marked.indexOf(closed), 1)
    const content =
      this.#writer.tables === 0 && this.#contents.findLast((one) => one.name === name && one.to < 0)
    if (content) content.to = this.#writer.length
  }

  /** Ends an element whose text is a name. */
  #endName(): void {
    this.#completeName()
    const ended = this.#named
    const name = this.#writer.takeName()
    this.#named = ''
    if (ended === 'summary') this.#writer.summary(name)
    else if (ended === 'button') for (const id of this.#controls) this.#controlled.set(id, name)
    else {
      const list = this.#definitions.at(-1)
      if (list && name !== '' && (list.anchor !== null || /[?？]$/.test(name))) {
        this.#writer.beginPart(name, list.anchor ?? '')
        list.isOpen = true
      } else this.#writer.beginTerm(name)
    }
  }

  #openPanel(name: string, isHidden: boolean): void {
    this.#writer.endBlock()
    const from = this.#writer.length
    const isPart = name !== '' && this.#writer.tables === 0
    if (isPart) this.#writer.beginPart(name)
    this.#panels.push({
      depth: this.#depth,
      tables: this.#writer.tables,
      from,
      letters: this.#letters,
      linked: this.#linked,
      isHidden,
      isPart,
    })
  }

  #closePanel(panel: Panel): void {
    this.#writer.endBlock()
    const isMenu = this.#linked - panel.linked > MENU * (this.#letters - panel.letters)
    if (panel.isHidden && isMenu && this.#writer.tables === panel.tables) this.#writer.cutAt(panel.from)
    else if (panel.isPart) this.#writer.endPart()
  }

  /** Returns the name of a panel; empty: a heading names it; undefined: the element is no panel. */
  #nameOfPanel(attributes: Record<string, string>): string | undefined {
    const name = this.#controlled.get(attributes.id ?? '')
    return name || (this.#tabs.get(attributes['aria-labelledby'] ?? '') ?? name)
  }

  /** Tells whether an element is left out. Otherwise notes the panels that it controls, and opens the panel that it is. */
  #isLeftOut(name: string, attributes: Record<string, string>): boolean {
    if (isTab(attributes)) return true
    const ids = controlledBy(attributes)
    const isButton = name === 'button' && ids.length > 0
    if (isChrome(name, attributes, this.#marked.length > 0) && !isButton) return true
    if (isButton) {
      this.#controls = ids
      // The words of a button in a heading are the heading.
      if (this.#isInName) for (const id of ids) this.#controlled.set(id, '')
      else {
        this.#writer.endLine()
        this.#named = 'button'
      }
      return false
    }
    for (const id of ids) if (!this.#controlled.has(id)) this.#controlled.set(id, '')
    const control = this.#nameOfPanel(attributes)
    const isConcealed = isHidden(attributes)
    if (control !== undefined && this.#named === '') this.#openPanel(control, isConcealed)
    else if (isConcealed && !isOpenable(attributes)) {
      this.#hidden = 0
      return true
    }
    return false
  }
}

/** The number of letters by which an answer is recognised in a page. */
const RECOGNISED = 80

/** Adds the entries of a page's JSON-LD whose answers its text does not show. */
function withEntries(text: string, entries: readonly LinkedEntry[]): string {
  if (entries.length === 0) return text
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const shown = lettersOf(text)
  const added = entries.flatMap(({ name, text }) => {
    const answer = /<[a-z]/i.test(text)
      ? htmlToMarkdown(text).text
      : text.split('\n').map(escapeMarkdown).join('\n')
    const letters = lettersOf(answer).slice(0, RECOGNISED)
    if (letters === '' || shown.includes(letters)) return []
    const summary = escapeMarkdown(name.replace(/\s+/g, ' '))
    return [`<details>\n<summary>${summary}</summary>\n\n${answer}\n\n</details>`]
  })
  return [text, ...added].filter((part) => part !== '').join('\n\n')
}

/** The maximum span of a cell. More would only make a page large. */
const LARGEST_SPAN = 20

function spanOf(attribute: string | undefined): number {
  return Math.min(LARGEST_SPAN, Math.max(1, Number.parseInt(attribute ?? '1', 10) || 1))
}
