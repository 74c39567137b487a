/** The text that replaces a picture, a sound or a file, in which no personal data can be looked for. */
type Placeholder = '[IMAGE]' | '[VOICE]' | '[FILE]'

const DATA_URL =
  /data:([\w/+.-]{0,100})(?:;[\w=.+"-]{1,100}){0,5};base64,[\w+/=-]*(?:\s{1,4}[\w+/=-]{40,})*/gi
/** A text that is only a `data:` URL. Its base64 may be broken into lines of any length. */
const WHOLE_DATA_URL = /^data:([\w/+.-]{0,100})(?:;[\w=.+"-]{1,100}){0,5};base64,[\w+/=\s-]*$/i

/** Returns a text with each `data:` URL of encoded data replaced by the placeholder for its kind. */
export function withoutData(text: string): string {
  const whole = WHOLE_DATA_URL.exec(text)
  if (whole) return placeholderOf(whole[1] ?? '')
  return text.replace(DATA_URL, (_, mediaType: string) => placeholderOf(mediaType))
}

/** Fields that hold encoded data although their values do not show it. */
const DATA_FIELDS = new Set(['data', 'blob', 'file_data', 'b64_json'])
const BASE64 = /^[\w+/-]{100,}={0,2}$/
/** The beginnings of pictures and sounds: PNG, JPEG, GIF, WebP; MP3, Ogg, FLAC, other RIFF. */
const IMAGE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR.{6}XRUJQ)/
const AUDIO = /^(?:SUQz|T2dnUw|ZkxhQ|UklGR)/

/** Returns the text that replaces the value of a field of encoded data; undefined if the field holds none. */
export function placeholderOfField(key: string, value: string): Placeholder | undefined {
  if (!DATA_FIELDS.has(key) || !BASE64.test(value.replaceAll(/\r?\n/g, ''))) return
  if (IMAGE.test(value) || key === 'b64_json') return '[IMAGE]'
  return AUDIO.test(value) ? '[VOICE]' : '[FILE]'
}

const PARTS = new Map<unknown, Placeholder>([
  ['image_url', '[IMAGE]'],
  ['input_audio', '[VOICE]'],
  ['file', '[FILE]'],
])

/**
 * Returns the text part that replaces a content part with a picture, a sound or a file, with its address, or with the id
 * of the attachment that it is. Model servers still accept it. Undefined for any other part.
 */
export function textForPart(part: object): { type: 'text'; text: Placeholder } | undefined {
  if (!('type' in part) || typeof part.type !== 'string') return
  if (!(part.type in part) && !('attachment_id' in part)) return
  const text = PARTS.get(part.type)
  return text && { type: 'text', text }
}

/** Tells whether a content part is nothing but the name of an attachment. */
export function namesAttachment(part: object): boolean {
  const { type, attachment_id, ...others } = part as Record<string, unknown>
  const isNamed = PARTS.has(type) && typeof attachment_id === 'string' && UUID.test(attachment_id)
  return isNamed && Object.keys(others).length === 0
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function placeholderOf(mediaType: string): Placeholder {
  if (/^image\//i.test(mediaType)) return '[IMAGE]'
  return /^audio\//i.test(mediaType) ? '[VOICE]' : '[FILE]'
}
