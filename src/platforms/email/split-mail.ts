import { createHash, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit'

/** A file in a mail, as the mail describes it. */
export interface MailFile {
  type: string
  name: string | null
  /** The number of its part, as IMAP counts (RFC 9051, section 6.4.5.1). */
  part: string
  encoding: string
  /** A hash of a picture that stands in the text, such as the logo below each mail of a company; null for other files. */
  inText: string | null
}

/** A mail without its files. */
interface SplitMail {
  /** The mail with the headers and the texts alone, which is a mail itself. */
  words: Buffer
  /** True if a text of the mail is plain; false: all of them are HTML. */
  hasPlain: boolean
  files: MailFile[]
  /** The number of files that are left out. */
  moreFiles: number
  /** A hash of the whole mail. */
  hash: string
}

/** The headers and texts that are read. */
const LONGEST_WORDS = 2 * 1024 * 1024
/** No provider takes mail of such a size. */
const LONGEST_MAIL = 64 * 1024 * 1024
/** Each line is compared with the boundaries of all parts around it. */
const MOST_NESTED = 32
const MOST_FILES = 20
/** Smaller pictures in a text are lines, dots and icons. */
const LEAST_IN_TEXT = 4096

const CALENDAR = /^(?:text\/calendar|application\/ics)$/
/** Parts that prove or describe others, and say nothing to people. */
const ABOUT_OTHERS = /^application\/(?:pgp-signature|pgp-encrypted|(?:x-)?pkcs7-signature)$/

/**
 * Splits a mail while its bytes come. The bytes of files are not kept.
 * @throws Error when it is no mail that can be read, for example because it has more than a thousand parts, or parts in
 *   more than 32 others; what reading the bytes throws
 */
export async function splitMail(raw: AsyncIterable<Uint8Array>): Promise<SplitMail> {
  const { Splitter } = await import('@zone-eu/mailsplit')
  const hash = createHash('sha256')
  const words = limitedWords()
  const found = new Map<MimeNode, FoundFile>()
  const texts = new Set<MimeNode>()
  let isReport = false
  await pipeline(hashed(raw, hash), new Splitter({ ignoreEmbedded: true }), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<SplitterChunk>) {
      if (chunk.type === 'node') {
        if (isNestedDeeper(chunk, MOST_NESTED)) throw new Error('the parts of the mail are nested too deeply')
        isReport ||= chunk.root && chunk.contentType === 'multipart/report'
        words.add(chunk.getHeaders())
        if (isText(chunk, texts.size === 0)) texts.add(chunk)
        else if (!isReport && isFile(chunk)) found.set(chunk, toFile(chunk))
      } else if (chunk.type === 'data' || isReport || texts.has(chunk.node)) words.add(chunk.value)
      else found.get(chunk.node)?.add(chunk.value)
    }
  })
  const files = keptFiles([...found.values()])
  return {
    words: words.all(),
    hasPlain: [...texts].some(({ contentType }) => contentType === 'text/plain'),
    files: files.slice(0, MOST_FILES),
    moreFiles: Math.max(0, files.length - MOST_FILES),
    hash: hash.digest('base64url'),
  }
}

async function* hashed(raw: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const bytes of raw) {
    hash.update(bytes)
    yield bytes
    size += bytes.length
    if (size >= LONGEST_MAIL) return
  }
}

function limitedWords() {
  const all: Uint8Array[] = []
  let left = LONGEST_WORDS
  return {
    add(bytes: Uint8Array | undefined): void {
      if (bytes === undefined || left === 0) return
      // A copy: otherwise a line of text would keep the piece of the mail that it came with.
      all.push(Buffer.from(bytes.subarray(0, left)))
      left -= Math.min(left, bytes.length)
    },
    all: () => Buffer.concat(all),
  }
}

function isNestedDeeper({ parentNode }: MimeNode, than: number): boolean {
  return parentNode !== false && (than === 0 || isNestedDeeper(parentNode, than - 1))
}

/** Tells whether a part is a text of the mail. Some programs attach a file of text in line: behind others, and named. */
function isText({ contentType, disposition, filename, parentNode }: MimeNode, isFirst: boolean): boolean {
  if ((contentType !== 'text/plain' && contentType !== 'text/html') || (disposition || 'inline') !== 'inline')
    return false
  return isFirst || !filename || (parentNode !== false && parentNode.contentType === 'multipart/alternative')
}

function isFile(node: MimeNode): boolean {
  const { multipart, parentNode } = node
  const type = node.contentType || ''
  if (multipart || ABOUT_OTHERS.test(type)) return false
  // Another form of the same text, for clients that know it.
  const isAlternative = parentNode !== false && parentNode.contentType === 'multipart/alternative'
  return !(isAlternative && type.startsWith('text/') && !CALENDAR.test(type))
}

interface FoundFile {
  file: MailFile
  /** Hashes the bytes of a picture in the text, as they stand in the mail. */
  add(bytes: Uint8Array | undefined): void
  /** Returns the file; null for a picture in the text that is too small to be one. */
  end(): MailFile | null
}

function toFile(node: MimeNode): FoundFile {
  const type = node.contentType || 'application/octet-stream'
  const { parentNode, disposition, encoding, filename, partNr } = node
  const isRelated = parentNode !== false && parentNode.contentType === 'multipart/related'
  const hash =
    type.startsWith('image/') && hasId(node) && (isRelated || disposition !== 'attachment')
      ? createHash('sha256')
      : null
  let size = 0
  const file = {
    type,
    name: filename || NAMES[type] || null,
    part: (partNr || []).join('.'),
    encoding: encoding || '',
    inText: null,
  }
  return {
    file,
    add(bytes) {
      if (!hash || !bytes) return
      // Programs break the lines of the same bytes differently.
      const line = Buffer.from(bytes).toString('latin1').replace(/\s/g, '')
      size += line.length
      hash.update(line)
    },
    end() {
      if (!hash) return file
      return (size * 3) / 4 < LEAST_IN_TEXT ? null : { ...file, inText: hash.digest('base64url') }
    },
  }
}

const NAMES: Partial<Record<string, string>> = {
  'message/rfc822': 'message.eml',
  'text/calendar': 'invite.ics',
  'application/ics': 'invite.ics',
}

function hasId({ headers }: MimeNode): boolean {
  return headers !== false && headers.hasHeader('content-id')
}

/** Leaves out what a mail has twice: a picture of its text, and an invitation, which comes as text and as a file. */
function keptFiles(found: readonly FoundFile[]): MailFile[] {
  const lastInvitation = found.findLast(({ file }) => CALENDAR.test(file.type))
  const seen = new Set<string>()
  return found.flatMap((one) => {
    if (CALENDAR.test(one.file.type) && one !== lastInvitation) return []
    const file = one.end()
    if (file === null || (file.inText !== null && seen.has(file.inText))) return []
    if (file.inText !== null) seen.add(file.inText)
    return file
  })
}
