import type { Kysely } from 'kysely'
import { errorTable } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow } from '../../transcripts/tables.ts'
import { wholeDelta } from '../requests/answer-parts.ts'
import { answerOf, failureOf } from '../requests/repeat-answer.ts'
import { answerItems } from './answer-items.ts'
import { endedState, failedState, IN_PROGRESS, responseOf } from './response.ts'
import type { ResponseAnswer } from './schemas.ts'

/** Reads a stored completion as a response. What its request set is no longer known. */
export async function readResponse(db: Kysely<Tables>, completion: CompletionRow): Promise<ResponseAnswer> {
  const {
    id: completionId,
    number,
    conversation_id: conversationId,
    created_at: createdAt,
    model,
  } = completion
  if (completion.answered_at === null)
    return responseOf({ completionId, number, conversationId, createdAt, model }, {}, IN_PROGRESS)
  const ended = await answerOf(db, completion, true)
  const items = answerItems(completionId)
  const failure = failureOf(completion)
  if (failure) {
    items.add(wholeDelta(ended))
    return responseOf(ended, {}, failedState(errorTable[failure][1], items))
  }
  const isCut = completion.finish_reason === 'cancelled' && !ended.agentPaused
  return responseOf(ended, {}, endedState(ended, items, isCut))
}
