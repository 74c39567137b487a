import type { Kysely } from 'kysely'
import type { AgentSettings } from '../../agents/settings.ts'
import type { Condition, Facts } from '../../conditions/condition.ts'
import { settleCondition } from '../../conditions/evaluate-condition.ts'
import { factsOf } from '../../conditions/facts.ts'
import type { Hours } from '../../lib/hours/hours.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { TargetRow } from '../../targets/tables.ts'
import { promptAndResponse } from '../prompt-and-response.ts'
import type { ConversationRow } from '../tables.ts'
import { promptOrigin } from './prompt-origin.ts'

/** A time, in the zone of an agent and the hours of the people who look after a conversation. */
export interface HoursAt extends Pick<AgentSettings, 'time_zone'> {
  now: string
  hours: Hours | null
}

/** Returns the first target that a conversation fits; null: none. @param targets in their order */
export async function targetFor(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  targets: readonly TargetRow[],
  at: HoursAt,
): Promise<TargetRow | null> {
  let facts: Facts | undefined
  for (const target of targets) {
    if (target.condition === null) return target
    facts ??= await readFacts(db, conversation, at)
    if (settleCondition(JSON.parse(target.condition) as Condition, facts) === true) return target
  }
  return null
}

const selectLast = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom((of) =>
      of
        .selectFrom('completions')
        .select(['id', 'channel_id', 'user_id', 'page_url', 'finish_reason'])
        .where('conversation_id', '=', param('conversation_id'))
        .orderBy('created_at', 'desc')
        .orderBy('number', 'desc')
        .limit(1)
        .as('completion'),
    )
    .innerJoin('messages', 'messages.completion_id', 'completion.id')
    .select(['channel_id', 'user_id', 'page_url', 'finish_reason', 'role', 'content', 'round'])
    .orderBy('messages.id'),
)

/** Reads the facts of a conversation that begins to wait: those of its last prompt, and of the response if there is one. */
async function readFacts(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  { now, time_zone, hours }: HoursAt,
): Promise<Facts> {
  const messages = await selectLast(db, { conversation_id: conversation.id })
  const [completion] = messages
  const { prompt, response } = promptAndResponse(messages, true)
  return factsOf({
    prompt: prompt ?? '',
    response,
    finishReason: completion?.finish_reason ?? null,
    pageUrl: completion?.page_url ?? null,
    ...promptOrigin(
      conversation,
      completion?.channel_id ?? conversation.channel_id,
      completion?.user_id ?? null,
    ),
    at: Date.parse(now),
    timeZone: time_zone,
    hours,
  })
}
