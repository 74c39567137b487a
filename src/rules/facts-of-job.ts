import type { Kysely } from 'kysely'
import type { Facts } from '../conditions/condition.ts'
import { factsOf } from '../conditions/facts.ts'
import { promptAndResponse } from '../conversations/prompt-and-response.ts'
import type { AutomationJobRow, Tables } from '../storage/tables.ts'

/** The facts of a response, from what is stored of it now: no text of it is kept in a second place. */
export async function factsOfJob(db: Kysely<Tables>, job: AutomationJobRow): Promise<Facts> {
  const completion = await db
    .selectFrom('completions')
    .selectAll()
    .where('id', '=', job.completion_id)
    .executeTakeFirstOrThrow()
  const conversation = await db
    .selectFrom('conversations')
    .select(['tags', 'channel_id', 'external_id'])
    .where('id', '=', job.conversation_id)
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
    channelId: conversation.channel_id,
    platform: conversation.channel_id === null ? null : (conversation.external_id?.split(':')[0] ?? null),
    tags: conversation.tags === null ? {} : (JSON.parse(conversation.tags) as Record<string, unknown>),
    userIsNew: kept.user_is_new ?? null,
    startedBy: conversation.channel_id === null ? 'api' : 'channel',
    at: Date.parse(completion.created_at),
  })
}
