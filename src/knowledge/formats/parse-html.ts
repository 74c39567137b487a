import { type Handler, Parser } from 'htmlparser2'

/** The maximum number of open elements. No page that people read has more. */
const DEEPEST = 500
/** The number of characters that the parser gets at once, up to the next tag. */
const PIECE = 4096

/**
 * Parses HTML, and calls back for each tag and text. It builds no tree, so that neither depth nor size can overflow
 * anything.
 */
export function parseHtml(
  html: string,
  { onopentag, onclosetag, ontext }: Pick<Partial<Handler>, 'onopentag' | 'onclosetag' | 'ontext'>,
): void {
  let open = 0
  const parser = new Parser({
    onopentag(...tag) {
      open++
      onopentag?.(...tag)
    },
    onclosetag(...tag) {
      open--
      onclosetag?.(...tag)
    },
    ...(ontext ? { ontext } : {}),
  })
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf('<', at + PIECE)
    const end = tag < 0 ? html.length : tag
    parser.write(html.slice(at, end))
    at = end
    // The more elements are open, the longer the parser takes for each tag. Beyond the limit, all are closed.
    if (open > DEEPEST) {
      parser.end()
      parser.reset()
    }
  }
  parser.end()
}
