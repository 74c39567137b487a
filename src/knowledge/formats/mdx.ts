/**
 * Makes Markdown of MDX: drops imports, exports, comments and elements, and keeps the text within elements. It also
 * keeps their `title` or `label`, such as the name of a tab.
 */
export function withoutCode(mdx: string): string {
  let fence = ''
  let isCode = false
  const out: string[] = []
  let text: string[] = []
  const endText = () => {
    out.push(withoutElements(text.join('\n')))
    text = []
  }
  for (const line of mdx.split('\n')) {
    const [, mark = ''] = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== '') {
      out.push(line)
      if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    } else if (mark !== '') {
      endText()
      out.push(line)
      fence = mark
    } else {
      if (line.trim() === '') isCode = false
      else if (/^(?:import|export)\s/.test(line)) isCode = true
      if (!isCode) text.push(line)
    }
  }
  endText()
  return out.join('\n')
}

const TAG = /<\/?(?:[A-Za-z][\w.-]*(?=[\s/>])|(?=>))/y
const SPOKEN = /(?:^|\s)(?:title|label)\s*=\s*(?:"([^"]*)"|'([^']*)')/
/** The maximum length of a tag or expression in characters. A longer one is text with a bracket in it. */
const LONGEST_CODE = 5000
/** The maximum number of brackets without an end. A text with more of them is no MDX. */
const MOST_OPEN = 1000

/** Removes elements, and expressions in braces, from a text without fences. */
function withoutElements(text: string): string {
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
    const end = mark === '<' || mark === '{' ? endOfCode(text, at) : null
    if (end === null) {
      at++
      if (mark === '<' || mark === '{') open++
      continue
    }
    out.push(text.slice(kept, at))
    const [, quoted, single] = SPOKEN.exec(mark === '<' ? text.slice(at, end) : '') ?? []
    const spoken = quoted ?? single
    if (spoken) out.push(`\n\n${spoken}\n\n`)
    at = end
    kept = end
  }
  out.push(text.slice(kept))
  return out.join('')
}

/** Returns the end of the tag or expression that begins here; null: none begins here. */
function endOfCode(text: string, start: number): number | null {
  const isTag = text[start] === '<'
  TAG.lastIndex = start
  if (isTag && !TAG.test(text)) return null
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
