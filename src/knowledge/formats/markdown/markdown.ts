import { type Block, codeBlock, DEEPEST_PART } from '../block.ts'
import type { Leave } from '../left-out.ts'
import { withLineFeeds } from '../line-feeds.ts'
import { raiseDigits } from '../raised-digits.ts'
import { tableBlock } from '../table-block.ts'
import { isAttributeList, splitAnchor } from './attribute-list.ts'
import { closesFence, FENCE, readsCode } from './fence.ts'

const ATX_HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/
const CLOSING_HASHES = /(?:^|[ \t])#+$/
const HTML_HEADING = /^\s*<h([1-6])([^>]*)>(.*)<\/h\1>\s*$/i
const ID = /\sid\s*=\s*["']?([^\s"'<>]{1,200})/i
/** The tags of a part that folds, whose `summary` is the name of the part. */
const PART_TAG = /((?<!\\)<\/?(?:details|summary)\b[^<>]{0,500}>)/i
const LONGEST_SUMMARY = 1000
/** Comments that only mark lines of code. */
const HIGHLIGHT = /^\s*(?:\/\/|#|<!--|\/\*|\{\/\*)\s*highlight-(?:next-line|start|end)\b/
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const LIST_ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const TABLE_RULE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:\s+\S/
const QUOTE = /^(?:\s{0,3}>\s?)+/
/** The target of a link. The address may contain pairs of parentheses. */
const TARGET = String.raw`(?:\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?:\s"[^"]{0,500}")?\)|\[[^[\]]{0,500}\])`
const IMAGE = new RegExp(String.raw`!\[([^[\]]{0,500})\]${TARGET}`, 'g')
const LINK = new RegExp(String.raw`\[([^[\]]{1,500})\]${TARGET}`, 'g')
const HTML_IMAGE = /<img\b[^<>]{0,2000}?\salt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')[^<>]{0,2000}>/gi
/** Text that is struck out. */
const STRUCK =
  /~~(?=\S).{1,500}?(?<=\S)~~|<(del|s|strike|[a-z]{1,20}(?=\s[^<>]{0,300}text-decoration[^<>;]{0,100}line-through))(?:\s[^<>]{0,500})?>.{1,500}?<\/\1>/gi
const RAISED = /(?<=\p{N})<sup(?:\s[^<>]{0,500})?>(\d{1,20})<\/sup>/giu
const EMPHASIS = /(\*{1,3})(?=\S)(.{1,500}?)(?<=\S)\1/g
/** GitHub's callouts: `[!NOTE]`, in other programs with a title. */
const CALLOUT = /^\s*\[![A-Za-z]+\][+-]?/
const IMAGE_ALONE = /!\[\s*\](?=[([])|<img\b(?![^<>]{0,2000}\salt\s*=\s*["'][^"'])/g

/**
 * Reads a Markdown text into its blocks. Markup is removed from running text, and wrapped lines are joined. Only what a
 * reader would see stays: comments, HTML tags and link targets are dropped.
 */
export function readMarkdown(source: string, leave: Leave = () => {}): Block[] {
  const lines = withoutComments(withLineFeeds(source).split('\n'))
  const blocks: Block[] = []
  let paragraph: string[] = []
  /** The open `details`, and whether each has its name. */
  const parts: { anchor: string | undefined; isNamed: boolean }[] = []
  /** The numbers of `details` around each question whose answer is being read. */
  const asked: number[] = []
  /** The name of a part as far as it was read. */
  let summary: string | null = null
  const endParagraph = () => {
    const block = readTable(paragraph) ?? { kind: 'text', text: readParagraph(paragraph) }
    if (block.text !== '') blocks.push(block)
    paragraph = []
  }
  const endAnswer = () => {
    if (asked.at(-1) !== parts.length) return
    asked.pop()
    blocks.push({ kind: 'end' })
  }
  const addHeading = (level: number, markdown: string, id?: string) => {
    const { text, anchor = id } = splitAnchor(markdown)
    endAnswer()
    blocks.push({ kind: 'heading', level, text: plainText(text), ...(anchor ? { anchor } : {}) })
  }
  const onPartTag = (tag: string) => {
    const [, slash, name] = /^<(\/?)(\w+)/.exec(tag.toLowerCase()) ?? []
    const part = parts.at(-1)
    if (name === 'details' && slash === '') {
      endParagraph()
      endAnswer()
      parts.push({ anchor: ID.exec(tag)?.[1], isNamed: false })
    } else if (name === 'details') {
      endParagraph()
      endAnswer()
      if (parts.pop()?.isNamed) blocks.push({ kind: 'end' })
    } else if (slash === '') summary = ''
    else if (summary !== null) {
      const text = plainText(summary.replace(/^\s*#{1,6}\s/, ''))
      summary = null
      endParagraph()
      if (text === '') return
      if (!part || part.isNamed || parts.length > DEEPEST_PART) blocks.push({ kind: 'text', text })
      else {
        blocks.push({ kind: 'part', text, ...(part.anchor ? { anchor: part.anchor } : {}) })
        part.isNamed = true
      }
    }
  }
  const onPartText = (text: string) => {
    if (summary === null) {
      if (text.trim() !== '') paragraph.push(text)
      return
    }
    summary += ` ${text}`
    if (summary.length <= LONGEST_SUMMARY) return
    paragraph.push(summary)
    summary = null
  }

  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(QUOTE, '')
    const fence = FENCE.exec(line)?.[1]
    const heading = ATX_HEADING.exec(line)
    const ofHtml = HTML_HEADING.exec(line)
    const [first = ''] = paragraph
    if (fence !== undefined) {
      endParagraph()
      const end = endOfFence(lines, at, fence)
      const code = codeBlock(
        withoutIndentation(lines.slice(at + 1, end).filter((line) => !HIGHLIGHT.test(line))),
      )
      if (code) blocks.push(code)
      at = end
    } else if (summary !== null || hasPartTag(line)) {
      for (const [index, piece] of line.split(PART_TAG).entries())
        index % 2 === 1 ? onPartTag(piece) : onPartText(piece)
    } else if (heading) {
      endParagraph()
      const [, mark = '', text = ''] = heading
      addHeading(mark.length, text.trim().replace(CLOSING_HASHES, ''))
    } else if (ofHtml) {
      endParagraph()
      const [, level, attributes = '', text = ''] = ofHtml
      addHeading(Number(level), text.trim(), ID.exec(attributes)?.[1])
    } else if (paragraph.length === 1 && SETEXT_UNDERLINE.test(line) && !LIST_ITEM.test(first)) {
      paragraph = []
      addHeading(line.includes('=') ? 1 : 2, first)
    } else if (line.trim() === '' || isRule(line)) {
      endParagraph()
    } else if (first === '' && isQuestion(line) && hasAnswer(lines, at)) {
      endAnswer()
      blocks.push({ kind: 'part', text: plainText(line) })
      asked.push(parts.length)
    } else if (!LINK_DEFINITION.test(line)) {
      leave('left_out_pictures', line.match(IMAGE_ALONE)?.length ?? 0)
      const text = line.replace(CALLOUT, '')
      if (text === line) paragraph.push(line)
      else if (text.trim() !== '') paragraph.push(`${text.trim()}  `)
    }
  }
  endParagraph()
  return blocks
}

/** Tells whether a line is a question in bold. */
function isQuestion(line: string): boolean {
  return (
    line.length <= LONGEST_SUMMARY && /^\s{0,3}(\*\*|__)(?=\S)(?:\\.|(?!\1)[^\\])+(?<=[?？])\1\s*$/.test(line)
  )
}

/** Tells whether there is a text below a question, before the next question or heading. */
function hasAnswer(lines: readonly string[], at: number): boolean {
  const below = lines.slice(at + 1, at + MOST_BLANK).find((line) => line.trim() !== '')
  return below !== undefined && !isQuestion(below) && !ATX_HEADING.test(below) && !hasPartTag(below)
}

/** The maximum number of blank lines above an answer. */
const MOST_BLANK = 5
const LONGEST_RULE = 1000

function isRule(line: string): boolean {
  return line.length <= LONGEST_RULE && RULE.test(line)
}

/** Tells whether a line has a tag of a part, rather than a mention of one. */
function hasPartTag(line: string): boolean {
  return /^\s*<\/?(?:details|summary)\b/i.test(line) || (!line.includes('`') && PART_TAG.test(line))
}

/** Code, an escaped mark, or a comment as far as it stands in one line. */
const COMMENT = /`[^`]*`|\\.|<!--(?:.*?-->|.*$)/g

/** Removes comments outside of code. */
function withoutComments(lines: readonly string[]): string[] {
  const isCode = readsCode()
  let isOpen = false
  return lines.flatMap((line) => {
    if (!isOpen && isCode(line)) return [line]
    const end = isOpen ? line.indexOf('-->') : 0
    if (end < 0) return []
    const rest = isOpen ? line.slice(end + 3) : line
    isOpen = false
    return [
      rest.replace(COMMENT, (all) => {
        if (!all.startsWith('<!--')) return all
        isOpen = !all.endsWith('-->')
        return ''
      }),
    ]
  })
}

const ESCAPED_OR_CODE = /\\([!-/:-@[-`{-~])|(`{1,3})(.{1,500}?)\2/g

/** Returns the text that a reader sees of inline Markdown. */
export function plainText(markdown: string): string {
  const verbatim: string[] = []
  const keep = (text: string) => `\uE000${verbatim.push(text) - 1}\uE000`
  return markdown
    .replace(ESCAPED_OR_CODE, (_, escaped?: string, _ticks?: string, code = '') =>
      keep(escaped ?? code.trim()),
    )
    .replace(STRUCK, '')
    .replace(RAISED, (_, digits: string) => raiseDigits(digits))
    .replace(IMAGE, '$1')
    .replace(LINK, '$1')
    .replace(HTML_IMAGE, ' $1$2 ')
    .replace(/<((?:https?|mailto):[^<>\s]{1,2000}|[^<>\s@]{1,64}@[^<>\s@]{1,255})>/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]{0,2000}>/g, '')
    .replace(/[ \t]?\{([^{}\n]{1,200})\}/g, (all, inner: string) => (isAttributeList(inner) ? '' : all))
    .replace(EMPHASIS, '$2')
    .replace(EMPHASIS, '$2') // within the first
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.{1,500}?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/\uE000(\d+)\uE000/g, (_, at: string) => verbatim[Number(at)] ?? '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

/** Reads a paragraph that ends with a table; null: it has none. */
function readTable(lines: readonly string[]): ReturnType<typeof tableBlock> | null {
  const rule = lines.findIndex(
    (line, at) => at > 0 && TABLE_RULE.test(line.trim()) && lines[at - 1]?.includes('|'),
  )
  if (rule < 1) return null
  const lead = readParagraph(lines.slice(0, rule - 1))
  // Programs write an empty head above tables that have none.
  return tableBlock(lead, readRow(lines[rule - 1] ?? ''), lines.slice(rule + 1).map(readRow))
}

/** Reads running text, with one line for each list item and hard break. Wrapped lines are joined. */
function readParagraph(lines: readonly string[]): string {
  const joined: { indent: string; text: string }[] = []
  let broken = true
  for (const line of lines) {
    const item = LIST_ITEM.exec(line)
    const last = joined.at(-1)
    if (item) {
      const [all, space = '', mark = ''] = item
      const marker = /\d/.test(mark) ? mark : '-'
      joined.push({ indent: `${space.slice(0, 8)}${marker} `, text: line.slice(all.length) })
    } else if (last && !broken) last.text += ` ${line.trim()}`
    else joined.push({ indent: '', text: line })
    broken = line.endsWith('  ') || line.endsWith('\\')
  }
  return joined
    .map(({ indent, text }) => ({ indent, plain: plainText(text.replace(/\\$/, '')) }))
    .filter(({ plain }) => plain !== '')
    .map(({ indent, plain }) => indent + plain)
    .join('\n')
}

function readRow(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plainText(cell.replaceAll('\\|', '|')))
}

function endOfFence(lines: string[], start: number, fence: string): number {
  for (let at = start + 1; at < lines.length; at++) {
    if (closesFence(lines[at] ?? '', fence)) return at
  }
  return lines.length
}

function withoutIndentation(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = indents.reduce((least, one) => Math.min(least, one), Infinity)
  return lines.map((line) => line.slice(indent)).join('\n')
}
