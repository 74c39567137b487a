import { type ModelAnswer, type ModelPiece, type ToolCall, thoughtsOf } from './model.ts'
import type { RawCall } from './raw-calls.ts'
import { type Said, saidReader } from './said-reader.ts'

/** Takes thoughts and calls of tools out of the texts of a server that leaves them there. */
interface AnswerCleaner {
  whole(answer: ModelAnswer): ModelAnswer
  pieces(batches: AsyncIterable<ModelPiece[]>): AsyncGenerator<ModelPiece[]>
}

/** Creates a cleaner, which learns from each answer whether the server's answers begin in thoughts without a mark. */
export function answerCleaner(): AnswerCleaner {
  let startsInThoughts = false

  function learn({ hasBegunInThoughts }: ReturnType<typeof saidReader>, end: string): void {
    // Thoughts may also have been cut off before their end.
    if (hasBegunInThoughts === null || (!hasBegunInThoughts && end === 'length')) return
    startsInThoughts = hasBegunInThoughts
  }

  function readWhole(text: string, end: string): Said {
    const wasExpected = startsInThoughts
    const reader = saidReader(wasExpected)
    const said = joined(reader.feed(text), reader.end())
    learn(reader, end)
    return startsInThoughts && !wasExpected ? readWhole(text, end) : said
  }

  return {
    whole(answer) {
      if (typeof answer.content !== 'string') return answer
      const { text, thoughts, calls } = readWhole(answer.content, answer.finish_reason)
      const tool_calls = [...answer.tool_calls, ...toToolCalls(calls, answer.tool_calls.length)]
      return {
        ...answer,
        content: text.trim() === '' && calls.length > 0 ? null : text,
        tool_calls,
        finish_reason: calls.length > 0 ? 'tool_calls' : answer.finish_reason,
        ...(thoughts === '' ? {} : { thoughts: `${answer.thoughts ?? ''}${thoughts}` }),
      }
    },

    async *pieces(batches) {
      const reader = saidReader(startsInThoughts)
      /** The number of the server's own calls, and of those in the text. */
      let own = 0
      let written = 0

      function cleaned(piece: ModelPiece): ModelPiece {
        const { content, ...delta } = piece.delta
        const fed = reader.feed(content ?? '')
        const { text, thoughts, calls } = piece.finish_reason ? joined(fed, reader.end()) : fed
        if (piece.finish_reason) learn(reader, piece.finish_reason)
        for (const { index } of delta.tool_calls ?? []) own = Math.max(own, index + 1)
        const first = own + written
        written += calls.length
        if (text === (content ?? '') && thoughts === '' && written === 0) return piece
        const tool_calls = [
          ...(delta.tool_calls ?? []),
          ...toToolCalls(calls, first).map((call, at) => ({ index: first + at, ...call })),
        ]
        const reasoning_content = `${thoughtsOf(delta)}${thoughts}`
        return {
          ...piece,
          delta: {
            ...delta,
            ...(text === '' && content !== '' ? {} : { content: text }),
            ...(thoughts === '' ? {} : { reasoning_content }),
            ...(tool_calls.length === 0 ? {} : { tool_calls }),
          },
          finish_reason: piece.finish_reason && written > 0 ? 'tool_calls' : piece.finish_reason,
        }
      }

      for await (const batch of batches) yield batch.map(cleaned)
    },
  }
}

function joined(first: Said, second: Said): Said {
  return {
    text: first.text + second.text,
    thoughts: first.thoughts + second.thoughts,
    calls: [...first.calls, ...second.calls],
  }
}

function toToolCalls(calls: readonly RawCall[], first: number): ToolCall[] {
  return calls.map((called, at) => ({ id: `call_${first + at}`, type: 'function', function: called }))
}
