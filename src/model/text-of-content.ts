import type { MessageContent } from './model.ts'

/** The text of a message's content: its text parts on lines of their own, empty when there is none. */
export function textOfContent(content: MessageContent): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])).join('\n')
}
