import { htmlToMarkdown } from '../html/html.ts'
import type { Leave } from '../left-out.ts'
import { closesFence, FENCE } from './fence.ts'

/** `!!! note "Title"` and `??? question "Title"` of MkDocs, above an indented text. */
const ADMONITION = /^(!!!|\?\?\?\+?)(?=[ \t])((?:[ \t]+[\w-]{1,50}){0,6})[ \t]*(?:"([^"]{0,300})"[ \t]*)?$/
/** `=== "Tab"`, above an indented text. */
const TAB = /^===[+!]{0,2}[ \t]+"([^"]{1,300})"[ \t]*$/
/** `:::note[Title]` of Docusaurus, `::: tip Title` of VitePress, `:::{note} Title` of MyST. */
const CONTAINER = /^(:{3,})[ \t]*(?:\{?([A-Za-z][\w.:-]{0,100})\}?)?(?:\[([^\n]{0,300})\])?([^\n]{0,500})$/
/** Containers whose text folds below their title. */
const FOLDS = /^(?:details|dropdown|spoiler|collapse|collapsible|accordion|faq)$/i
/** The lines that include another file, in the ways of MkDocs, VitePress, mdBook and Jekyll. */
const INCLUDE =
  /^(?:;?-{1,4}8<-{1,4}[ \t]+\S|<<<[ \t]+\S|\{\{#(?:rustdoc_)?include\b|\{%-?[ \t]*include\b|<!--[ \t]*@include:)/
const INCLUDES = /^-{1,4}8<-{1,4}[ \t]*$/
const CONTENTS = /^(?:\[TOC\]|\[\[_?TOC_?\]\]|\{:toc\}|\{\{[ \t]*toc[ \t]*\}\})$/i
const ATTRIBUTES = /^\{:?[ \t]*[.#:][^{}]{0,300}\}$/
const FOOTNOTE = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(.*)$/
const REFERENCE = /\[\^([^\]\s]{1,100})\]/g
const ABBREVIATION = /^\*\[([^\]]{1,100})\]:[ \t]*(\S.*)$/
const DEFINITION = /^ {0,3}:[ \t]+(\S.*)$/
const ICON = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]{1,80}:(?:\{[^{}]{0,100}\})?/g
/** Elements of HTML over several lines: tables are read as HTML, the others have no text. */
const ELEMENT = /^[ \t]*<(table|script|style)\b/i
const MOST_ELEMENT_LINES = 5000
const DEEPEST = 20
const LONGEST_MARK = 600

/** A text that ends where lines are indented less. */
interface Indented {
  indent: number
  /** The line of Markdown to write at its end. */
  end: string
  isDropped: boolean
}

/**
 * Makes plain Markdown of what generators of documentation add to it: admonitions, tabs, texts that fold, footnotes,
 * definitions and attributes. Texts that fold become `details`.
 */
export function toPlainMarkdown(markdown: string, leave: Leave): string {
  const lines = markdown.split('\n')
  const footnotes = readFootnotes(lines)
  const out: string[] = []
  const indented: Indented[] = []
  /** The lines of Markdown to write at the ends of the open containers. */
  const containers: string[] = []
  /** The footnotes of the present paragraph. */
  const noted: string[] = []
  let fence = ''
  let isIncluding = false
  /** False after an element without an end. The ends of later elements are then not searched for. */
  let elementsEnd = true
  /** The term whose definitions follow. */
  let term: string | null = null

  const endIndented = (indent: number) => {
    for (let last = indented.at(-1); last && indent < last.indent; last = indented.at(-1)) {
      indented.pop()
      out.push(fence, '', last.end, '')
      fence = ''
    }
  }
  const begin = (title: string, folds: boolean): string => {
    out.push('', ...(folds ? ['<details>', `<summary>${title || 'Details'}</summary>`] : [title]), '')
    return folds ? '</details>' : ''
  }
  const endParagraph = () => {
    for (const id of noted.splice(0)) {
      out.push('', footnotes.get(id) ?? '')
      footnotes.set(id, '')
    }
  }

  for (let at = 0; at < lines.length; at++) {
    const whole = lines[at] ?? ''
    const { indent, text } = measure(whole)
    /** The line, or an empty text if it is too long to be a mark. */
    const mark = text.length <= LONGEST_MARK ? text : ''
    const isBlank = text === ''
    if (!isBlank) endIndented(indent)
    const { indent: base = 0, isDropped = false } = indented.at(-1) ?? {}
    if (isDropped) continue
    const line = base === 0 ? whole : isBlank ? '' : ' '.repeat(indent - base) + text
    if (fence !== '') {
      out.push(line)
      if (closesFence(line, fence)) fence = ''
      continue
    }
    fence = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      out.push(line)
      continue
    }
    if (isIncluding || INCLUDES.test(text)) {
      if (INCLUDES.test(text))
        isIncluding = !isIncluding && lines.slice(at + 1, at + 50).some((line) => INCLUDES.test(line.trim()))
      else if (!isBlank) leave('left_out_includes')
      continue
    }
    if (isBlank) {
      endParagraph()
      out.push('')
      continue
    }
    if (INCLUDE.test(text)) {
      leave('left_out_includes')
      continue
    }
    const titled = readTitled(mark)
    if (titled && indented.length < DEEPEST) {
      indented.push({ indent: indent + 4, end: begin(titled.title, titled.folds), isDropped: false })
      continue
    }
    const container = mark.startsWith(':::') ? CONTAINER.exec(mark) : null
    if (container) {
      const [, , name = '', bracketed, rest = ''] = container
      const title = (bracketed ?? rest).replace(/\{[^{}]{0,300}\}\s*$/, '').trim()
      if (name === '' && title === '') out.push('', containers.pop() ?? '', '')
      else if (/\w\.\w/.test(name)) {
        leave('left_out_generated')
        indented.push({ indent: indent + 4, end: '', isDropped: true })
      } else if (containers.length < DEEPEST) containers.push(begin(title, FOLDS.test(name)))
      continue
    }
    if (CONTENTS.test(mark) || ATTRIBUTES.test(mark)) continue
    const [, note] = FOOTNOTE.exec(line) ?? []
    if (note !== undefined && footnotes.has(note)) {
      at = endOfFootnote(lines, at) - 1
      continue
    }
    const abbreviation = ABBREVIATION.exec(line)
    if (abbreviation) {
      out.push('', `${abbreviation[1]}: ${abbreviation[2]}`, '')
      continue
    }
    const definition = DEFINITION.exec(line)
    if (definition) {
      term ??= takeTerm(out)
      if (term !== null) {
        out.push(`- ${term}: ${definition[1]}`)
        continue
      }
    } else if (indent === base) term = null
    const element = elementsEnd ? ELEMENT.exec(line)?.[1] : undefined
    if (element !== undefined) {
      const end = endOfElement(lines, at, element)
      elementsEnd = end !== null
      if (end !== null) {
        out.push('', ...readElement(lines.slice(at, end + 1), leave), '')
        at = end
        continue
      }
    }
    out.push(withoutReferences(line, footnotes, noted).replace(ICON, ''))
  }
  endIndented(-1)
  endParagraph()
  for (const text of footnotes.values()) out.push('', text)
  return out.join('\n')
}

/** Reads the mark of an admonition or a tab: the title of the indented text below it, and whether that folds. */
function readTitled(mark: string): { title: string; folds: boolean } | null {
  const [, tab] = TAB.exec(mark) ?? []
  if (tab !== undefined) return { title: tab, folds: false }
  const admonition = ADMONITION.exec(mark)
  if (!admonition) return null
  const [, sign = '', kind = '', title] = admonition
  const folds = sign.startsWith('?')
  return { title: title ?? (folds ? capitalized(kind.trim()) : ''), folds }
}

/** Takes the references to footnotes from a line, and notes which they were. */
function withoutReferences(line: string, footnotes: ReadonlyMap<string, string>, noted: string[]): string {
  if (footnotes.size === 0) return line
  return line.replace(REFERENCE, (all, id: string) => {
    if (!footnotes.has(id)) return all
    noted.push(id)
    return ''
  })
}

/** Reads the texts of all footnotes. */
function readFootnotes(lines: readonly string[]): Map<string, string> {
  const footnotes = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    const [, id, text = ''] = line.includes('[^') ? (FOOTNOTE.exec(line) ?? []) : []
    if (id === undefined || footnotes.has(id)) continue
    const below = lines.slice(at + 1, endOfFootnote(lines, at)).map((line) => line.trim())
    footnotes.set(id, [text, ...below].join('\n').trim())
  }
  return footnotes
}

