import { isPicture } from '../../files/file-type.ts'
import { type ContentPart, FILE, type MessageContent } from '../../model/model.ts'
import { partsOf } from '../../model/parts-of.ts'
import type { Attachment } from '../../transcripts/attachments.ts'

/**
 * Returns the content of a message with its stored files: parts that name a file get it, and pictures that no part
 * names follow the text. `sendFiles` then sends them to a model.
 */
export function withFiles(content: MessageContent, files: readonly Attachment[] | null): MessageContent {
  const stored = new Map(files?.filter(({ state }) => state === 'stored').map((file) => [file.id, file]))
  if (stored.size === 0) return content
  const parts = partsOf(content).map((part): ContentPart => {
    const file = stored.get(String(part.attachment_id))
    if (!file) return part
    stored.delete(file.id)
    return { ...part, [FILE]: file }
  })
  const pictures = [...stored.values()].filter(({ type }) => isPicture(type))
  return [...parts, ...pictures.map((file) => ({ type: 'image_url', attachment_id: file.id, [FILE]: file }))]
}
