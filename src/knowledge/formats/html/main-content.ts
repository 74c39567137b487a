/** A part of a page that says that it is the content. */
export interface MarkedContent {
  /** The name of the element. */
  name: string
  /** The number of lines before it. */
  from: number
  /** The number of lines up to its end; below zero: it has none. */
  to: number
}

/** The minimum length of the text in `main` or `article` for that to be the page's content. */
const LEAST_MAIN = 200

/** Returns the lines of the page's main content, if the page marks it. */
export function mainContent(lines: readonly string[], parts: readonly MarkedContent[]): string {
  const main = textOf(parts.filter(({ name }) => name !== 'article'))
  if (main.length >= LEAST_MAIN) return main
  const all = joined(lines)
  const articles = textOf(parts.filter(({ name }) => name === 'article'))
  // If most of a page is outside of its articles, the page is about something else.
  return articles.length >= Math.max(LEAST_MAIN, all.length / 2) ? articles : all

  function textOf(parts: readonly MarkedContent[]): string {
    let end = 0
    const texts: string[] = []
    for (const { from, to } of parts) {
      const last = to < 0 ? lines.length : to
      texts.push(...lines.slice(Math.max(from, end), last))
      end = Math.max(end, last)
    }
    return joined(texts)
  }
}

/** Joins lines without the blank ones around them. The first one may be indented so that it is no markup. */
function joined(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
}
