import { type Clock, timestamp } from '../../lib/clock.ts'
import type { MarkedCitations } from '../../model/cite-marked.ts'
import { type ModelAnswer, type ModelPiece, saysSomething } from '../../model/model.ts'
import type { MarkerReader } from '../../model/read-markers.ts'
import { guardStream } from '../../rules/guard-stream.ts'
import type { TurnRules } from '../../rules/turn-rules.ts'
import { collectAnswer } from './collect-answer.ts'

/** Passes an answer on, piece by piece, from the model to the client. */
export interface AnswerStream {
  /** Sends the pieces that guardrails let through; returns what was sent. */
  follow(pieces: AsyncIterable<ModelPiece[]>): Promise<ModelAnswer>
  /** Starts to cite the passages that the sent text marks as used. */
  cite(marked: MarkedCitations): void
  /** Returns what was sent so far. */
  answer(): ModelAnswer
  /** Tells whether a part of the answer was sent. */
  hasLeft(): boolean
  /**
   * Returns the time of the first piece, or `otherwise` if none has come; null if `response_start` was raised already.
   */
  unannouncedStart<T>(otherwise: T): Promise<string | T | null>
}

/**
 * Creates the stream of one answer.
 * @param announce tells that the answer has begun; returns whether `response_start` was raised
 * @param send sends a batch of pieces; the next one waits for it
 */
export function answerStream(
  clock: Clock,
  model: string,
  rules: TurnRules | null,
  announce: (startedAt: string) => Promise<boolean>,
  send: (pieces: ModelPiece[]) => Promise<void> | void,
): AnswerStream {
  const guard = rules?.guardsResponse ? guardStream(rules) : null
  const collected = collectAnswer(model)
  let startedAt: string | null = null
  let hasLeft = false
  let announced: Promise<boolean> | undefined
  let cited: { marked: MarkedCitations; reader: MarkerReader } | null = null

  const answer = () => {
    const sent = collected.answer()
    return cited ? { ...sent, citations: [...cited.marked.used(), ...sent.citations] } : sent
  }

  /** Numbers the citations of a piece that guardrails let through in the order in which they are shown. */
  function renumbered(piece: ModelPiece): ModelPiece {
    if (!cited) return piece
    const { content, ...others } = piece.delta
    const text = `${cited.reader.feed(content ?? '')}${piece.finish_reason ? cited.reader.end() : ''}`
    if (text === (content ?? '')) return piece
    return { ...piece, delta: text === '' ? others : { ...others, content: text } }
  }

  return {
    answer,
    hasLeft: () => hasLeft,
    cite(marked) {
      cited = { marked, reader: marked.inPieces() }
    },
    async follow(pieces) {
      for await (const come of pieces) {
        if (startedAt === null) {
          startedAt = timestamp(clock())
          // The piece does not wait for this.
          announced = announce(startedAt)
        }
        const released = (guard ? await guard.feed(come) : come).map(renumbered)
        for (const piece of released) collected.add(piece)
        hasLeft ||= released.some(({ delta }) => saysSomething(delta))
        if (released.length > 0) await send(released)
        if (guard?.isBlocked()) break
      }
      return answer()
    },
    async unannouncedStart(otherwise) {
      return (await announced) ? null : (startedAt ?? otherwise)
    },
  }
}

/** Returns a batch of pieces as a stream of its own, for `follow`. */
export async function* onlyBatch(batch: ModelPiece[]): AsyncGenerator<ModelPiece[]> {
  yield batch
}
