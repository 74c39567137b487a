export type Inline =
  | string
  | { type: 'strong' | 'emphasis'; content: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'link'; text: string; url: string }
  /** A reference to a source, written `[1]`, where that many sources exist. */
  | { type: 'source'; number: number }

export type Block =
  | { type: 'paragraph' | 'heading'; text: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; content: Block[] }
  | { type: 'list'; start: number | null; items: Block[][] }
  | { type: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { type: 'rule' }

/** The most characters that are parsed. Longer texts are shown as written: nobody reads them, and parsing is slow. */
const LONGEST = 50_000
const DEEPEST = 8
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6} +(\S.*)$/
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3}(?:[-*+]|(\d{1,9})[.)])) (?=.*\S)/
const TABLE_LINE = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/

/** Reads the Markdown that agents and people write. Anything that is not Markdown stays plain text. */
export function readMarkdown(markdown: string): Block[] {
  if (markdown.length > LONGEST) return [{ type: 'paragraph', text: [markdown] }]
  return readBlocks(markdown.split('\n'), 0)
}

function readBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', text: readInlines(paragraph.join('\n')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const read = depth < DEEPEST ? readBlockAt(lines, at, depth, paragraph.length > 0) : null
    const line = lines[at] ?? ''
    if (read) {
      endParagraph()
      blocks.push(read[0])
      at = read[1]
    } else {
      if (line.trim() === '') endParagraph()
      else paragraph.push(line.trimStart())
      at++
    }
  }
  endParagraph()
  return blocks
}

/** A block, and the index of the line after it. */
type ReadBlock = [block: Block, next: number]

/** Reads a block other than a paragraph. @param inParagraph true if the line before belongs to a paragraph */
function readBlockAt(
  lines: readonly string[],
  at: number,
  depth: number,
  inParagraph: boolean,
): ReadBlock | null {
  const line = lines[at] ?? ''
  const fence = FENCE.exec(line)?.[1]
  if (fence) return readCode(lines, at, fence)
  const heading = HEADING.exec(line)?.[1]
  if (heading) return [{ type: 'heading', text: readInlines(heading) }, at + 1]
  if (RULE.test(line)) return [{ type: 'rule' }, at + 1]
  if (QUOTE.test(line)) return readQuote(lines, at, depth)
  const number = ITEM.exec(line)?.[2]
  // A line of a paragraph may begin with a year and a full stop.
  if (ITEM.test(line) && !(inParagraph && number !== undefined && number !== '1'))
    return readList(lines, at, depth)
  if (line.includes('|') && TABLE_LINE.test(lines[at + 1] ?? '') && lines[at + 1]?.includes('|'))
    return readTable(lines, at)
  return null
}

