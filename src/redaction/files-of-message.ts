/** The files of a message, as far as redaction knows them. */
interface StoredFile {
  kind: string
  name: string | null
  transcript?: string | null
  state: string
}

/**
 * Returns the stored files of a message as they are once their bytes are deleted.
 * @param stored JSON array
 * @param redactText redacts what was said in a file; absent: that is deleted, too
 */
export function withoutFiles(stored: string, redactText?: (text: string) => string): string {
  const files = JSON.parse(stored) as StoredFile[]
  const deleted = files.map(({ transcript, ...file }) => ({
    ...file,
    name: null,
    ...(redactText && typeof transcript === 'string' ? { transcript: redactText(transcript) } : {}),
    state: 'deleted',
  }))
  return JSON.stringify(deleted)
}

/** Returns the text of a message that has files of some kinds and says nothing else. */
export function filesInWords(kinds: readonly string[]): string {
  return kinds.map((kind) => `[${kind}]`).join(' ')
}

/**
 * Returns the redacted content of a message whose files were deleted: placeholders for these stand before the text.
 * @param before its content before that, as JSON
 * @param after the content, redacted as text
 * @param stored its files after that
 */
export function contentWithoutFiles(before: string, after: string, stored: string): string {
  const text = JSON.parse(after) as unknown
  // Among the parts of a content, those with files have placeholders of their own.
  if (typeof text !== 'string') return after
  const deleted = (JSON.parse(stored) as StoredFile[]).filter(({ state }) => state === 'deleted')
  if (deleted.length === 0) return after
  const kinds = deleted.map(({ kind }) => kind)
  const placeholders = kinds.map((kind) => PLACEHOLDERS[kind] ?? '[FILE]').join(' ')
  const said: unknown = JSON.parse(before)
  if (said === placeholders || String(said).replace(WORDS_OF_FILES, '') === '')
    return JSON.stringify(placeholders)
  return text.startsWith(placeholders)
    ? after
    : JSON.stringify(`${placeholders} ${text.replace(WORDS_OF_FILES, '')}`)
}

/** The words before a text that stand for files, such as `[image]` or `[file: invoice.pdf]`. */
export const WORDS_OF_FILES = /^(?:\[(?:image|voice|video|file|sticker)(?:: (?:[^[\]]|\[[^\]]*\])*)?\]\s*)+/

const PLACEHOLDERS: Record<string, string> = { image: '[IMAGE]', sticker: '[IMAGE]', voice: '[VOICE]' }
