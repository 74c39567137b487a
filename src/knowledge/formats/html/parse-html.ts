import { type Handler, Parser } from 'htmlparser2'

/** The maximum number of open elements. No page that people read has more. */
const DEEPEST = 500
/** The number of characters that the parser gets at once, up to the next tag. */
const PIECE = 4096
const XHTML = /^\s*<\?xml\b|<html\b[^>]{0,500}\sxmlns\s*=/i
const HEAD = 2048
/** A document type with declarations of its own. */
const DECLARED = /^(\s{0,500}(?:<\?xml\b[^>]*>)?\s{0,500})<!DOCTYPE\b[^[>]*\[[^\]]*\]\s*>/i

/**
 * Parses HTML, and calls back for each tag and text. It builds no tree, so that neither depth nor size can overflow
 * anything.
 */
export function parseHtml(
  html: string,
  { onopentag, onclosetag, ontext }: Pick<Partial<Handler>, 'onopentag' | 'onclosetag' | 'ontext'>,
): void {
  const isXhtml = XHTML.test(html.slice(0, HEAD))
  const page = isXhtml ? html.replace(DECLARED, '$1') : html
  let open = 0
  const parser = new Parser(
    {
      onopentag(...tag) {
        open++
        onopentag?.(...tag)
      },
      onclosetag(...tag) {
        open--
        onclosetag?.(...tag)
      },
      ...(ontext ? { ontext } : {}),
    },
    // In XHTML, any element may close itself. What a document type declares is never read: entities stay as they are written.
    isXhtml ? { recognizeSelfClosing: true, recognizeCDATA: true } : {},
  )
  for (let at = 0; at < page.length; ) {
    const tag = page.indexOf('<', at + PIECE)
    const end = tag < 0 ? page.length : tag
    parser.write(page.slice(at, end))
    at = end
    // The more elements are open, the longer the parser takes for each tag. Beyond the limit, all are closed.
    if (open > DEEPEST) {
      parser.end()
      parser.reset()
    }
  }
  parser.end()
}
