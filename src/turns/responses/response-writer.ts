import type { StreamedEvent } from '../../http/server-sent-events.ts'
import type { AnswerWriter, BegunTurn } from '../requests/answer-writer.ts'
import { type AnswerItems, answerItems, type ItemEvent } from './answer-items.ts'
import { type Echoed, endedState, failedState, IN_PROGRESS, responseOf } from './response.ts'
import type { ResponseAnswer } from './schemas.ts'

/** Writes an answer as OpenAI's `response`, or as its events. @param asked the request, which responses repeat */
export function responseWriter(asked: Echoed): AnswerWriter<ResponseAnswer> {
  let number = 0
  let unsent: StreamedEvent[] = []
  let begun: { turn: BegunTurn; items: AnswerItems } | undefined

  function emit({ type, ...fields }: ItemEvent): void {
    unsent.push({ event: type, data: JSON.stringify({ type, sequence_number: number++, ...fields }) })
  }

  /** Returns the events since the last time. */
  function events(): StreamedEvent[] {
    const since = unsent
    unsent = []
    return since
  }

  return {
    whole: (ended) => responseOf(ended, asked, endedState(ended, answerItems(ended.completionId))),
    begin(turn) {
      begun = { turn, items: answerItems(turn.completionId, emit) }
      const response = responseOf(turn, asked, IN_PROGRESS)
      emit({ type: 'response.created', response })
      emit({ type: 'response.in_progress', response })
      return events()
    },
    pieces(pieces) {
      for (const { delta } of pieces) begun?.items.add(delta)
      return events()
    },
    end(ended) {
      if (!begun) return []
      const state = endedState(ended, begun.items)
      emit({ type: `response.${state.status}`, response: responseOf(ended, asked, state) })
      return events()
    },
    fail(failure) {
      // OpenAI documents the fields of the error beside `type`, but sends them within `error`.
      const { code, message, param } = failure.error
      emit({ type: 'error', code, message, param, ...failure })
      if (begun) {
        const state = failedState(message, begun.items)
        emit({ type: 'response.failed', response: responseOf(begun.turn, asked, state) })
      }
      return events()
    },
  }
}
