import type { Model, ModelAnswer, ModelPiece } from './model.ts'
import { textOfContent } from './text-of-content.ts'

/** Tells whether an answer says nothing: no text but white space, no refusal and no call. */
export function isSilent({ content, refusal, tool_calls }: ModelAnswer): boolean {
  return textOfContent(content).trim() === '' && !refusal && tool_calls.length === 0
}

/** Stands for an answer that says nothing. */
export const UNANSWERED = { score: 0, answered: false }

/**
 * A model that says other words where it would answer nothing, or has only thought, and counts such an answer as none.
 * @param words returns what is said in place of nothing
 */
export function neverSilent(model: Model, words: () => string): Model {
  return {
    async complete(request, signal) {
      const answer = await model.complete(request, signal)
      return isSilent(answer) ? { ...answer, content: words(), retrieval: UNANSWERED } : answer
    },

    async *stream(request, signal) {
      let hasSpoken = false
      const spoken = (piece: ModelPiece): ModelPiece => {
        const { content, refusal, tool_calls } = piece.delta
        hasSpoken ||= Boolean(content?.trim() || refusal || tool_calls)
        if (hasSpoken || !piece.finish_reason) return piece
        return { ...piece, delta: { ...piece.delta, content: words() }, retrieval: UNANSWERED }
      }
      for await (const pieces of model.stream(request, signal)) yield pieces.map(spoken)
    },
  }
}
