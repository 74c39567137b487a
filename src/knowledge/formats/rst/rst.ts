import { type Block, codeBlock, DEEPEST_PART } from '../block.ts'
import type { Leave } from '../left-out.ts'
import { withLineFeeds } from '../line-feeds.ts'
import { tableBlock } from '../table-block.ts'
import { directiveReader, ofCode, splitOptions } from './rst-directives.ts'
import { bodyOf, endOfParagraph, headingAt, isBlank, joined, RULE, withoutTabs } from './rst-lines.ts'
import { type RstTable, readGridTable, readSimpleTable } from './rst-tables.ts'
import { rstText, type Substitutions } from './rst-text.ts'

const DIRECTIVE = /^\.\.[ ]+(?:\|([^|]{1,100})\|[ ]+)?([A-Za-z][\w:+.-]{0,80})::(?:[ ]+(.*))?$/
const LABEL = /^\.\. _([^:]{1,200}):[ ]*$/
const FOOTNOTE = /^\.\. \[(#?[\w.-]{0,100}|\*)\][ ]+(.*)$/
const FIELD = /^:([^:`]{1,100}):(?:[ ]+(.*))?$/
const ITEM = /^(?:([-*+•])|(?:\d{1,5}|#|[A-Za-z]|[ivxIVX]{1,6})[.)]|\((?:\d{1,5}|[A-Za-z])\))[ ]+(?=\S)/
const DOCTEST = /^>>>[ ]/

/**
 * Reads reStructuredText into its blocks: headings by the order of their underlines, with the labels above them as anchors,
 * lists, tables and code. Of directives, the text is kept.
 */
export function readRst(source: string, leave: Leave = () => {}): Block[] {
  const lines = withLineFeeds(source).split('\n').map(withoutTabs)
  const substitutions = readSubstitutions(lines)
  const styles: string[] = []
  let label = ''
  const inline = (text: string) => rstText(text, substitutions)
  const ofDirective = directiveReader({ leave, inline, readBody })
  return readBody(lines, 0)

  function readBody(lines: readonly string[], depth: number): Block[] {
    const { blocks, add, addBlocks, endList } = collectBlocks()
    const addItem = (mark: string, name: string, body: readonly string[]) =>
      addBlocks(mark, name, readBody(body, depth + 1))

    for (let at = 0; at < lines.length; ) {
      const line = (lines[at] ?? '').trimEnd()
      if (line === '') {
        at++
        continue
      }
      // At this depth, everything is read as paragraphs.
      if (depth > DEEPEST_PART) {
        const end = endOfParagraph(lines, at)
        add({ kind: 'text', text: inline(joined(lines.slice(at, end))) })
        at = end
        continue
      }
      const heading = depth === 0 ? headingAt(lines, at) : null
      if (heading) {
        const { text, style, end } = heading
        if (!styles.includes(style)) styles.push(style)
        const level = styles.indexOf(style) + 1
        add({ kind: 'heading', level, text: inline(text), ...(label === '' ? {} : { anchor: label }) })
        label = ''
        at = end
        continue
      }
      if (line.startsWith(' ')) {
        const { body, end } = bodyOf(lines, at, 1)
        for (const block of readBody(body, depth + 1)) add(block)
        at = end
        continue
      }
      const table = readGridTable(lines, at) ?? readSimpleTable(lines, at)
      if (table) {
        add(ofTable(table, inline))
        at = table.end
        continue
      }
      if (/^\.\.(?:[ ]|$)/.test(line)) {
        const { body, end } = bodyOf(lines, at + 1, 1)
        for (const block of ofMarkup(line, body, depth)) add(block)
        at = end
        continue
      }
      if (/^__[ ]/.test(line) || (line.length >= 4 && RULE.test(line) && isBlank(lines[at + 1]))) {
        at++
        continue
      }
      const item = ITEM.exec(line)
      if (item) {
        const [mark] = item
        const { body, end } = bodyOf(lines, at + 1, mark.length)
        addItem(bulletOf(item), '', [line.slice(mark.length), ...body])
        at = end
        continue
      }
      const field = FIELD.exec(line)
      if (field) {
        const { body, end } = bodyOf(lines, at + 1, 1)
        const [, name = '', text = ''] = field
        if (!/^(?:orphan|tocdepth|nocomments|nosearch|hide-\w+)$/.test(name))
          addItem('- ', inline(name), [text, ...body])
        at = end
        continue
      }
      if (DOCTEST.test(line)) {
        const end = endOfParagraph(lines, at)
        add(codeBlock(lines.slice(at, end).join('\n')))
        at = end
        continue
      }
      if (/^[ ]+\S/.test(lines[at + 1] ?? '') && !line.startsWith('| ')) {
        const { body, end } = bodyOf(lines, at + 1, 1)
        if (line.endsWith('::')) {
          add({ kind: 'text', text: inline(line.slice(0, -1)) })
          add(ofCode(body))
        } else addItem('- ', inline(line), body)
        at = end
        continue
      }
      endList()
      label = ''
      const end = endOfParagraph(lines, at)
      const text = textOf(lines.slice(at, end), inline)
      at = end
      add({ kind: 'text', text: text === '::' ? '' : text.replace(/[ ]?::$/, ':') })
      if (!text.endsWith('::')) continue
      const literal = bodyOf(lines, at, 1)
      add(ofCode(literal.body))
      at = literal.end
    }
    endList()
    return blocks
  }

  /** Reads explicit markup: a directive, label, footnote or comment, with the indented lines below it. */
  function ofMarkup(line: string, body: readonly string[], depth: number): Block[] {
    const [, substituted, directive = '', argument = ''] = DIRECTIVE.exec(line) ?? []
    if (substituted !== undefined) return []
    if (directive !== '') return ofDirective(directive.toLowerCase(), argument.trim(), body, depth)
    const [, named] = LABEL.exec(line) ?? []
    if (named !== undefined) label = asId(named)
    const [, , note] = FOOTNOTE.exec(line) ?? []
    return note === undefined ? [] : readBody([note, ...body], depth + 1)
  }
}

/** Returns the mark of an item of a list: its number, if it has one of its own. */
function bulletOf([mark, bullet]: RegExpExecArray): string {
  return bullet === undefined && !mark.startsWith('#') ? `${mark.trim()} ` : '- '
}

/** Returns the text of a paragraph; one whose lines begin with a bar keeps them apart. */
function textOf(paragraph: readonly string[], inline: (text: string) => string): string {
  return paragraph[0]?.startsWith('| ')
    ? paragraph.map((line) => inline(line.replace(/^\|[ ]?/, ''))).join('\n')
    : inline(joined(paragraph))
}

/** Collects blocks, and the items of a list in one block. */
function collectBlocks() {
  const blocks: Block[] = []
  /** The lines of the present list. */
  let list: string[] = []
  function endList(): void {
    if (list.length > 0) blocks.push({ kind: 'text', text: list.join('\n') })
    list = []
  }
  function add(block: Block | null): void {
    endList()
    if (block && (block.kind !== 'text' || block.text !== '')) blocks.push(block)
  }
  /** Adds an item of a list, with its name and what stands in it. */
  function addBlocks(mark: string, name: string, [first, ...rest]: readonly Block[]): void {
    const begins = first?.kind === 'text' && !first.table
    const [line = '', ...more] = begins ? first.text.split('\n') : []
    list.push(`${mark}${[name, line].filter((part) => part !== '').join(': ')}`)
    for (const text of more) list.push(`  ${text}`)
    for (const block of begins || !first ? rest : [first, ...rest]) {
      if (block.kind === 'text' && !block.table)
        for (const text of block.text.split('\n')) list.push(`  ${text}`)
      else add(block)
    }
  }
  return { blocks, add, addBlocks, endList }
}

function ofTable({ head, rows }: Pick<RstTable, 'head' | 'rows'>, inline: (text: string) => string): Block {
  const cell = (lines: readonly string[]) => inline(joined(lines))
  return tableBlock(
    '',
    head.map(cell),
    rows.map((row) => row.map(cell)),
  )
}

/** Reads the texts that stand for others: `.. |name| replace:: text`. */
function readSubstitutions(lines: readonly string[]): Substitutions {
  const found = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('.. |')) continue
    const [, name, directive, text = ''] = DIRECTIVE.exec(line) ?? []
    if (name === undefined) continue
    const { body } = bodyOf(lines, at + 1, 1)
    const alt = splitOptions(body).options.get('alt') ?? ''
    const isText = directive === 'replace' || directive === 'unicode'
    found.set(name.trim().toLowerCase(), isText ? rstText(joined([text, ...body])) : alt)
  }
  return found
}

/** Returns the fragment that a label becomes on a page. */
function asId(label: string): string {
  return label
    .replace(/`/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '')
}
