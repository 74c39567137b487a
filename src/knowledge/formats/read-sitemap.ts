import { Parser } from 'htmlparser2'

/** The pages and the other sitemaps that a sitemap lists. */
export interface ReadSitemap {
  pages: string[]
  sitemaps: string[]
}

/** The maximum number of addresses of each kind, as the format allows. */
const MOST = 50_000

/** Reads a sitemap or an index of sitemaps. A text without markup is read as a list of addresses. */
export function readSitemap(text: string): ReadSitemap {
  const found: ReadSitemap = { pages: [], sitemaps: [] }
  if (!text.includes('<'))
    return {
      ...found,
      pages: text
        .split(/\s+/)
        .filter((line) => line !== '')
        .slice(0, MOST),
    }
  let within: 'pages' | 'sitemaps' | null = null
  let address: string | null = null
  const parser = new Parser(
    {
      onopentagname(name) {
        if (name === 'url') within = 'pages'
        else if (name === 'sitemap') within = 'sitemaps'
        else if (name === 'loc' && within !== null) address = ''
      },
      ontext(text) {
        if (address !== null && address.length < 4000) address += text
      },
      onclosetag(name) {
        if (name === 'loc' && address !== null && within !== null) {
          if (found[within].length < MOST) found[within].push(address.trim())
          address = null
        } else if (name === 'url' || name === 'sitemap') within = null
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  return found
}
