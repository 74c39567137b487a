import type { Kysely } from 'kysely'
import { requireRoom } from '../../agents/require-room.ts'
import { record, type TeamBy } from '../../audit/record.ts'
import { lockAssignment, MISSING } from '../../desk/assign.ts'
import { checkUntil } from '../../desk/snooze/snooze-conversation.ts'
import { ApiError, invalidField } from '../../errors.ts'
import type { Caller } from '../../http/member.ts'
import { operatorOf } from '../../http/operator-of.ts'
import { readMacro } from '../../macros/save-macro.ts'
import { lockActiveOperator } from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { existingConversations } from '../../transcripts/doors/by-filter.ts'
import type { UserKey } from '../../users/user-key.ts'
import type { InboxQuery } from '../inbox-query.ts'
import { isForPeople } from '../inbox-reader.ts'
import type { BulkActRow } from '../tables.ts'
import type { BulkAction } from './bulk-action.ts'
import { addItems, countOpenActs, insertBulkAct } from './store.ts'

/** The topic of wake-ups for bulk acts that wait. */
export const BULK_ACTS = 'bulk acts'

/** The conversations of a bulk act: those that are named by id, or all that match a filter. */
type BulkTarget = { ids: readonly string[] } | { filter: BulkFilter }

/** The filter of a bulk act. It names a person by one key; the keys merged with it are read when the act begins. */
export type BulkFilter = Omit<InboxQuery, 'sort' | 'user_id'> & { user_id?: UserKey | undefined }

const AUDITED = {
  assign: 'conversations.assigned',
  tag: 'conversations.tagged',
  priority: 'conversations.prioritized',
  snooze: 'conversations.snoozed',
  end: 'conversations.ended',
  reopen: 'conversations.reopened',
  macro: 'macro.run',
} as const

/**
 * Starts a bulk act. It is carried out in the background, and continues after a crash. The conversations are collected
 * without waiting for `startsAt`.
 * @param startsAt the time at which it begins to change them; null: at once
 * @throws ApiError conversation_not_found for an id that is not one of the agent's conversations, operator_needed,
 * too_many_bulk_acts, macro_not_found, invalid_request
 */
export async function startBulk(
  db: Kysely<Tables>,
  caller: Caller,
  target: BulkTarget,
  action: BulkAction,
  startsAt: string | null,
  now: string,
  by: TeamBy,
): Promise<BulkActRow> {
  const { agentId, teamId } = caller
  const isNamed = 'ids' in target
  if (!isNamed && isForPeople(target.filter)) operatorOf(caller)
  return db.transaction().execute(async (db) => {
    await requireRoom(db, agentId, 'bulk_acts', () => countOpenActs(db, agentId))
    if (action.type === 'assign') {
      const found = await lockAssignment(db, lockActiveOperator, teamId, action)
      if ('missing' in found) throw invalidField(`action.${found.missing}`, MISSING[found.missing])
    }
    if (action.type === 'snooze' && action.until !== null) checkUntil(action.until, now, 'action.until')
    if (action.type === 'macro') await readMacro(db, caller, String(action.macro_id))
    const ids = isNamed ? [...new Set(target.ids.map((id) => id.toLowerCase()))] : []
    if ((await existingConversations(db, caller, ids)).length < ids.length)
      throw new ApiError('conversation_not_found', { param: 'ids' })
    const act = await insertBulkAct(db, {
      agent_id: agentId,
      team_id: teamId,
      action: JSON.stringify(action),
      filter: isNamed ? null : JSON.stringify(target.filter),
      actor: JSON.stringify(by.actor),
      state: isNamed ? 'working' : 'gathering',
      matched: ids.length,
      created_at: now,
      starts_at: startsAt,
    })
    if (isNamed) await addItems(db, act.id, ids)
    const details = {
      bulk_act: act.id,
      ...(action.type === 'macro' ? { macro: action.macro_id } : {}),
      ...(isNamed ? { conversations: ids.length } : { by: 'filter' }),
    }
    await record(db, {
      ...by,
      agentId,
      at: now,
      action: AUDITED[action.type],
      target: `agent ${agentId}`,
      details,
    })
    wake(db, BULK_ACTS)
    return act
  })
}
