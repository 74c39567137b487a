import { Parser } from 'htmlparser2'

/** Elements that are not content: scripts and styles, and what surrounds every page of a site. */
const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'iframe',
  'head',
])
const VOID = new Set([
  'br',
  'hr',
  'img',
  'input',
  'meta',
  'link',
  'wbr',
  'source',
  'col',
  'area',
  'base',
  'embed',
  'track',
])
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'ul',
  'ol',
  'dl',
  'dt',
  'dd',
  'table',
  'blockquote',
  'figure',
  'figcaption',
  'body',
  'html',
  'details',
  'summary',
  'address',
])

/** No page that people read has more elements open at once. */
const DEEPEST = 500
/** How many characters the parser gets at once, up to the next tag. */
const PIECE = 4096

/**
 * Reads a page's content as Markdown: its headings, paragraphs, lists, tables and code, without what surrounds it on
 * the site. The parser calls back for each tag and builds no tree, so that neither depth nor size can overflow
 * anything.
 * @returns also the page's own title, if it has one
 */
export function htmlToMarkdown(html: string): { title: string | null; text: string } {
  const out: string[] = []
  let line = ''
  let title = ''
  let inTitle = false
  let skipped = 0
  /** Names of the open elements that are left out. Only the end tag of the same name ends one. */
  const skipping: string[] = []
  let open = 0
  let pre = 0
  let cells = 0

  function endLine(): void {
    const text = pre > 0 ? line.trimEnd() : line.replace(/\s+/g, ' ').trim()
    line = ''
    if (text !== '' && text !== '-') out.push(text)
  }

  function endBlock(): void {
    endLine()
    if (out.length > 0 && out.at(-1) !== '') out.push('')
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open++
        // A drawing has a title of its own, which is not the page's.
        if (name === 'title' && !skipping.includes('svg')) inTitle = true
        const isHidden =
          'hidden' in attributes ||
          attributes['aria-hidden'] === 'true' ||
          /display:\s*none/i.test(attributes.style ?? '')
        if (skipped > 0 || SKIPPED.has(name) || isHidden) {
          if (VOID.has(name)) return
          skipping.push(name)
          skipped++
          return
        }
        if (/^h[1-6]$/.test(name)) {
          endBlock()
          line = `${'#'.repeat(Number(name[1]))} `
        } else if (name === 'br') endLine()
        else if (name === 'li') {
          endLine()
          line = '- '
        } else if (name === 'tr') {
          endLine()
          cells = 0
        } else if (name === 'td' || name === 'th') line += cells++ > 0 ? ' | ' : ''
        else if (name === 'pre') {
          endBlock()
          out.push('```')
          pre++
        } else if (BLOCKS.has(name)) endBlock()
      },
      ontext(text) {
        if (inTitle) title += text
        if (skipped > 0) return
        if (pre === 0) {
          line += text
          return
        }
        const [first = '', ...rest] = text.split('\n')
        line += first
        for (const next of rest) {
          out.push(line)
          line = next
        }
      },
      onclosetag(name) {
        open--
        if (name === 'title') inTitle = false
        if (skipped > 0) {
          if (skipping.at(-1) === name) {
            skipping.pop()
            skipped--
          }
          return
        }
        if (name === 'pre' && pre > 0) {
          endLine()
          pre--
          out.push('```', '')
        } else if (/^h[1-6]$/.test(name) || BLOCKS.has(name)) endBlock()
        else if (name === 'li' || name === 'tr') endLine()
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
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
  endBlock()
  const named = title.replace(/\s+/g, ' ').trim()
  return { title: named === '' ? null : named, text: out.join('\n').trim() }
}
