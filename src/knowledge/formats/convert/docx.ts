import { inflateRawSync } from 'node:zlib'
import mammoth from 'mammoth'
import { because } from '../../reasons.ts'
import { htmlToMarkdown } from '../html/html.ts'
import { type Converted, MOST_TEXT } from './converted.ts'
import { packedBytes, readZipDirectory, type ZipEntry } from './zip-directory.ts'

const MOST_ENTRIES = 5000
/**
 * The maximum sizes of an unpacked archive and of the XML in it, in bytes. The text of a book takes some megabytes;
 * pictures hardly shrink when packed, and are not unpacked here.
 */
const MOST_UNPACKED = 300_000_000
const MOST_XML = 60_000_000
/**
 * The maximum factor by which XML shrinks when packed. Texts shrink to a thirtieth; what shrinks more than this was
 * made to exhaust memory.
 */
const MOST_SHRUNK = 150
const SMALL = 1_000_000

/** Reads a DOCX file as Markdown. Headers, footers and pictures are left out. */
export async function readDocx(given: Uint8Array): Promise<Converted> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const entries = readZipDirectory(bytes)
  if (!entries?.some(({ name }) => name === 'word/document.xml')) return { refused: because('no_docx') }
  const refused = refusalOf(bytes, entries)
  if (refused !== null) return { refused }
  const html = await mammoth
    .convertToHtml(
      { buffer: bytes },
      {
        externalFileAccess: false,
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: '', alt: '' })),
      },
    )
    .then(
      ({ value }) => value,
      () => null,
    )
  if (html === null) return { refused: because('broken_docx') }
  const { text } = htmlToMarkdown(html)
  if (text.length > MOST_TEXT) return { refused: because('too_long', { count: MOST_TEXT }) }
  return { content: text, format: 'markdown', title: null, notes: [] }
}

/**
 * Returns why an archive must not be unpacked; null: it may be. The sizes that its directory states for texts are
 * checked by unpacking them.
 */
function refusalOf(bytes: Buffer, entries: readonly ZipEntry[]): string | null {
  if (entries.length > MOST_ENTRIES) return `its archive has more than ${MOST_ENTRIES} entries`
  const texts = entries.filter(({ name }) => /\.(?:xml|rels)$/i.test(name))
  const isTooLarge =
    sumOf(entries) > MOST_UNPACKED ||
    sumOf(texts) > MOST_XML ||
    texts.some(({ packed, unpacked }) => unpacked > SMALL && unpacked > packed * MOST_SHRUNK)
  if (isTooLarge) return 'its archive is too large when it is unpacked'
  return texts.every((entry) => isAsSaid(bytes, entry)) ? null : 'its archive is not as its directory says'
}

function sumOf(entries: readonly ZipEntry[]): number {
  return entries.reduce((sum, { unpacked }) => sum + unpacked, 0)
}

/** Tells whether an entry has the size that the directory states, and unpacks no more than that. */
function isAsSaid(bytes: Buffer, entry: ZipEntry): boolean {
  const packed = packedBytes(bytes, entry)
  if (!packed || (entry.method !== 0 && entry.method !== 8)) return false
  if (entry.method === 0) return entry.packed === entry.unpacked
  try {
    const { length } = inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.unpacked) })
    return length === entry.unpacked
  } catch {
    return false
  }
}
