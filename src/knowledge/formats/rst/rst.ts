import { type Block, codeBlock, DEEPEST_PART } from '../block.ts'
import { readRows } from '../csv.ts'
import type { Leave } from '../left-out.ts'
import { tableBlock } from '../table-block.ts'
import { type RstTable, readGridTable, readSimpleTable } from './rst-tables.ts'
import { rstText, type Substitutions } from './rst-text.ts'

const PUNCTUATION = '!-/:-@[-`{-~'
const RULE = new RegExp(String.raw`^([${PUNCTUATION}])\1*$`)
const DIRECTIVE = /^\.\.[ ]+(?:\|([^|]{1,100})\|[ ]+)?([A-Za-z][\w:+.-]{0,80})::(?:[ ]+(.*))?$/
const LABEL = /^\.\. _([^:]{1,200}):[ ]*$/
const FOOTNOTE = /^\.\. \[(#?[\w.-]{0,100}|\*)\][ ]+(.*)$/
const FIELD = /^:([^:`]{1,100}):(?:[ ]+(.*))?$/
const OPTION = /^[ ]*:([\w-]{1,50}):[ ]*(.*)$/
const ITEM = /^(?:([-*+•])|(?:\d{1,5}|#|[A-Za-z]|[ivxIVX]{1,6})[.)]|\((?:\d{1,5}|[A-Za-z])\))[ ]+(?=\S)/
const DOCTEST = /^>>>[ ]/

/** Notes above a text, whose own title stands behind their name. */
const TITLED =
  /^(?:admonition|sidebar|topic|rubric|tab|tab-item|group-tab|centered|table|list-table|csv-table)$/
const FOLDS = /^(?:dropdown|collapse|details)$/
/** Directives whose argument is no text, only their content is. */
const AROUND = /^(?:container|rst-class|cssclass|only|ifconfig|tabs|tab-set|grid|grid-item|hlist|glossary)$/
const CODE = /^(?:code|code-block|sourcecode|parsed-literal|math|doctest|testcode|prompt|graphviz|mermaid)$/
const DROPPED =
  /^(?:toctree|contents|sectnum|index|highlight|currentmodule|module|py:module|py:currentmodule|default-domain|default-role|role|meta|sectionauthor|codeauthor|tabularcolumns|raw|title|header|footer|target-notes|testsetup|testcleanup)$/
const INCLUDED = /^(?:include|literalinclude|program-output|jinja)$/
const GENERATED =
  /^auto|^(?:currentlib|todolist|bibliography|click|argparse|openapi|plot|grid-item-card|exec)$/
const CHANGED: Readonly<Record<string, string>> = {
  versionadded: 'Added in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
  versionremoved: 'Removed in version',
}
/** Descriptions of functions, options and other things, whose signature is their name. */
const OBJECT =
  /^(?:[a-z]+:)?(?:function|class|method|staticmethod|classmethod|attribute|property|data|exception|decorator|option|cmdoption|envvar|confval|setting|macro|type|struct|member|var|program|describe|object)$/

/**
 * Reads reStructuredText into its blocks: headings by the order of their underlines, with the labels above them as anchors,
 * lists, tables and code. Of directives, the text is kept.
 */
export function readRst(source: string, leave: Leave = () => {}): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n').map(withoutTabs)
  const substitutions = readSubstitutions(lines)
  const styles: string[] = []
  let label = ''
  const inline = (text: string) => rstText(text, substitutions)
  return readBody(lines, 0)

  function readBody(lines: readonly string[], depth: number): Block[] {
    const blocks: Block[] = []
    /** The lines of the present list. */
    let list: string[] = []
    const endList = () => {
      if (list.length > 0) blocks.push({ kind: 'text', text: list.join('\n') })
      list = []
    }
    const add = (block: Block | null) => {
      endList()
      if (block && (block.kind !== 'text' || block.text !== '')) blocks.push(block)
    }
    /** Adds an item of a list, with its name and what stands in it. */
    const addItem = (mark: string, name: string, body: readonly string[]) => {
      const [first, ...rest] = readBody(body, depth + 1)
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

    for (let at = 0; at < lines.length; ) {
      const line = (lines[at] ?? '').trimEnd()
      if (line === '') {
        at++
        continue
      }
      // So deep, there are only paragraphs.
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
        const anchor = label === '' ? {} : { anchor: label }
        add({ kind: 'heading', level: styles.indexOf(style) + 1, text: inline(text), ...anchor })
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
        add(ofTable(table))
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
        const isNumbered = item[1] === undefined && !mark.startsWith('#')
        addItem(isNumbered ? `${mark.trim()} ` : '- ', '', [line.slice(mark.length), ...body])
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
      const next = lines[at + 1] ?? ''
      if (/^[ ]+\S/.test(next) && !line.startsWith('| ')) {
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
      const paragraph = lines.slice(at, end)
      at = end
      const text = line.startsWith('| ')
        ? paragraph.map((line) => inline(line.replace(/^\|[ ]?/, ''))).join('\n')
        : inline(joined(paragraph))
      if (!text.endsWith('::')) {
        add({ kind: 'text', text })
        continue
      }
      add({ kind: 'text', text: text === '::' ? '' : text.replace(/[ ]?::$/, ':') })
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

  function ofDirective(name: string, argument: string, body: readonly string[], depth: number): Block[] {
    if (DROPPED.test(name)) return []
    if (INCLUDED.test(name) || GENERATED.test(name)) {
      leave(INCLUDED.test(name) ? 'left_out_includes' : 'left_out_generated')
      return []
    }
    const { options, content } = splitOptions(body)
    const text = (source: string): Block[] => (source === '' ? [] : [{ kind: 'text', text: inline(source) }])
    if (/(?:^|:)(?:image|figure)$/.test(name)) {
      const alt = options.get('alt') ?? ''
      const caption = readBody(content, depth + 1)
      if (alt === '' && caption.length === 0) leave('left_out_pictures')
      return [...text(alt), ...caption]
    }
    if (CODE.test(name)) {
      const code = ofCode(content)
      return [...text(options.get('caption') ?? ''), ...(code ? [code] : [])]
    }
    const changed = CHANGED[name]
    if (changed !== undefined) {
      const [version = '', ...rest] = argument.split(' ')
      const said = `${changed} ${version}`
      const told = readBody([rest.join(' '), '', ...content], depth + 1)
      const [first, ...more] = told
      return first?.kind === 'text'
        ? [{ kind: 'text', text: `${said}: ${first.text}` }, ...more]
        : [{ kind: 'text', text: `${said}.` }, ...told]
    }
    if (name === 'list-table') return [...text(argument), ...ofListTable(content, options, depth)]
    if (name === 'csv-table') return [...text(argument), ...ofCsvTable(content, options)]
    if (OBJECT.test(name) && argument !== '' && depth < DEEPEST_PART) {
      const [signature = '', ...others] = [argument, ...overflowOf(body)]
      return [
        { kind: 'part', text: inline(signature) },
        ...others.flatMap(text),
        ...readBody(content, depth + 1),
        { kind: 'end' },
      ]
    }
    if (FOLDS.test(name) && argument !== '' && depth < DEEPEST_PART)
      return [{ kind: 'part', text: inline(argument) }, ...readBody(content, depth + 1), { kind: 'end' }]
    if (AROUND.test(name)) return readBody(content, depth + 1)
    if (TITLED.test(name)) return [...text(argument), ...readBody(content, depth + 1)]
    // Of other directives, what stands behind the name is the beginning of the text, as in `.. note:: Text`.
    return readBody([argument, ...(content[0] === '' || argument === '' ? [''] : []), ...content], depth + 1)
  }

  function ofTable({ head, rows }: Pick<RstTable, 'head' | 'rows'>): Block {
    const cell = (lines: readonly string[]) => inline(joined(lines))
    return tableBlock(
      '',
      head.map(cell),
      rows.map((row) => row.map(cell)),
    )
  }

  function ofListTable(content: readonly string[], options: Map<string, string>, depth: number): Block[] {
    const rows = itemsOf(content).map((row) =>
      itemsOf(row).map((cell) =>
        readBody(cell, depth + 2)
          .flatMap((block) => ('text' in block ? [block.text] : []))
          .join(' ')
          .replace(/\s+/g, ' '),
      ),
    )
    return [ofRows(rows, options)]
  }

  function ofCsvTable(content: readonly string[], options: Map<string, string>): Block[] {
    if (options.has('file') || options.has('url')) {
      leave('left_out_includes')
      return []
    }
    const read = (source: string) => readRows(source).map((row) => row.map(inline))
    const [header] = read(options.get('header') ?? '')
    const rows = read(content.join('\n'))
    return [header ? tableBlock('', header, rows) : ofRows(rows, options)]
  }
}

/** Makes a table of rows, the first of which names the columns if the options of the directive say so. */
function ofRows(rows: readonly (readonly string[])[], options: Map<string, string>): Block {
  const headers = Math.min(1, Number(options.get('header-rows') ?? 0) || 0)
  return tableBlock('', headers > 0 ? (rows[0] ?? []) : [], rows.slice(headers))
}

/** Makes a block of lines of code; null: all are blank. */
function ofCode(lines: readonly string[]): Block | null {
  const first = lines.findIndex((line) => line.trim() !== '')
  return first < 0 ? null : codeBlock(lines.slice(first).join('\n').trimEnd())
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

/** Reads a heading: a line above a row of one punctuation mark, which may also stand above it. */
function headingAt(
  lines: readonly string[],
  at: number,
): { text: string; style: string; end: number } | null {
  const [first = '', second = '', third = ''] = lines.slice(at, at + 3).map((line) => line.trimEnd())
  if (
    RULE.test(first) &&
    first.length >= 2 &&
    second.trim() !== '' &&
    third[0] === first[0] &&
    RULE.test(third)
  )
    return { text: second.trim(), style: `${first[0]}${first[0]}`, end: at + 3 }
  const text = first.trim()
  const isLine = RULE.test(second) && (second.length >= 4 || second.length >= text.length)
  if (!isLine || first.startsWith(' ') || /^\.\.[ ]/.test(first) || RULE.test(first) || second === '::')
    return null
  return { text, style: second[0] ?? '', end: at + 2 }
}

/** Returns the lines that are indented at least so far, without their indentation, and the line behind them. */
function bodyOf(lines: readonly string[], start: number, least: number): { body: string[]; end: number } {
  let end = start
  let last = start
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (line.trim() === '') continue
    if (indentOf(line) < least) break
    last = end + 1
  }
  const body = lines.slice(start, last)
  const indent = body.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))),
    Infinity,
  )
  return { body: body.map((line) => line.slice(Math.min(indent, line.length))), end: last }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function endOfParagraph(lines: readonly string[], start: number): number {
  let end = start + 1
  while (end < lines.length && !isBlank(lines[end])) end++
  return end
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

/** Splits the options of a directive from its text. */
function splitOptions(body: readonly string[]): { options: Map<string, string>; content: string[] } {
  const options = new Map<string, string>()
  let at = 0
  for (; at < body.length; at++) {
    const [, name, value = ''] = OPTION.exec(body[at] ?? '') ?? []
    if (name === undefined) break
    options.set(name, value.trim())
  }
  // The argument of a directive may go on in lines before its options.
  if (at === 0) {
    const option = body.findIndex((line, index) => index < 10 && OPTION.test(line))
    const blank = body.findIndex((line) => line.trim() === '')
    if (option > 0 && (blank < 0 || option < blank)) return splitOptions(body.slice(option))
  }
  return { options, content: body.slice(at) }
}

/** Returns further signatures of an object, which stand below the first one before a blank line. */
function overflowOf(body: readonly string[]): string[] {
  const option = body.findIndex((line) => OPTION.test(line))
  return option > 0 && body.slice(0, option).every((line) => line.trim() !== '')
    ? body.slice(0, Math.min(option, 10))
    : []
}

/** Returns the texts of the items of a list, each as its lines. */
function itemsOf(lines: readonly string[]): string[][] {
  const items: string[][] = []
  for (const line of lines) {
    const begins = /^[-*+](?:[ ]|$)/.test(line)
    if (begins) items.push([line.slice(2)])
    else items.at(-1)?.push(line.slice(Math.min(2, indentOf(line))))
  }
  return items
}

/** Returns the fragment that a label becomes on a page. */
function asId(label: string): string {
  return label
    .replace(/`/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '')
}

function withoutTabs(line: string): string {
  return line.replaceAll('\t', '        ')
}
