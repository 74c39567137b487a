const REPLACEMENT = '\uFFFD'

/**
 * Makes an address whose path can be decoded. Escapes of NUL or of invalid UTF-8 become U+FFFD. No resource has such a
 * name, so the route answers as its interface says.
 */
export function readablePath(url: string): string {
  if (!url.includes('%')) return url
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.replace(/(?:%[0-9a-f]{2})+|%/gi, readable) + url.slice(path.length)
}

/** @param escapes one or more escapes in a row, or one that is cut off */
function readable(escapes: string): string {
  const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
  const text = bytes.length === 0 ? REPLACEMENT : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!text.includes(REPLACEMENT) && !text.includes('\u0000')) return escapes
  return encodeURIComponent(text.replaceAll('\u0000', REPLACEMENT))
}