function readCode(lines: readonly string[], at: number, fence: string): ReadBlock {
  let end = at + 1
  while (end < lines.length && !lines[end]?.trimStart().startsWith(fence)) end++
  return [{ type: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1]
}

function readQuote(lines: readonly string[], at: number, depth: number): ReadBlock {
  let next = at
  while (next < lines.length && QUOTE.test(lines[next] ?? '')) next++
  const content = readBlocks(
    lines.slice(at, next).map((line) => line.replace(QUOTE, '')),
    depth + 1,
  )
  return [{ type: 'quote', content }, next]
}

function readList(lines: readonly string[], at: number, depth: number): ReadBlock {
  const [, , first] = ITEM.exec(lines[at] ?? '') ?? []
  const items: Block[][] = []
  let next = at
  for (;;) {
    const [marker = '', , number] = ITEM.exec(lines[next] ?? '') ?? []
    if (marker === '' || (number === undefined) !== (first === undefined)) break
    const item = [(lines[next] ?? '').slice(marker.length)]
    for (next++; next < lines.length; next++) {
      const line = lines[next] ?? ''
      const isInside = line.startsWith('  ') && line.trim() !== ''
      const goesOn = line.trim() === '' && /^ {2,}\S/.test(lines[next + 1] ?? '')
      if (!isInside && !goesOn) break
      item.push(line.startsWith(' '.repeat(marker.length)) ? line.slice(marker.length) : line.trimStart())
    }
    items.push(readBlocks(item, depth + 1))
    // Blank lines may separate items.
    if (lines[next]?.trim() === '' && ITEM.test(lines[next + 1] ?? '')) next++
  }
  return [{ type: 'list', start: first === undefined ? null : Number(first), items }, next]
}

function readTable(lines: readonly string[], at: number): ReadBlock {
  const head = readCells(lines[at] ?? '')
  const rows: Inline[][][] = []
  let next = at + 2
  for (; lines[next]?.includes('|'); next++) {
    rows.push(readCells(lines[next] ?? ''))
  }
  return [{ type: 'table', head, rows }, next]
}

function readCells(line: string): Inline[][] {
  const inside = line.trim().replace(/^\||\|$/g, '')
  return inside.split('|').map((cell) => readInlines(cell.trim()))
}

/** A mark whose end has not come yet, with the parts before it. */
interface Open {
  mark: string
  before: Inline[]
}

/**
 * An escaped character, code, a link, a source, a bare address, or a mark. None of them can begin inside a failed match
 * of another, so no character is read again and again.
 */
const TOKEN =
  /\\([!-/:-@[-`{-~])|`([^`]+)`|!?\[([^[\]\n]+)\]\(([^()\s<>]+(?:\([^()\s<>]*\)[^()\s<>]*)?)\)|\[(\d{1,2})\]|(?<!\w)(https?:\/\/[^\s<>"`|*]+)|\*\*?|__?/g

/** Reads inline Markdown; the time grows only with the length of the text. */
function readInlines(text: string): Inline[] {
  const tokens = new RegExp(TOKEN)
  const open: Open[] = []
  let parts: Inline[] = []
  let from = 0
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [whole, escaped, code, label, target, number, bare] = token
    const address = target ?? bare?.replace(/[.,;:!?_~'\])}]+$/, '')
    const url = address === undefined ? null : safeUrl(address)
    const before = text.slice(from, token.index)
    from = token.index + (bare && address ? address.length : whole.length)
    if (before) parts.push(before)
    if (code) parts.push({ type: 'code', text: code.trim() })
    else if (url !== null)
      parts.push({ type: 'link', text: label?.replace(/\*\*|__|`/g, '') ?? address ?? url, url })
    else if (number) parts.push({ type: 'source', number: Number(number) })
    else if (escaped ?? address) parts.push(escaped ?? text.slice(token.index, from))
    else readMark(whole, text[token.index - 1] ?? ' ', text[from] ?? ' ')
    tokens.lastIndex = from
  }
  if (from < text.length) parts.push(text.slice(from))
  while (open.length > 0) giveUp()
  return parts

  function readMark(whole: string, before: string, after: string): void {
    const isWord = whole.startsWith('_')
    const mayEnd = /\S/.test(before) && !(isWord && /\w/.test(after))
    // `***` ends the mark that was opened last.
    const isLast = mayEnd && whole.slice(1) === open.at(-1)?.mark
    const mark = isLast ? whole.slice(1) : whole
    if (isLast) from--
    const mayBegin = /\S/.test(after) && !(isWord && /\w/.test(before))
    if (mayEnd && open.some((one) => one.mark === mark)) {
      while (open.at(-1)?.mark !== mark) giveUp()
      const outside = open.pop()?.before ?? []
      outside.push({ type: mark.length === 2 ? 'strong' : 'emphasis', content: parts })
      parts = outside
    } else if (mayBegin && open.length < DEEPEST) {
      open.push({ mark, before: parts })
      parts = []
    } else parts.push(mark)
  }

  /** Turns the mark opened last into text, because it has no end. */
  function giveUp(): void {
    const { mark, before } = open.pop() ?? { mark: '', before: [] }
    before.push(mark)
    for (const part of parts) before.push(part)
    parts = before
  }
}

/** Returns an address that a click may open, or null: no scripts, and no relative paths into the page. */
export function safeUrl(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? href : null
}
