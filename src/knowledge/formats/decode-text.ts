import type { DocumentFormat } from '../read-document.ts'

/** A page tells its encoding within this many bytes. */
const HEAD_BYTES = 2048
const META = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:-]+)/i

/**
 * Decodes a text: by the mark at its beginning, by what the server or the page says, otherwise as UTF-8. Pages that are
 * neither are from Windows, as browsers take them.
 * @param charset what the server says
 * @returns null for bytes that are no text in UTF-8
 */
export function decodeText(bytes: Uint8Array, format: DocumentFormat, charset?: string): string | null {
  const marked = markOf(bytes)
  if (marked !== null) return decode(bytes, marked, false)
  const told = charset ?? (format === 'html' ? charsetOfPage(bytes) : undefined)
  // A page in UTF-16 that could be read so far is not in UTF-16.
  const encoding = told && /^utf-?16/i.test(told) && charset === undefined ? 'utf-8' : told
  const exact = encoding === undefined ? null : decode(bytes, encoding, true)
  if (exact !== null) return exact
  return (
    decode(bytes, 'utf-8', true) ??
    (format === 'html' ? decode(bytes, encoding ?? 'windows-1252', false) : null)
  )
}

function markOf([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

function charsetOfPage(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  return META.exec(head)?.[1]
}

/** Null: there is no such encoding, or the bytes are not in it. */
function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes)
  } catch {
    return null
  }
}
