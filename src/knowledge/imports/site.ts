import { because } from '../reasons.ts'
/** The pages that belong to an import. */
export interface Site {
  /** Returns the address that identifies a page; null: it is no page of the site. */
  pageAt(address: string): string | null
  /** Returns the reason for which a page is left out; null: it is not. */
  refusalOf(address: string): string | null
}

/** Query parameters that are added to addresses to track visitors. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|_ga|yclid|igshid)$/
/** Files that hold no text for people. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|json|xml|rss|atom|zip|gz|tgz|bz2|7z|rar|exe|dmg|apk|iso|mp[34]|m4[av]|ogg|wav|webm|mov|avi|woff2?|ttf|eot|xlsx?|pptx?|map)$/i
const LONGEST_ADDRESS = 2000

/**
 * Returns the pages of one site: those of the host of an address, with or without `www.`.
 * @param include patterns of which a page must match one, unless there are none
 * @param exclude patterns of which a page may match none
 */
export function siteOf(start: string, include: readonly string[], exclude: readonly string[]): Site {
  const host = hostOf(new URL(start))
  return {
    pageAt(address) {
      const url = URL.parse(address)
      if (!url || !/^https?:$/.test(url.protocol) || hostOf(url) !== host) return null
      if (url.username !== '' || url.password !== '' || NO_TEXT.test(url.pathname)) return null
      url.hash = ''
      for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
      return url.href.length > LONGEST_ADDRESS ? null : url.href
    },
    refusalOf(address) {
      const matches = (pattern: string) => matchesPattern(pattern, address)
      if (include.length > 0 && !include.some(matches)) return because('not_included')
      return exclude.some(matches) ? because('excluded') : null
    },
  }
}

/** Returns a host that is the same for http and https, and with or without `www.`. */
function hostOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}`
}

/**
 * Tells whether an address matches a pattern, in which `*` stands for anything. A pattern that begins with `/` is
 * compared with the path and the query, any other with the whole address.
 */
function matchesPattern(pattern: string, address: string): boolean {
  const { pathname, search, href } = new URL(address)
  return matchesGlob(comparable(pattern), comparable(pattern.startsWith('/') ? pathname + search : href))
}

/**
 * Returns an address, or a part or pattern of one, in the form in which RFC 9309 (2.2.2) compares paths: escapes for all
 * characters beyond ASCII, in upper case, and none for those that need none.
 */
export function comparable(text: string): string {
  const escaped = text.toWellFormed().replace(/[^\0-\x7f]+/g, encodeURIComponent)
  return escaped.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** Tells whether a text matches a glob. The time is proportional to the length of the text for each `*`. */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split(/\*+/)
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
