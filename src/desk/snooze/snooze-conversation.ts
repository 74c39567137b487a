import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { addHappening, type Doer } from '../../transcripts/conversations/happenings.ts'
import { moveConversation } from '../../transcripts/conversations/move-conversation.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import type { ConversationRow } from '../../transcripts/tables.ts'
import { cancelReturn, scheduleReturn } from './store.ts'

/** The longest time for which a conversation is put aside. */
const LONGEST_MS = 100 * 366 * 86_400_000

/**
 * Puts a conversation aside until a time, or brings it back.
 * @param until null: it comes back now
 * @throws ApiError conversation_ended; invalid_request for a time that has passed or is too far
 */
export async function snoozeConversation(
  db: Kysely<Tables>,
  id: string,
  until: string | null,
  now: string,
  by: TeamBy,
): Promise<void> {
  if (until !== null) checkUntil(until, now, 'until')
  await db.transaction().execute(async (db) => {
    const before = await lockConversation(db, id)
    if (before.ended_at !== null) throw new ApiError('conversation_ended')
    if (!(await setSnooze(db, before, until, now, by))) return
    const [target, details] = [`conversation ${id}`, until === null ? {} : { until }]
    const action = until === null ? 'conversation.unsnoozed' : 'conversation.snoozed'
    await record(db, { ...by, agentId: before.agent_id, at: now, action, target, details })
  })
}

/**
 * Checks a time until which a conversation is to be put aside.
 * @param place the field that holds it
 * @throws ApiError invalid_request for one that has passed or is too far
 */
export function checkUntil(until: string, now: string, place: string): void {
  if (until <= now) throw invalidField(place, 'must be a time to come')
  if (until > timestamp(Date.parse(now) + LONGEST_MS)) throw invalidField(place, 'must be within 100 years')
}

/**
 * Puts aside, or brings back, an open conversation that the transaction has locked. Writes no audit.
 * @returns whether it changed
 */
export async function setSnooze(
  db: Kysely<Tables>,
  conversation: ConversationRow,
  until: string | null,
  now: string,
  { actor }: Pick<Doer, 'actor'>,
): Promise<boolean> {
  const { id, agent_id, snoozed_until } = conversation
  if (snoozed_until === until) return false
  if (until === null) await cancelReturn(db, id)
  else await scheduleReturn(db, conversation, until)
  await moveConversation(db, id, { snoozed_until: until }, now)
  const kind = until === null ? 'unsnoozed' : 'snoozed'
  const details = until === null ? {} : { until }
  await addHappening(db, { agent_id, conversation_id: id, kind, by: actor, at: now, details })
  return true
}
