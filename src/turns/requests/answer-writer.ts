import type { ErrorBody } from '../../errors.ts'
import type { StreamedEvent } from '../../http/server-sent-events.ts'
import type { ModelPiece } from '../../model/model.ts'
import type { EndedTurn } from '../turn.ts'

/** A turn whose answer begins to be sent. */
export type BegunTurn = Pick<EndedTurn, 'completionId' | 'number' | 'conversationId' | 'createdAt' | 'model'>

/** Writes one answer in the terms of a protocol: in one piece, or as the events of a stream. */
export interface AnswerWriter<Whole = object> {
  whole(ended: EndedTurn): Whole
  /** Begins the stream. Called once, before any other event. */
  begin(turn: BegunTurn): StreamedEvent[]
  pieces(pieces: readonly ModelPiece[]): StreamedEvent[]
  /** Ends the stream, with the whole answer if no piece of it was written. */
  end(ended: EndedTurn): StreamedEvent[]
  /** Ends a stream whose answer failed. */
  fail(failure: ErrorBody): StreamedEvent[]
}
