import type { DocumentFormat } from './read-document.ts'

/** The number of bytes within which a page declares its encoding. */
const HEAD_BYTES = 2048
const META = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:-]+)/i
const XML = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:-]+)/i

/**
 * Decodes a text: by its byte order mark, by the encoding that the server or the page declares, otherwise as UTF-8. A
 * page that fits neither is decoded leniently, as in browsers: in the declared encoding, or else in Windows-1252.
 * @param charset the encoding that the server declares
 * @returns null for bytes that are no text in UTF-8
 */
export function decodeText(bytes: Uint8Array, format: DocumentFormat, charset?: string): string | null {
  const marked = markOf(bytes)
  if (marked !== null) return decode(bytes, marked, false)
  const told = charset ?? (format === 'html' ? charsetOfPage(bytes) : undefined)
  // A page whose declaration could be read byte by byte is not in UTF-16.
  const encoding = told && /^utf-?16/i.test(told) && charset === undefined ? 'utf-8' : told
  const exact = encoding === undefined ? null : decode(bytes, encoding, true)
  if (exact !== null) return exact
  return (
    decode(bytes, 'utf-8', true) ??
    (format === 'html' ? decode(bytes, encoding ?? 'windows-1252', false) : null)
  )
}

/**
 * Decodes a text in Windows-1252, in which older programs of Western languages write. Returns null for bytes that do not
 * look like one: those with control characters, and those with more other characters than Latin letters.
 */
export function decodeWestern(bytes: Uint8Array): string | null {
  const text = new TextDecoder('windows-1252').decode(bytes)
  const isPlain = !/[^\t\n\f\r\P{Cc}]/u.test(text)
  return isPlain && count(text, /[a-z]/gi) >= count(text, /[^\0-\x7f]/g) ? text : null
}

function count(text: string, pattern: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(pattern)) found++
  return found
}

function markOf([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

function charsetOfPage(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  return (META.exec(head) ?? XML.exec(head))?.[1]
}

/** Decodes bytes; null: there is no such encoding or, where `fatal`, the bytes are not in it. */
function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}
