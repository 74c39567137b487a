import type { Model, ModelAnswer, ModelPiece } from './model.ts'
import { textOfContent } from './text-of-content.ts'

/** Tells whether an answer says nothing: no text but white space, no refusal and no call. */
export function isSilent({ content, refusal, tool_calls }: ModelAnswer): boolean {
  return textOfContent(content).trim() === '' && !refusal && tool_calls.length === 0
}

/** Stands for an answer that says nothing. */
export const UNANSWERED = { score: 0, answered: false }

/**
 * Wraps a model so that it never says nothing: an empty answer, or one of only thoughts, is replaced by the given words
 * and does not count as an answer.
 * @param words returns the words
 */
export function neverSilent(model: Model, words: () => string): Model {
  return {
    async complete(request, signal) {
      const answer = await model.complete(request, signal)
      return isSilent(answer) ? { ...answer, content: words(), retrieval: UNANSWERED } : answer
    },

    async *stream(request, signal) {
      let hasSpoken = false
      const withWords = (piece: ModelPiece): ModelPiece => {
        const { content, refusal, tool_calls } = piece.delta
        hasSpoken ||= Boolean(content?.trim() || refusal || tool_calls)
        if (hasSpoken || !piece.finish_reason) return piece
        return { ...piece, delta: { ...piece.delta, content: words() }, retrieval: UNANSWERED }
      }
      for await (const pieces of model.stream(request, signal)) yield pieces.map(withWords)
    },
  }
}
