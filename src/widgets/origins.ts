import { z } from 'zod'

/** Any number of labels in front of a wildcard's host. */
const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const WILDCARD = 'https://*.'

/** An origin of a web site as a browser writes it, or `https://*.example.com` for all subdomains of a host. */
export const allowedOrigin = z
  .string()
  .max(300)
  .transform((text, context) => {
    const origin = normalOrigin(text)
    if (origin !== null) return origin
    context.addIssue('must be an origin such as https://shop.example or https://*.shop.example')
    return z.NEVER
  })

/** An origin or pattern in the one way of writing it; null when it is neither. */
function normalOrigin(text: string): string | null {
  const isPattern = text.toLowerCase().startsWith(WILDCARD)
  const url = URL.parse(isPattern ? `https://${text.slice(WILDCARD.length)}` : text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href !== `${url.origin}/`) return null
  if (url.host.includes('*')) return null
  if (!isPattern) return url.origin
  // A pattern such as https://*.com would allow everybody.
  const isDomain = /^[^.]+(?:\.[^.]+)*\.[^.]*[^.\d][^.]*$/.test(url.hostname)
  return isDomain ? WILDCARD + url.host : null
}

/** Whether a widget may be used on pages of an origin, as the header `Origin` has it. */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.some((pattern) => {
    if (!pattern.startsWith(WILDCARD)) return origin === pattern
    const end = `.${pattern.slice(WILDCARD.length)}`
    if (!origin.startsWith('https://') || !origin.endsWith(end)) return false
    return LABELS.test(origin.slice('https://'.length, -end.length))
  })
}
