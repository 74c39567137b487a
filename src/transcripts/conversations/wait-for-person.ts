import { type Kysely, sql } from 'kysely'
import { readAgent } from '../../agents/agent.ts'
import { bySystem, record, type TeamBy } from '../../audit/record.ts'
import { changed } from '../../events/changes.ts'
import { QUEUES } from '../../groups/queues-topic.ts'
import { groupFor } from '../../groups/store.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import type { ConversationRow, WaitingReason } from '../tables.ts'
import { askForAway } from './away-store.ts'
import { beginClocks } from './clocks.ts'
import { type HappeningActor, tell } from './happenings.ts'
import { hoursOf } from './hours-of.ts'
import type { Lessons } from './lessons.ts'
import { moveConversation } from './move-conversation.ts'
import { refuseIfBlocked, reopenLocked } from './reopen-conversation.ts'
import { lockConversation } from './store.ts'

export const waitingReasons = [
  'asked',
  'unanswered',
  'paused',
  'failed',
  'flagged',
] as const satisfies WaitingReason[]

interface Wait {
  id: string
  reason: WaitingReason
  /** The reason that this one replaces. */
  replaced: WaitingReason | null
  now: string
}

const setWaiting = prepared((db, param: ParamOf<Wait>) =>
  db
    .updateTable('conversations')
    .set(({ fn }) => ({
      waiting_since: fn.coalesce('waiting_since', sql<string>`${param('now')}`),
      waiting_reason: param('reason'),
    }))
    .where('id', '=', param('id'))
    .where(({ or, eb }) =>
      or([eb('waiting_since', 'is', null), eb('waiting_reason', '=', param('replaced'))]),
    )
    .where('ended_at', 'is', null)
    .returningAll(),
)

const setQueued = prepared((db, param: ParamOf<Pick<ConversationRow, 'id' | 'group_id' | 'due_at'>>) =>
  db
    .updateTable('conversations')
    .set({ group_id: param('group_id'), due_at: param('due_at') })
    .where('id', '=', param('id')),
)

/**
 * Makes an open conversation wait for a person, within the transaction of the cause. The first reason and time stay
 * until a person answers, hands it back or ends it; only a user who asks for a person is a better reason than a question
 * without an answer.
 * @param by the actor whose act is the cause
 */
export async function waitForPerson(
  db: Kysely<Tables>,
  conversation_id: string,
  reason: WaitingReason,
  now: string,
  by: HappeningActor = bySystem.actor,
): Promise<void> {
  const replaced = reason === 'asked' ? 'unanswered' : null
  const [row] = await setWaiting(db, { id: conversation_id, reason, replaced, now })
  if (!row) return
  const { agent_id } = row
  await tell(db, { agent_id, conversation_id, kind: 'waiting', by, at: now, details: { reason } })
  changed(db, {
    type: 'conversation',
    agent_id,
    conversation_id,
    fields: ['waiting_since', 'waiting_reason'],
  })
  const group = row.group_id === null ? await groupFor(db, row.team_id, agent_id) : null
  const conversation = group ? { ...row, group_id: group.id } : row
  if (group)
    await tell(db, {
      ...{ agent_id, conversation_id, kind: 'assigned', by: bySystem.actor, at: now },
      details: { group },
    })
  // A better reason for a wait that goes on is no beginning.
  if (row.waiting_since !== now) {
    if (group) await moveConversation(db, conversation_id, { group_id: group.id }, now)
    else if (row.group_id !== null) wake(db, QUEUES, 'here')
    return
  }
  const { settings } = await readAgent(db, agent_id)
  const { time_zone } = settings
  const hours = await hoursOf(db, conversation, settings.hours)
  const due_at = await beginClocks(db, conversation, { now, time_zone, hours })
  const { group_id } = conversation
  if (group || due_at !== row.due_at) await setQueued(db, { id: conversation_id, group_id, due_at })
  if (group) changed(db, { type: 'conversation', agent_id, conversation_id, fields: ['group_id'] })
  if (group_id !== null) wake(db, QUEUES, 'here')
  if (hours) await askForAway(db, conversation, settings, now)
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
