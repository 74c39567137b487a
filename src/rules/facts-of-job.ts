import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { factsOf } from '../conditions/facts.ts'
import { readPlace } from '../conversations/place.ts'
import { promptAndResponse } from '../conversations/prompt-and-response.ts'
import type { AutomationJobRow, Tables } from '../storage/tables.ts'

/** The facts of a response, from what is stored of it now: no text of it is kept in a second place. */
export async function factsOfJob(db: Kysely<Tables>, job: AutomationJobRow): Promise<Facts> {
  const completion = await db
    .selectFrom('completions')
    .selectAll()
    .where('id', '=', job.completion_id)
    .executeTakeFirstOrThrow()
  const messages = await db
    .selectFrom('messages')
    .select(['role', 'content'])
    .where('completion_id', '=', job.completion_id)
    .orderBy('id')
    .execute()
  const { count } = await db
    .selectFrom('messages')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('conversation_id', '=', job.conversation_id)
    .executeTakeFirstOrThrow()
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
    messageCount: Number(count),
    pageUrl: completion.page_url,
    ...(await readPlace(db, job.conversation_id)),
    userIsNew: kept.user_is_new ?? null,
    at: Date.parse(completion.created_at),
  })
}
