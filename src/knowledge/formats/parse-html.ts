import { type Handler, Parser } from 'htmlparser2'

/** No page that people read has more elements open at once. */
const DEEPEST = 500
/** How many characters the parser gets at once, up to the next tag. */
const PIECE = 4096

/**
 * Parses HTML, and calls back for each tag and text. No tree is built, so that neither depth nor size can overflow
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
    // The parser needs longer for each tag the more elements are open. Beyond the limit they are all closed.
    if (open > DEEPEST) {
      parser.end()
      parser.reset()
    }
  }
  parser.end()
}
