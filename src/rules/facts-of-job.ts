import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { type FactSource, factsOf } from '../conditions/facts.ts'
import type { Tables } from '../storage/tables.ts'
import { selectCompletionById } from '../transcripts/completions/store.ts'
import { readPlace } from '../transcripts/conversations/place.ts'
import { countMessages } from '../transcripts/messages/count-messages.ts'
import { selectCompletionMessages } from '../transcripts/messages/store.ts'
import { promptAndResponse } from '../transcripts/prompt-and-response.ts'
import type { AutomationJobRow } from './tables.ts'

/** Reads the facts of a response from the rows that hold them, so that its text is not stored a second time. */
export async function factsOfJob(
  db: Kysely<Tables>,
  job: AutomationJobRow,
  { countsMessages, timeZone, hours }: { countsMessages: boolean } & Pick<FactSource, 'timeZone' | 'hours'>,
): Promise<Facts> {
  const [completion] = await selectCompletionById(db, { agent_id: job.agent_id, id: job.completion_id })
  if (!completion) throw new Error('the completion of automations does not exist')
  const messages = await selectCompletionMessages(db, { completion_id: job.completion_id })
  const { prompt, response } = promptAndResponse(messages, true)
  const kept = JSON.parse(job.facts) as {
    answered?: boolean
    retrieval_score?: number
    user_is_new?: boolean | null
  }
  return factsOf({
    prompt: prompt ?? '',
    response,
    answered: kept.answered ?? null,
    retrievalScore: kept.retrieval_score ?? null,
    finishReason: completion.finish_reason,
    messageCount: countsMessages ? await countMessages(db, job.conversation_id) : null,
    pageUrl: completion.page_url,
    ...(await readPlace(db, completion)),
    userIsNew: kept.user_is_new ?? null,
    at: Date.parse(completion.created_at),
    timeZone,
    hours,
  })
}
