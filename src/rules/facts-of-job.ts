import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { factsOf } from '../conditions/facts.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { AutomationJobRow, Tables } from '../storage/tables.ts'
import { promptAndResponse } from '../transcripts/completions/prompt-and-response.ts'
import { readPlace } from '../transcripts/conversations/place.ts'
import { countMessages } from '../transcripts/messages/count-messages.ts'

const selectCompletion = prepared((db, param: ParamOf<{ id: string }>) =>
  db
    .selectFrom('completions')
    .select(['conversation_id', 'channel_id', 'finish_reason', 'page_url', 'created_at'])
    .where('id', '=', param('id')),
)

const selectMessages = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db
    .selectFrom('messages')
    .select(['role', 'content'])
    .where('completion_id', '=', param('completion_id'))
    .orderBy('id'),
)

/** The facts of a response, from what is stored of it now: no text of it is kept in a second place. */
export async function factsOfJob(
  db: Kysely<Tables>,
  job: AutomationJobRow,
  { countsMessages, timeZone }: { countsMessages: boolean; timeZone: string },
): Promise<Facts> {
  const [completion] = await selectCompletion(db, { id: job.completion_id })
  if (!completion) throw new Error('the completion of automations does not exist')
  const messages = await selectMessages(db, { completion_id: job.completion_id })
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
  })
}
