import type { ContentPart, MessageContent } from './model.ts'

/** Returns the content of a message as parts; a text is one part. */
export function partsOf(content: MessageContent): ContentPart[] {
  if (Array.isArray(content)) return content
  return content ? [{ type: 'text', text: content }] : []
}
