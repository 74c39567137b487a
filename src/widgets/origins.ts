import { z } from 'zod'

/** The labels, of any number, in front of a wildcard's host. */
const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const WILDCARD = 'https://*.'

/**
 * An origin, from any address of a web site, as a browser writes it, or `https://*.example.com` for all subdomains of a
 * host.
 */
export const allowedOrigin = z
  .string()
  .max(2000)
  .transform((text, context) => {
    const origin = normalOrigin(text)
    if (origin !== null) return origin
    context.addIssue('must be an origin such as https://shop.example or https://*.shop.example')
    return z.NEVER
  })

/** The longest name of a host, with room for scheme and port. */
const LONGEST_ORIGIN = 300

/** Returns an origin or pattern in its canonical form; null when the text contains none. */
function normalOrigin(text: string): string | null {
  // Browsers send `null` for pages without an origin, such as those from files: it is not a host.
  if (text.trim() === 'null') return null
  const address = withScheme(text.trim())
  const isPattern = address.toLowerCase().startsWith(WILDCARD)
  const url = URL.parse(isPattern ? `https://${address.slice(WILDCARD.length)}` : address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.host.includes('*')) return null
  // A reader of an address with a user name takes that name for the site.
  if (url.username !== '' || url.password !== '' || url.origin.length > LONGEST_ORIGIN) return null
  if (!isPattern) return url.origin
  // A pattern such as https://*.com would allow almost every site.
  const isDomain = /^[^.]+(?:\.[^.]+)*\.[^.]*[^.\d][^.]*$/.test(url.hostname)
  return isDomain ? WILDCARD + url.host : null
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?#]|$)/i

/** Adds the scheme that a copied address lacks: `www.shop.example/contact` becomes a site of https. */
function withScheme(address: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:\/)?\//i.test(address)) return address
  return `${LOOPBACK.test(address) ? 'http' : 'https'}://${address}`
}

/** True if a widget may be used on pages of an origin, as in the header `Origin`. */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.some((pattern) => {
    if (!pattern.startsWith(WILDCARD)) return origin === pattern
    const end = `.${pattern.slice(WILDCARD.length)}`
    if (!origin.startsWith('https://') || !origin.endsWith(end)) return false
    return LABELS.test(origin.slice('https://'.length, -end.length))
  })
}
