/** The lines of a text that ends with a table. */
export interface TableParts {
  /** The lines above the table. */
  lead: string
  /** The names of the columns. */
  head: string
  rows: string[]
}

/** A piece of a Markdown text that belongs together. */
export type Block =
  | {
      kind: 'heading'
      level: number
      text: string
      /** Other ways to ask for the text below the heading. */
      questions?: string[]
    }
  | { kind: 'text'; text: string; table?: TableParts }
  /** Code, verbatim between fences. */
  | { kind: 'code'; text: string }

const FENCE = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})[^`]*$/
const ATX_HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/
const CLOSING_HASHES = /(?:^|[ \t])#+$/
const HTML_HEADING = /^\s*<h([1-6])[^>]*>(.*)<\/h\1>\s*$/i
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
/** GitHub's callouts: `[!NOTE]`. */
const CALLOUT = /^\s*\[![A-Z]+\]\s*$/

/**
 * Reads a Markdown text into its blocks. Markup is removed from running text, and wrapped lines are joined. Only what a
 * reader would see stays: comments, HTML tags and link targets are dropped.
 */
export function readMarkdown(source: string): Block[] {
  const lines = source
    .replace(/\r\n?/g, '\n')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    const table = readTable(paragraph)
    const text = table ? textOf(table) : readParagraph(paragraph)
    if (text !== '') blocks.push({ kind: 'text', text, ...(table ? { table } : {}) })
    paragraph = []
  }
  const addHeading = (level: number, markdown: string) => {
    blocks.push({ kind: 'heading', level, text: plainText(markdown) })
  }

  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(QUOTE, '')
    const fence = FENCE.exec(line)?.[1]
    const heading = ATX_HEADING.exec(line) ?? HTML_HEADING.exec(line)
    const [first = ''] = paragraph
    if (fence !== undefined) {
      endParagraph()
      const end = endOfFence(lines, at, fence)
      const code = withoutIndentation(lines.slice(at + 1, end))
      if (code.trim() !== '') blocks.push({ kind: 'code', text: `\`\`\`\n${code}\n\`\`\`` })
      at = end
    } else if (heading) {
      endParagraph()
      const [, mark = ''] = heading
      const text = (heading[2] ?? '').trim()
      addHeading(mark.startsWith('#') ? mark.length : Number(mark), text.replace(CLOSING_HASHES, ''))
    } else if (paragraph.length === 1 && SETEXT_UNDERLINE.test(line) && !LIST_ITEM.test(first)) {
      paragraph = []
      addHeading(line.includes('=') ? 1 : 2, first)
    } else if (line.trim() === '' || RULE.test(line)) {
      endParagraph()
    } else if (!LINK_DEFINITION.test(line) && !CALLOUT.test(line)) {
      paragraph.push(line)
    }
  }
  endParagraph()
  return blocks
}

/** Returns the text that a reader sees of inline Markdown. */
export function plainText(markdown: string): string {
  const verbatim: string[] = []
  const keep = (text: string) => `\uE000${verbatim.push(text) - 1}\uE000`
  return markdown
    .replace(/(`{1,3})(.{1,500}?)\1/g, (_, _ticks, code: string) => keep(code.trim()))
    .replace(/\\([!-/:-@[-`{-~])/g, (_, escaped: string) => keep(escaped))
    .replace(IMAGE, '$1')
    .replace(LINK, '$1')
    .replace(/<((?:https?|mailto):[^<>\s]{1,2000})>/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]{0,2000}>/g, '')
    .replace(/(\*{1,3}|~~)(?=\S)(.{1,500}?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.{1,500}?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/\uE000(\d+)\uE000/g, (_, at: string) => verbatim[Number(at)] ?? '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

/** Reads a paragraph that ends with a table; null: it has none. */
function readTable(lines: readonly string[]): TableParts | null {
  const rule = lines.findIndex(
    (line, at) => at > 0 && TABLE_RULE.test(line.trim()) && lines[at - 1]?.includes('|'),
  )
  if (rule < 1) return null
  const head = lines[rule - 1] ?? ''
  return {
    lead: readParagraph(lines.slice(0, rule - 1)),
    // Programs write an empty head above tables that have none.
    head: /^[\s|]*$/.test(head) ? '' : readRow(head),
    rows: lines.slice(rule + 1).map(readRow),
  }
}

function textOf({ lead, head, rows }: TableParts): string {
  return [lead, head, ...rows].filter((line) => line !== '').join('\n')
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
    .map(({ indent, text }) => indent + plainText(text.replace(/\\$/, '')))
    .filter((line) => line !== '')
    .join('\n')
}

function readRow(line: string): string {
  const cells = line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plainText(cell.replaceAll('\\|', '|')) || '–')
  return `- ${cells.join(' — ')}`
}

function endOfFence(lines: string[], start: number, fence: string): number {
  for (let at = start + 1; at < lines.length; at++) {
    if (closesFence(lines[at] ?? '', fence)) return at
  }
  return lines.length
}

/** Tells whether a line consists only of the fence's character, at least as many times, possibly after a `>`. */
function closesFence(line: string, fence: string): boolean {
  const mark = line.trim().replace(/^>\s*/, '')
  return mark.startsWith(fence) && mark.replaceAll(fence.charAt(0), '') === ''
}

function withoutIndentation(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = indents.reduce((least, one) => Math.min(least, one), Infinity)
  return lines.map((line) => line.slice(indent)).join('\n')
}
