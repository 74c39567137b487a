import { isObject, type JsonObject } from '../lib/untrusted-json.ts'
import type { ContentPart, MessageContent } from './model.ts'
import { textOfContent } from './text-of-content.ts'

/** The form in which a content part held its data, without the data: words of the protocol. */
export interface PartForm {
  type: 'image_url' | 'input_audio' | 'file'
  /** The media type that its sender named. */
  media?: string
  detail?: string
  format?: string
}

/** The data of a content part, and the form in which it was there. */
export interface DataOfPart {
  form: PartForm
  bytes: Buffer
  name: string | null
}

const MEDIA = /^data:([a-z]{1,16}\/[\w.+-]{1,64})[;,]/i
const DATA_URL = /^data:[^,]{0,300};base64,/i
const BASE64 = /^[\w+/-]+={0,2}$/
/**
 * The address of something that a server would have to fetch. Parsers of addresses leave out controls before it, and ends
 * of lines within it.
 */
const ADDRESS = /^[\s\p{Cc}]*(?!data:)[a-z][\w+.\-\t\r\n]*:/iu
/** The types of parts with texts, in all protocols. */
const OF_TEXT = /^(?:(?:input_|output_)?text|refusal)$/
/** The fields with addresses in parts that only some servers know, such as `video_url`. */
const OF_ADDRESS = /ur[il]$/i

/** Returns the data of a content part that holds a picture, a sound or a file in base64; null: it holds none. */
export function dataOfPart(part: ContentPart): DataOfPart | null {
  const held = heldBy(part)
  if (!held) return null
  const base64 = base64In(held.data)
  if (base64 === null) return null
  const media = MEDIA.exec(held.data)?.[1]?.toLowerCase()
  const { detail, format, filename } = held.fields
  return {
    form: {
      type: held.type,
      ...(media ? { media } : {}),
      ...(isWord(detail) ? { detail } : {}),
      ...(isWord(format) ? { format } : {}),
    },
    bytes: Buffer.from(base64, 'base64'),
    name: typeof filename === 'string' ? filename : null,
  }
}

/** Tells whether a content part of any type holds an address in the place of data. */
export function holdsAddress(part: ContentPart): boolean {
  const held = heldBy(part)
  if (held) return ADDRESS.test(held.data)
  return !OF_TEXT.test(part.type) && namesAddress(part)
}

/** Tells whether an address stands anywhere in a part that is not known. */
function namesAddress(part: ContentPart): boolean {
  const pending: object[] = [part]
  for (let fields = pending.pop(); fields; fields = pending.pop())
    for (const [key, value] of Object.entries(fields)) {
      if (typeof value === 'string' && OF_ADDRESS.test(key) && ADDRESS.test(value)) return true
      if (typeof value === 'object' && value !== null) pending.push(value)
    }
  return false
}

/**
 * Returns what is wrong with the data of a content part, and in which field; null: nothing. A part of another type is
 * refused only for an address in it.
 */
export function faultOfPart(part: ContentPart): { path: string[]; why: string } | null {
  const type = part.type as PartForm['type']
  if (!(type in DATA_FIELDS)) return holdsAddress(part) ? { path: [type], why: NOT_FETCHED } : null
  // Clients may send a message back that they got from Parley: its file is named by its id.
  if (part[type] === undefined && typeof part.attachment_id === 'string') return null
  const why = faultOfData(heldBy(part)?.data)
  return why === null ? null : { path: isObject(part[type]) ? [type, DATA_FIELDS[type]] : [type], why }
}

/** Returns the fault of data that should be base64; null: none. */
export function faultOfData(data: unknown): string | null {
  if (typeof data !== 'string') return NO_DATA
  if (ADDRESS.test(data)) return NOT_FETCHED
  return base64In(data) === null ? 'must hold data in base64' : null
}

const NOT_FETCHED = 'must hold its data in base64: addresses are not fetched'
/** The error for a part without data, such as one that names an uploaded file. */
export const NO_DATA = 'is missing. Files are sent whole: none are uploaded here'

/** Returns a content part with its data as it was sent. */
export function partWithData(
  { type, media, detail, format }: PartForm,
  base64: string,
  name: string | null,
): ContentPart {
  const data = media ? `data:${media};base64,${base64}` : base64
  switch (type) {
    case 'image_url':
      return { type, image_url: { url: data, ...(detail ? { detail } : {}) } }
    case 'input_audio':
      return { type, input_audio: { data, ...(format ? { format } : {}) } }
    case 'file':
      return { type, file: { ...(name === null ? {} : { filename: name }), file_data: data } }
  }
}

/** Tells whether a content has parts that are no text. */
export function hasFiles(content: MessageContent): content is ContentPart[] {
  return Array.isArray(content) && content.some(isFile)
}

/** Tells whether a content part is a picture, a sound or a file. */
export function isFile({ text, refusal }: ContentPart): boolean {
  return typeof text !== 'string' && typeof refusal !== 'string'
}

/** Returns a content as a text, with words such as `[image]` in place of what is no text. */
export function inWords(content: ContentPart[]): string {
  const said = textOfContent(content)
  const words = content.filter(isFile).map(wordOf)
  return [said, ...words.filter((word) => !said.includes(word))].filter((text) => text !== '').join('\n')
}

/** Returns the word that stands for a picture, a sound or a file. */
export function wordOf({ type }: ContentPart): string {
  return WORDS[type] ?? '[file]'
}

const WORDS: Record<string, string> = { image_url: '[image]', input_audio: '[voice]' }

/** The field of a content part that holds data, with those beside it. */
interface Held {
  type: PartForm['type']
  fields: JsonObject
  data: string
}

const DATA_FIELDS = { image_url: 'url', input_audio: 'data', file: 'file_data' }

function heldBy(part: ContentPart): Held | null {
  const type = part.type as PartForm['type']
  if (!(type in DATA_FIELDS)) return null
  const given = part[type]
  const fields = isObject(given) ? given : { [DATA_FIELDS[type]]: given }
  const data = fields[DATA_FIELDS[type]]
  return typeof data === 'string' ? { type, fields, data } : null
}

/** Returns the base64 of data, without what stands before it in an address; null if it is none. */
function base64In(data: string): string | null {
  const bare = data.replace(DATA_URL, '').replace(/\s+/g, '')
  return BASE64.test(bare) && bare.replace(/=+$/, '').length % 4 !== 1 ? bare : null
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z\d_]{1,16}$/.test(value)
}
