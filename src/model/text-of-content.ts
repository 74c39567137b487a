import type { MessageContent } from './model.ts'

/** The text of a message's content: its texts and refusals, each on a line of its own. Empty when there is none. */
export function textOfContent(content: MessageContent): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content
    .map((part) => (part.type === 'refusal' ? part.refusal : part.text))
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n')
}
