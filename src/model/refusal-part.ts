import type { MessageContent, ModelAnswer } from './model.ts'

type Said = Pick<ModelAnswer, 'content' | 'refusal'>

/**
 * Joins an answer's text and refusal into the content of one message. The refusal becomes OpenAI's content part for it,
 * after any text.
 */
export function withRefusal({ content, refusal }: Said): MessageContent {
  if (!refusal) return content
  const text = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  return [...text, { type: 'refusal', refusal }]
}

/** The inverse of `withRefusal`. */
export function splitRefusal(content: MessageContent): Said {
  const parts = Array.isArray(content) ? content : []
  const last = parts.at(-1)
  if (last?.type !== 'refusal' || typeof last.refusal !== 'string') return { content, refusal: null }
  const [first, ...others] = parts.slice(0, -1)
  if (!first) return { content: null, refusal: last.refusal }
  const isText = others.length === 0 && first.type === 'text' && typeof first.text === 'string'
  return { content: isText ? (first.text ?? null) : [first, ...others], refusal: last.refusal }
}
