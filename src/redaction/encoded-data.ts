/** The text that replaces a picture, a sound or a file, in which no personal data can be looked for. */
type Placeholder = '[IMAGE]' | '[AUDIO]' | '[FILE]'

const DATA_URL =
  /data:([\w/+.-]{0,100})(?:;[\w=.+"-]{1,100}){0,5};base64,[\w+/=-]*(?:\s{1,4}[\w+/=-]{40,})*/gi
/** Base64 broken into lines of any length, if it is all that there is. */
const WHOLE_DATA_URL = /^data:([\w/+.-]{0,100})(?:;[\w=.+"-]{1,100}){0,5};base64,[\w+/=\s-]*$/i

/** Returns a text with each `data:` URL of encoded data replaced by what it is. */
export function withoutData(text: string): string {
  const whole = WHOLE_DATA_URL.exec(text)
  if (whole) return placeholderOf(whole[1] ?? '')
  return text.replace(DATA_URL, (_, mediaType: string) => placeholderOf(mediaType))
}

/** Fields that hold encoded data without saying so in their value. */
const DATA_FIELDS = new Set(['data', 'blob', 'file_data', 'b64_json'])
const BASE64 = /^[\w+/-]{100,}={0,2}$/
/** The beginnings of pictures and sounds: PNG, JPEG, GIF, WebP; MP3, Ogg, FLAC, other RIFF. */
const IMAGE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR.{6}XRUJQ)/
const AUDIO = /^(?:SUQz|T2dnUw|ZkxhQ|UklGR)/

/** Returns the text that replaces the value of a field of encoded data; undefined when it is none. */
export function placeholderOfField(key: string, value: string): Placeholder | undefined {
  if (!DATA_FIELDS.has(key) || !BASE64.test(value)) return
  if (IMAGE.test(value) || key === 'b64_json') return '[IMAGE]'
  return AUDIO.test(value) ? '[AUDIO]' : '[FILE]'
}

const PARTS = new Map<unknown, Placeholder>([
  ['image_url', '[IMAGE]'],
  ['input_audio', '[AUDIO]'],
  ['file', '[FILE]'],
])

/**
 * Returns the part of text that replaces a content part with a picture, a sound or a file, or with its address. Model
 * servers still take it. Undefined when it is no such part.
 */
export function textForPart(part: object): { type: 'text'; text: Placeholder } | undefined {
  if (!('type' in part) || typeof part.type !== 'string' || !(part.type in part)) return
  const text = PARTS.get(part.type)
  return text && { type: 'text', text }
}

function placeholderOf(mediaType: string): Placeholder {
  if (/^image\//i.test(mediaType)) return '[IMAGE]'
  return /^audio\//i.test(mediaType) ? '[AUDIO]' : '[FILE]'
}
