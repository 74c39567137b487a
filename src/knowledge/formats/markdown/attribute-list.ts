const LONGEST = 500
const ATTRIBUTE = /^(?:[#.][\w:.-]+|[\w:.-]+=(?:"[^"]*"|'[^']*'|[^\s"'=]+))$/
const TOKENS = /[\w:.#-]+(?:="[^"]*"|='[^']*'|=[^\s"']+)?|\S/g

/**
 * Tells whether what stands between braces is a list of attributes for the text before it, as Python-Markdown and kramdown
 * have them: `: .wide`, ` .button target="_blank"`.
 */
export function isAttributeList(inner: string): boolean {
  const isMarked = inner.startsWith(':')
  const tokens = (isMarked ? inner.slice(1) : inner).match(TOKENS) ?? []
  const isSure = isMarked || tokens.some((token) => /^\.|["']/.test(token))
  return isSure && tokens.every((token) => ATTRIBUTE.test(token))
}

/** Splits a heading from the anchor behind it: `{#name}`, `{: #name .class }`, or the `{/* #name *\/}` of MDX. */
export function splitAnchor(heading: string): { text: string; anchor?: string } {
  const text = heading.trimEnd()
  const open = text.endsWith('}') ? text.lastIndexOf('{') : -1
  if (open < 0 || text[open - 1] === '\\' || text.length - open > LONGEST) return { text: heading }
  const inner = text.slice(open + 1, -1).replace(/^\s*\/\*|\*\/\s*$/g, '')
  const id =
    /^:?\s*#([^\s{}#"']{1,200})\s*$/.exec(inner)?.[1] ?? (isAttributeList(inner) ? idIn(inner) : undefined)
  if (id === undefined && !isAttributeList(inner)) return { text: heading }
  return { text: text.slice(0, open).trimEnd(), ...(id ? { anchor: id } : {}) }
}

function idIn(inner: string): string | undefined {
  return /(?:^|\s)#([\w:.-]+)/.exec(inner)?.[1]
}
