import type { Kysely } from 'kysely'
import { readAgent } from '../../agents/agent.ts'
import type { Condition, Facts } from '../../conditions/condition.ts'
import { settleCondition } from '../../conditions/evaluate-condition.ts'
import { factsOf } from '../../conditions/facts.ts'
import type { Tables } from '../../storage/tables.ts'
import type { TargetRow } from '../../targets/tables.ts'
import { promptAndResponse } from '../prompt-and-response.ts'
import type { ConversationRow } from '../tables.ts'
import { hoursOf } from './hours-of.ts'
import { placeOf } from './place.ts'

/** Returns the first target that a conversation fits; null: none. @param targets in their order */
export async function targetFor(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  targets: readonly TargetRow[],
  now: string,
): Promise<TargetRow | null> {
  let facts: Facts | undefined
  for (const target of targets) {
    if (target.condition === null) return target
    facts ??= await readFacts(db, conversation, now)
    if (settleCondition(JSON.parse(target.condition) as Condition, facts) === true) return target
  }
  return null
}

/** Reads the facts of a conversation that begins to wait: those of its last prompt, and of the response if there is one. */
async function readFacts(db: Kysely<Tables>, conversation: ConversationRow, now: string): Promise<Facts> {
  const { settings } = await readAgent(db, conversation.agent_id)
  const completion = await db
    .selectFrom('completions')
    .select(['id', 'channel_id', 'user_id', 'page_url', 'finish_reason'])
    .where('conversation_id', '=', conversation.id)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const messages = completion
    ? await db
        .selectFrom('messages')
        .select(['role', 'content', 'round'])
        .where('completion_id', '=', completion.id)
        .orderBy('id')
        .execute()
    : []
  const { prompt, response } = promptAndResponse(messages, true)
  return factsOf({
    prompt: prompt ?? '',
    response,
    finishReason: completion?.finish_reason ?? null,
    pageUrl: completion?.page_url ?? null,
    ...placeOf(conversation, completion?.channel_id ?? conversation.channel_id, completion?.user_id ?? null),
    at: Date.parse(now),
    timeZone: settings.time_zone,
    hours: await hoursOf(db, conversation, settings.hours),
  })
}
