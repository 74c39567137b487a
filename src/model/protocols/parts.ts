import { isObject } from '../../lib/untrusted-json.ts'
import type { ContentPart, MessageContent } from '../model.ts'

/** A part of a message in a form from which each protocol makes its own. */
export type Part =
  | { text: string }
  /** Data that is sent along, in base64. */
  | { type: string; data: string }

const DATA = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]*)*;base64,/i

/** Reads a message's parts, without empty texts. A part that no protocol has becomes a text that says so. */
export function partsOf(content: MessageContent): Part[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  return parts.map(read).filter((part) => !('text' in part) || part.text.trim() !== '')
}

function read(part: ContentPart): Part {
  if (typeof part.text === 'string') return { text: part.text }
  if (typeof part.refusal === 'string') return { text: part.refusal }
  const { image_url: image, input_audio: audio, file } = part
  const address = isObject(image) ? image.url : isObject(file) ? file.file_data : image
  if (typeof address === 'string') {
    const [head, type] = DATA.exec(address) ?? []
    if (head && type) return { type: type.toLowerCase(), data: address.slice(head.length) }
  }
  if (isObject(audio) && typeof audio.data === 'string' && typeof audio.format === 'string')
    return { type: `audio/${audio.format}`, data: audio.data }
  return unsendable(part.type)
}

/** The text that stands for something that a model cannot be sent. */
export function unsendable(what: string): { text: string } {
  return { text: `(Here was something that you cannot be shown: ${what}.)` }
}
