import type { Leave } from '../left-out.ts'
import { readsCode } from './fence.ts'

const IMPORT = /^import\s+(?:[\w$*{},\s]{1,500}\sfrom\s+)?(["'])([^"'\n]{1,300})\1;?\s*$/
const EXPORT = /^export\s+(?:const|let|var|function|async|class|default)\s/
/** A file of text that another one shows as an element. */
const PARTIAL = /\.mdx?$/
/** The maximum numbers of lines and of tries to find the end of a statement that has blank lines in it. */
const LONGEST_STATEMENT = 500
const MOST_TRIES = 100

/**
 * Tells whether a Markdown file is MDX, as generators such as Docusaurus read all of them: outside of its code, it imports
 * or exports something, or has a comment of MDX.
 */
export function isMdx(markdown: string): boolean {
  const isCode = readsCode()
  return markdown
    .split('\n')
    .some((line) => !isCode(line) && (IMPORT.test(line) || EXPORT.test(line) || line.startsWith('{/*')))
}

/**
 * Makes Markdown of MDX: drops imports, exports, comments, expressions and elements, and keeps the text within elements. It
 * also keeps their `title` or `label`, such as the name of a tab. Elements that fold become `details`.
 * @param isWhole false for Markdown whose only foreign parts are elements with capital names
 */
export function withoutCode(mdx: string, leave: Leave = () => {}, isWhole = true): string {
  const partials = new Set<string>()
  const withoutElements = elementRemover(leave, partials, isWhole)
  const lines = mdx.split('\n')
  const out: string[] = []
  const isCode = readsCode()
  let text: string[] = []
  let tries = 0
  const endText = () => {
    if (text.length > 0) out.push(withoutElements(text.join('\n')))
    text = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (isCode(line)) {
      endText()
      out.push(line)
    } else if (isWhole && /^(?:import|export)\s/.test(line)) {
      const end = endOfStatement(at)
      for (const dropped of lines.slice(at, end)) {
        const isPartial = PARTIAL.test(IMPORT.exec(dropped)?.[2] ?? '')
        const name = isPartial && /^import\s+(\w+)/.exec(dropped)?.[1]
        if (name) partials.add(name)
      }
      at = end - 1
    } else text.push(line)
  }
  endText()
  return out.join('\n')

  /** Returns the line behind a statement: it ends at a blank line outside of its brackets. */
  function endOfStatement(start: number): number {
    let depth = 0
    let blank = 0
    const most = tries < MOST_TRIES ? start + LONGEST_STATEMENT : start + 1
    for (let at = start; at < lines.length; at++) {
      const line = lines[at] ?? ''
      if (line.trim() === '') {
        if (depth <= 0 || blank === 0) blank ||= at
        if (depth <= 0) return at
      }
      if (at >= most && blank > 0) break
      if (at < most) depth += depthOf(line)
    }
    tries++
    return blank > 0 ? blank : lines.length
  }
}

/** Counts the brackets that a line opens, less those that it closes. */
function depthOf(line: string): number {
  let depth = 0
  for (const mark of line) {
    if (mark === '{' || mark === '(' || mark === '[') depth++
    else if (mark === '}' || mark === ')' || mark === ']') depth--
  }
  return depth
}

const TAG = /<\/?(?:[A-Za-z][\w.-]*(?=[\s/>])|(?=>))/y
const CAPITAL_TAG = /<\/?[A-Z][\w.]*(?=[\s/>])/y
/** Elements of HTML that Markdown itself reads. */
const KEPT = /^(?:details|summary|h[1-6]|table|thead|tbody|tfoot|tr|th|td|caption)$/
/** Elements whose text folds below their name. */
const FOLDS = /^(?:accordion\w*|collaps\w*|details|expand\w*|disclosure|faq\w*|question)$/i
const LABELS = ['label', 'title', 'question', 'header', 'summary'] as const
const ATTRIBUTE = /\s([a-z]\w{0,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`]*)["'`]\s*\})/gi
/** The names of tabs in the element around them. */
const ITEMS = /\sitems\s*=\s*\{\s*\[([^\]]{0,1000})\]/
/** The maximum length of a tag or expression in characters. A longer one is text with a bracket in it. */
const LONGEST_CODE = 5000
/** The maximum number of brackets without an end. A text with more of them is no MDX. */
const MOST_OPEN = 1000
const MOST_FOLDED = 20

/** Returns a function that removes elements, and expressions in braces, from the parts of a text between its code. */
function elementRemover(
  leave: Leave,
  partials: ReadonlySet<string>,
  isWhole: boolean,
): (text: string) => string {
  /** The names of the open elements that fold. */
  const folded: string[] = []
  /** The names of tabs that the element around them has. */
  let items: string[] = []

  return (text) => {
    const out: string[] = []
    let kept = 0
    let open = 0
    for (let at = 0; at < text.length && open < MOST_OPEN; ) {
      const mark = text[at]
      if (mark === '`' || mark === '\\') {
        const end = mark === '`' ? text.indexOf('`', at + 1) + 1 : at + 2
        at = end === 0 ? text.length : end
        continue
      }
      // `{#name}` behind a heading is no expression.
      const isCode = mark === '<' || (mark === '{' && isWhole && text[at + 1] !== '#')
      const end = isCode ? endOfCode(text, at, isWhole ? TAG : CAPITAL_TAG) : null
      if (end === null) {
        at++
        if (isCode) open++
        continue
      }
      out.push(text.slice(kept, at))
      const code = text.slice(at, end)
      out.push(mark === '<' ? ofTag(code) : ofExpression(code))
      at = end
      kept = end
    }
    out.push(text.slice(kept))
    return out.join('')
  }

  function ofTag(tag: string): string {
    const [, slash = '', name = ''] = /^<(\/?)([\w.-]*)/.exec(tag) ?? []
    if (KEPT.test(name)) return tag
    if (slash !== '') {
      if (folded.at(-1) !== name) return ''
      folded.pop()
      return '\n\n</details>\n\n'
    }
    if (name === 'img' && !/\salt\s*=\s*["'{][^"']/.test(tag)) leave('left_out_pictures')
    const attributes = new Map(
      Array.from(tag.matchAll(ATTRIBUTE), ([, name = '', ...values]) => [name, values.join('').trim()]),
    )
    const isTab = /^tab(?:item|pane|panel)?$/i.test(name)
    const listed = ITEMS.exec(tag)?.[1]
    if (listed !== undefined)
      items = Array.from(listed.matchAll(/["'`]([^"'`]*)["'`]/g), ([, item = '']) => item)
    const label =
      LABELS.map((name) => attributes.get(name)).find(Boolean) ??
      (isTab ? (attributes.get('value') ?? items.shift()) : '')
    if (tag.endsWith('/>')) {
      if (!label && /^[A-Z]/.test(name))
        leave(partials.has(name) ? 'left_out_includes' : 'left_out_generated')
    } else if (label && FOLDS.test(name) && folded.length < MOST_FOLDED) {
      folded.push(name)
      return `\n\n<details>\n<summary>${label}</summary>\n\n`
    }
    return label ? `\n\n${label}\n\n` : ''
  }
}

/** Returns the text of an expression: of a string, and of the comment that gives a heading its anchor. */
function ofExpression(code: string): string {
  const anchor = /^\{\s*\/\*\s*(#[\w:.-]+)\s*\*\/\s*\}$/.exec(code)?.[1]
  if (anchor !== undefined) return `{${anchor}}`
  return /^\{\s*(["'`])([^"'`{}]*)\1\s*\}$/.exec(code)?.[2] ?? ''
}

/** Returns the end of the tag or expression that begins here; null: none begins here. */
function endOfCode(text: string, start: number, pattern: RegExp): number | null {
  const isTag = text[start] === '<'
  pattern.lastIndex = start
  if (isTag && !pattern.test(text)) return null
  let depth = 0
  let quote = ''
  const most = Math.min(text.length, start + LONGEST_CODE)
  for (let at = start + (isTag ? 1 : 0); at < most; at++) {
    const mark = text.charAt(at)
    if (quote !== '') {
      if (mark === quote) quote = ''
    } else if (mark === '{') depth++
    else if (mark === '}') {
      depth--
      if (!isTag && depth === 0) return at + 1
    } else if (isTag && depth === 0 && mark === '>') return at + 1
    else if ((mark === '"' || mark === "'" || mark === '`') && depth + Number(isTag) > 0) quote = mark
  }
  return null
}
