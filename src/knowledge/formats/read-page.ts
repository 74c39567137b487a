import { htmlToMarkdown } from './html/html.ts'
import { parseHtml } from './html/parse-html.ts'
import { countLeftOut } from './left-out.ts'
import { splitAnchor } from './markdown/attribute-list.ts'
import { plainText } from './markdown/markdown.ts'
import { titleOf } from './read-document.ts'

/** The parts of a page that a crawl uses. */
export interface ReadPage {
  title: string | null
  /** Its main content, as Markdown. */
  text: string
  /** Notes on what was left out of it, in words for people. */
  notes: string[]
  /** The pages to which it links, as absolute addresses without fragments, each once. */
  links: string[]
  /** The address that it gives itself. */
  canonical: string | null
  /** The page's requests not to be found (`isHidden`), and not to have its links followed (`isDeadEnd`). */
  isHidden: boolean
  isDeadEnd: boolean
}

const MOST_LINKS = 5000
const LONGEST_LINK = 2000

/** Reads an HTML page that came from an address. */
export function readPage(html: string, address: string): ReadPage {
  const { leave, notes } = countLeftOut()
  const { title, text } = htmlToMarkdown(html, leave)
  const [, heading] = /^#{1,6} (.+)$/m.exec(text) ?? []
  const links = new Set<string>()
  let base = address
  let canonical: string | null = null
  let robots = ''

  function absolute(href: string | undefined): string | null {
    if (href === undefined || href.length > LONGEST_LINK) return null
    const url = URL.parse(href.trim(), base)
    if (!url || !/^https?:$/.test(url.protocol)) return null
    url.hash = ''
    return url.href.length > LONGEST_LINK ? null : url.href
  }

  parseHtml(html, {
    onopentag(name, { href, rel = '', name: named = '', content = '' }) {
      if (name === 'base') base = absolute(href) ?? base
      else if (name === 'meta' && named.toLowerCase() === 'robots') robots += `${content},`
      else if (name === 'link' && rel.toLowerCase() === 'canonical') canonical ??= absolute(href)
      else if ((name === 'a' || name === 'area') && !/\bnofollow\b/i.test(rel) && links.size < MOST_LINKS) {
        const link = absolute(href)
        if (link !== null) links.add(link)
      }
    },
  })
  const asked = robots.toLowerCase()
  return {
    title: titleOf(title, heading === undefined ? null : plainText(splitAnchor(heading).text)),
    text,
    notes: notes(),
    links: [...links],
    canonical,
    isHidden: /\b(?:noindex|none)\b/.test(asked),
    isDeadEnd: /\b(?:nofollow|none)\b/.test(asked),
  }
}
