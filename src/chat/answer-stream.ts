import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { ModelAnswer, ModelPiece } from '../model/model.ts'
import { guardStream } from '../rules/guard-stream.ts'
import type { RuledTurn } from '../rules/ruled-turn.ts'
import type { Tables } from '../storage/tables.ts'
import { collectAnswer } from './collect-answer.ts'
import { announceStart } from './end-turn.ts'
import type { StartedTurn } from './turn.ts'

/** An answer on its way from the model, piece by piece, to whoever follows the turn. */
export interface AnswerStream {
  /** Lets the pieces through, as far as guardrails let them; returns what has left. */
  follow(pieces: AsyncIterable<ModelPiece[]>): Promise<ModelAnswer>
  /** What has left so far. */
  answer(): ModelAnswer
  /** Whether anything has left. */
  hasLeft(): boolean
  /** When the first piece was there, or else `otherwise`; null when that has been told already. */
  unannouncedStart<T>(otherwise: T): Promise<string | T | null>
}

/** @param send is waited for with each batch of pieces */
export function answerStream(
  { db, clock }: { db: Kysely<Tables>; clock: Clock },
  turn: StartedTurn,
  model: string,
  ruled: RuledTurn | null,
  send: (pieces: ModelPiece[]) => Promise<void> | void,
): AnswerStream {
  const guard = ruled?.guardsResponse ? guardStream(ruled) : null
  const collected = collectAnswer(model)
  let startedAt: string | null = null
  let hasLeft = false
  let announced: Promise<boolean> | undefined

  return {
    answer: collected.answer,
    hasLeft: () => hasLeft,
    async follow(pieces) {
      for await (const come of pieces) {
        if (startedAt === null) {
          startedAt = timestamp(clock())
          // The piece does not wait for it.
          announced = announceStart(db, turn, ruled, startedAt)
        }
        const released = guard ? await guard.feed(come) : come
        for (const piece of released) collected.add(piece)
        hasLeft ||= released.some(saysSomething)
        if (released.length > 0) await send(released)
        if (guard?.isBlocked()) break
      }
      return collected.answer()
    },
    async unannouncedStart(otherwise) {
      return (await announced) ? null : (startedAt ?? otherwise)
    },
  }
}

/** Whether a piece holds something of an answer, beside its role and the like. */
function saysSomething({ delta }: ModelPiece): boolean {
  return Boolean(delta.content || delta.refusal || delta.tool_calls)
}