const MOST_FOOTNOTE_LINES = 100

/** Returns the line behind a footnote: its text goes on as long as lines are indented. */
function endOfFootnote(lines: readonly string[], start: number): number {
  let end = start + 1
  for (let at = end; at < Math.min(lines.length, start + MOST_FOOTNOTE_LINES); at++) {
    const line = lines[at] ?? ''
    if (/^(?: {2,}|\t)\S/.test(line)) end = at + 1
    else if (line.trim() !== '') break
  }
  return end
}

/** Reads an element of HTML as lines of Markdown. Its text may be Markdown itself. */
function readElement(lines: readonly string[], leave: Leave): string[] {
  return htmlToMarkdown(lines.join('\n'), leave, (line) => line).text.split('\n')
}

/** Returns the last line of an element; null: it has no end. */
function endOfElement(lines: readonly string[], start: number, name: string): number | null {
  const tag = `</${name.toLowerCase()}>`
  for (let at = start; at < Math.min(lines.length, start + MOST_ELEMENT_LINES); at++)
    if ((lines[at] ?? '').toLowerCase().includes(tag)) return at
  return null
}

/** Takes the last line from a text if it can be the term of a definition. */
function takeTerm(out: string[]): string | null {
  const at = out.at(-1) === '' ? out.length - 2 : out.length - 1
  const term = out[at]?.trim() ?? ''
  if (term === '' || /^(?:[-*+#>|<]|\d+[.)])/.test(term)) return null
  out.length = at
  return term
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Measures how far a line is indented. A tab goes on to the next multiple of four. */
function measure(line: string): { indent: number; text: string } {
  let indent = 0
  let at = 0
  for (; at < line.length; at++) {
    if (line[at] === ' ') indent++
    else if (line[at] === '\t') indent += 4 - (indent % 4)
    else break
  }
  return { indent, text: line.slice(at) }
}
