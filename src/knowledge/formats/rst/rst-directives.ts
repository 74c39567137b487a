import { type Block, codeBlock, DEEPEST_PART } from '../block.ts'
import { readRows } from '../csv.ts'
import type { Leave } from '../left-out.ts'
import { tableBlock } from '../table-block.ts'
import { Unreadable } from '../unreadable.ts'
import { indentOf } from './rst-lines.ts'

/** An option of a directive. A role, as in :ref:`Text`, has no space behind its name. */
const OPTION = /^[ ]*:([\w-]{1,50}):(?:[ ]+(.*))?$/

/** Directives whose argument is a title, which becomes a text of its own. */
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
/** Directives that describe a function, an option or another object. Its signature becomes the name of a part. */
const OBJECT =
  /^(?:[a-z]+:)?(?:function|class|method|staticmethod|classmethod|attribute|property|data|exception|decorator|option|cmdoption|envvar|confval|setting|macro|type|struct|member|var|program|describe|object)$/

/** The parts of the reader that a directive is read with. */
interface Reader {
  leave: Leave
  /** Reads the markup within a line. */
  inline: (text: string) => string
  readBody: (lines: readonly string[], depth: number) => Block[]
}

/** Creates the reader of directives. It gets a directive's name, its argument, its indented lines, and how deep it stands. */
export function directiveReader({ leave, inline, readBody }: Reader) {
  return ofDirective

  function ofDirective(name: string, argument: string, body: readonly string[], depth: number): Block[] {
    if (DROPPED.test(name)) return []
    if (INCLUDED.test(name) || GENERATED.test(name)) {
      leave(INCLUDED.test(name) ? 'left_out_includes' : 'left_out_generated')
      return []
    }
    const { above, options, content } = splitOptions(body)
    const title = [argument, ...above.map((line) => line.trim())].join(' ').trim()
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
    if (name === 'list-table') return [...text(title), ...ofListTable(content, options, depth)]
    if (name === 'csv-table') return [...text(title), ...ofCsvTable(content, options)]
    if (OBJECT.test(name) && argument !== '' && depth < DEEPEST_PART) {
      const [signature = '', ...others] = [argument, ...above]
      return [
        { kind: 'part', text: inline(signature) },
        ...others.flatMap(text),
        ...readBody(content, depth + 1),
        { kind: 'end' },
      ]
    }
    if (FOLDS.test(name) && title !== '' && depth < DEEPEST_PART)
      return [{ kind: 'part', text: inline(title) }, ...readBody(content, depth + 1), { kind: 'end' }]
    if (AROUND.test(name)) return readBody(content, depth + 1)
    if (TITLED.test(name)) return [...text(title), ...readBody(content, depth + 1)]
    // The argument of any other directive begins its text, as in `.. note:: Text`.
    const parting = content[0] === '' || argument === '' ? [''] : []
    return readBody([argument, ...above, ...parting, ...content], depth + 1)
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
    const head = options.get('header') ?? ''
    try {
      const [header] = read(head)
      const rows = read(content.join('\n'))
      return [header ? tableBlock('', header, rows) : ofRows(rows, options)]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      // A broken table keeps its text, and the document its other parts.
      const lines = [head, ...content].filter((line) => line.trim() !== '')
      return [{ kind: 'text', text: lines.map(inline).join('\n') }]
    }
  }
}

/** Makes a table of rows, the first of which names the columns if the options of the directive say so. */
function ofRows(rows: readonly (readonly string[])[], options: Map<string, string>): Block {
  const headers = Math.min(1, Number(options.get('header-rows') ?? 0) || 0)
  return tableBlock('', headers > 0 ? (rows[0] ?? []) : [], rows.slice(headers))
}

/** Makes a block of lines of code; null: all are blank. */
export function ofCode(lines: readonly string[]): Block | null {
  const first = lines.findIndex((line) => line.trim() !== '')
  return first < 0 ? null : codeBlock(lines.slice(first).join('\n').trimEnd())
}

/**
 * Splits the options of a directive from its text, and from the lines above them, which go on with its argument.
 */
export function splitOptions(body: readonly string[]): {
  above: string[]
  options: Map<string, string>
  content: string[]
} {
  const first = body.findIndex((line, index) => index < 10 && OPTION.test(line))
  const blank = body.findIndex((line) => line.trim() === '')
  const from = first > 0 && (blank < 0 || first < blank) ? first : 0
  const options = new Map<string, string>()
  let at = from
  for (; at < body.length; at++) {
    const [, name, value = ''] = OPTION.exec(body[at] ?? '') ?? []
    if (name === undefined) break
    options.set(name, value.trim())
  }
  return { above: body.slice(0, from), options, content: body.slice(at) }
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
