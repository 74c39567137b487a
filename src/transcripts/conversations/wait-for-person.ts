import type { Kysely } from 'kysely'
import { readAgent } from '../../agents/agent.ts'
import { bySystem, record, type TeamBy } from '../../audit/record.ts'
import { groupFor } from '../../groups/store.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow, WaitingReason } from '../tables.ts'
import { askForAway } from './away-store.ts'
import { beginClocks, moveClocks } from './clocks.ts'
import { addHappening, type HappeningActor } from './happenings.ts'
import { hoursOf } from './hours-of.ts'
import type { Lessons } from './lessons.ts'
import { refuseIfBlocked, reopenLocked } from './reopen-conversation.ts'
import { announceFields, lockById, lockConversation } from './store.ts'

export const waitingReasons = [
  'asked',
  'unanswered',
  'paused',
  'failed',
  'flagged',
] as const satisfies WaitingReason[]

type Wait = Pick<ConversationRow, 'id' | 'waiting_since' | 'waiting_reason' | 'group_id' | 'due_at'>

const setWaiting = prepared((db, param: ParamOf<Wait>) =>
  db
    .updateTable('conversations')
    .set({
      waiting_since: param('waiting_since'),
      waiting_reason: param('waiting_reason'),
      group_id: param('group_id'),
      due_at: param('due_at'),
    })
    .where('id', '=', param('id')),
)

/**
 * Makes an open conversation wait for a person, within the transaction of the cause. The first reason and time stay
 * until a person answers, hands it back or ends it; except that the reason `asked` replaces `unanswered`.
 * @param by the actor whose act is the cause
 */
export async function waitForPerson(
  db: Kysely<Tables>,
  conversation_id: string,
  reason: WaitingReason,
  now: string,
  by: HappeningActor = bySystem.actor,
): Promise<void> {
  const [row] = await lockById(db, { id: conversation_id })
  if (!row || row.ended_at !== null) return
  const begins = row.waiting_since === null
  if (!begins && !(reason === 'asked' && row.waiting_reason === 'unanswered')) return
  const { agent_id } = row
  const group = row.group_id === null ? await groupFor(db, row.team_id, agent_id) : null
  const conversation: ConversationRow = {
    ...row,
    waiting_since: row.waiting_since ?? now,
    waiting_reason: reason,
    group_id: group?.id ?? row.group_id,
  }
  if (begins) {
    const { settings } = await readAgent(db, agent_id)
    const { time_zone } = settings
    const hours = await hoursOf(db, conversation, settings.hours)
    const due_at = await beginClocks(db, conversation, { now, time_zone, hours })
    await setWaiting(db, { ...conversation, due_at })
    if (hours) await askForAway(db, conversation, settings, now)
  } else await setWaiting(db, conversation)
  // Automations look at the row when they are told.
  const about = { agent_id, conversation_id }
  await addHappening(db, { ...about, kind: 'waiting', by, at: now, details: { reason } })
  if (group)
    await addHappening(db, { ...about, kind: 'assigned', by: bySystem.actor, at: now, details: { group } })
  const fields = ['waiting_since', 'waiting_reason']
  if (group) announceFields(db, row, [...fields, 'group_id'], row)
  else announceFields(db, row, fields)
  // A new reason for a wait that goes on does not begin another one.
  if (group && !begins) await moveClocks(db, conversation, now, 'group')
}

/** Asks for a person in a conversation. One that has ended opens again. @throws ApiError user_blocked */
export async function askForPerson(
  db: Kysely<Tables>,
  { handedOff }: Pick<Lessons, 'handedOff'>,
  conversationId: string,
  reason: WaitingReason,
  now: string,
  by: TeamBy,
): Promise<ConversationRow> {
  return db.transaction().execute(async (db) => {
    const conversation = await lockConversation(db, conversationId)
    await refuseIfBlocked(db, conversation)
    const { waiting_since, agent_id } = await reopenLocked(db, conversation, now, by)
    if (waiting_since === null) {
      const [target, details] = [`conversation ${conversationId}`, { reason }]
      const act = { ...by, agentId: agent_id, at: now, target, details }
      await record(db, { ...act, action: 'conversation.person_requested' })
    }
    await waitForPerson(db, conversationId, reason, now, by.actor)
    if (reason === 'asked') await handedOff(db, conversation)
    return lockConversation(db, conversationId)
  })
}
