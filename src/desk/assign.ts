import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { invalidField } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { tell } from '../transcripts/conversations/happenings.ts'
import { lockConversation, updateConversation } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** A person to whom conversations can be assigned. */
export interface Assignee {
  readonly id: number
  readonly name: string
}

/** Reads an active operator of a team, and locks the row until the transaction ends. */
export type LockAssignee = (db: Kysely<Tables>, teamId: number, id: number) => Promise<Assignee | null>

/**
 * Assigns a conversation to an operator, or to nobody.
 * @param operatorId null: nobody
 * @returns the assignee it has now
 * @throws ApiError invalid_request if `operatorId` is not an active operator of the team
 */
export async function assignConversation(
  db: Kysely<Tables>,
  lockAssignee: LockAssignee,
  id: string,
  operatorId: number | null,
  now: string,
  by: TeamBy,
): Promise<Assignee | null> {
  return db.transaction().execute(async (db) => {
    const assignee = operatorId === null ? null : await lockAssignee(db, by.teamId, operatorId)
    if (operatorId !== null && assignee === null)
      throw invalidField('operator_id', 'is no active operator of the team')
    const before = await lockConversation(db, id)
    if (await setAssignee(db, before, assignee, now, by)) {
      const { agent_id: agentId } = before
      const [target, details] = [`conversation ${id}`, { operator_id: operatorId }]
      await record(db, { ...by, agentId, at: now, action: 'conversation.assigned', target, details })
    }
    return assignee
  })
}

/**
 * Does the same for a conversation that is locked, within a transaction and without a row in the audit.
 * @returns whether it changed
 */
export async function setAssignee(
  db: Kysely<Tables>,
  { id, agent_id, assignee_id }: ConversationRow,
  assignee: Assignee | null,
  now: string,
  { actor }: Pick<TeamBy, 'actor'>,
): Promise<boolean> {
  if (assignee_id === (assignee?.id ?? null)) return false
  await updateConversation(db, id, { assignee_id: assignee?.id ?? null })
  const details = { operator: assignee && { id: assignee.id, name: assignee.name } }
  await tell(db, { agent_id, conversation_id: id, kind: 'assigned', by: actor, at: now, details })
  return true
}
