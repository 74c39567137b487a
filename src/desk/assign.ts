import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { invalidField } from '../errors.ts'
import type { GroupName } from '../groups/group.ts'
import { lockGroup } from '../groups/store.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening, type Doer } from '../transcripts/conversations/happenings.ts'
import { moveConversation } from '../transcripts/conversations/move-conversation.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** A person to whom conversations can be assigned. */
export interface Assignee {
  readonly id: number
  readonly name: string
}

/** Reads an active operator of a team, and locks the row until the transaction ends. */
export type LockAssignee = (db: Kysely<Tables>, teamId: number, id: number) => Promise<Assignee | null>

/** Whom a conversation is given to, by ids; null: nobody, or no group; undefined: it stays as it is. */
interface AssignmentIds {
  operator_id?: number | null | undefined
  group_id?: number | null | undefined
}

/** Whom a conversation is given to, with their names; null and undefined as in the ids. */
interface Assignment {
  assignee?: Assignee | null
  group?: GroupName | null
}

/**
 * Assigns a conversation to an operator, to a group, or to nobody.
 * @returns who has it now
 * @throws ApiError invalid_request for one who is no active operator of the team, or no group of it
 */
export async function assignConversation(
  db: Kysely<Tables>,
  lockAssignee: LockAssignee,
  id: string,
  ids: AssignmentIds,
  now: string,
  by: TeamBy,
): Promise<Assigned> {
  return db.transaction().execute(async (db) => {
    const found = await lockAssignment(db, lockAssignee, by.teamId, ids)
    if ('missing' in found) throw invalidField(found.missing, MISSING[found.missing])
    const before = await lockConversation(db, id)
    const changed = await setAssignment(db, before, found, now, by)
    if (changed) {
      const { agent_id: agentId } = before
      const target = `conversation ${id}`
      await record(db, {
        ...by,
        agentId,
        at: now,
        action: 'conversation.assigned',
        target,
        details: { ...ids },
      })
    }
    return changed ?? before
  })
}

/** Reads who some conversations are assigned to; null: nobody, or one who no longer exists. */
export type NamesOfAssigned = (
  db: Kysely<Tables>,
  rows: readonly Assigned[],
) => Promise<(row: Assigned) => { assignee: Assignee | null; group: GroupName | null }>

type Assigned = Pick<ConversationRow, 'assignee_id' | 'group_id'>

/** The error messages for ids that name nobody. */
export const MISSING = {
  operator_id: 'is no active operator of the team',
  group_id: 'is no group of the team',
} as const

/** Reads an operator and a group by their ids, and locks their rows; or says which of the two does not exist. */
export async function lockAssignment(
  db: Kysely<Tables>,
  lockAssignee: LockAssignee,
  teamId: number,
  { operator_id, group_id }: AssignmentIds,
): Promise<Assignment | { missing: keyof AssignmentIds }> {
  const group = typeof group_id === 'number' ? await lockGroup(db, teamId, group_id) : null
  if (group === undefined) return { missing: 'group_id' }
  const assignee = typeof operator_id === 'number' ? await lockAssignee(db, teamId, operator_id) : null
  if (typeof operator_id === 'number' && assignee === null) return { missing: 'operator_id' }
  return { ...(operator_id === undefined ? {} : { assignee }), ...(group_id === undefined ? {} : { group }) }
}

/**
 * Assigns a conversation that the transaction has locked. Writes no audit.
 * @returns the conversation as it is now; null if nothing changed
 */
export async function setAssignment(
  db: Kysely<Tables>,
  before: ConversationRow,
  { assignee, group }: Assignment,
  now: string,
  { actor }: Doer,
): Promise<ConversationRow | null> {
  const { id, agent_id, assignee_id, group_id } = before
  const isOtherPerson = assignee !== undefined && assignee_id !== (assignee?.id ?? null)
  const isOtherGroup = group !== undefined && group_id !== (group?.id ?? null)
  if (!isOtherPerson && !isOtherGroup) return null
  const values = {
    ...(isOtherPerson ? { assignee_id: assignee?.id ?? null } : {}),
    ...(isOtherGroup ? { group_id: group?.id ?? null } : {}),
  }
  const changed = await moveConversation(db, id, values, now, before)
  const details = {
    ...(isOtherPerson ? { operator: assignee && { id: assignee.id, name: assignee.name } } : {}),
    ...(isOtherGroup ? { group: group && { id: group.id, name: group.name } } : {}),
  }
  await addHappening(db, { agent_id, conversation_id: id, kind: 'assigned', by: actor, at: now, details })
  return changed
}
