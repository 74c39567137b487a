import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { factsOf } from '../conditions/facts.ts'
import type { Tables } from '../storage/tables.ts'
import { readPromptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import { countMessages } from '../transcripts/messages/count-messages.ts'
import { selectCompletionMessages } from '../transcripts/messages/store.ts'
import { promptAndResponse } from '../transcripts/prompt-and-response.ts'
import type { CompletionRow } from '../transcripts/tables.ts'
import type { FactOptions } from './job.ts'

/** Facts that are stored in no row but the job's. */
export interface KeptFacts {
  answered?: boolean
  retrieval_score?: number
  user_is_new?: boolean | null
}

/** The conversation of facts, with its completion if it has one. */
type Of = Pick<CompletionRow, 'conversation_id' | 'channel_id' | 'user_id'> &
  Partial<Pick<CompletionRow, 'id' | 'finish_reason' | 'page_url'>>

/** Reads facts from the rows that hold them, so that no text is stored a second time. */
export async function factsOfCompletion(
  db: Kysely<Tables>,
  of: Of,
  { countsMessages, kept, at, timeZone, hours }: FactOptions & { kept: KeptFacts; at: number },
): Promise<Facts> {
  const messages = of.id === undefined ? [] : await selectCompletionMessages(db, { completion_id: of.id })
  const { prompt, response } = promptAndResponse(messages, true)
  return factsOf({
    prompt: prompt ?? '',
    response,
    answered: kept.answered ?? null,
    retrievalScore: kept.retrieval_score ?? null,
    finishReason: of.finish_reason ?? null,
    messageCount: countsMessages ? await countMessages(db, of.conversation_id) : null,
    pageUrl: of.page_url ?? null,
    ...(await readPromptOrigin(db, of)),
    userIsNew: kept.user_is_new ?? null,
    at,
    timeZone,
    hours,
  })
}
