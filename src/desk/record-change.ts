import type { Kysely } from 'kysely'
import { record } from '../audit/record.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening, type Doer } from '../transcripts/conversations/happenings.ts'
import type { ConversationRow } from '../transcripts/tables.ts'

/** Adds what was done to a conversation to its timeline, and the act of a caller to the audit. */
export async function recordChange(
  db: Kysely<Tables>,
  { id, agent_id }: ConversationRow,
  kind: 'paused' | 'resumed' | 'ended',
  at: string,
  by: Doer,
  details?: Record<string, unknown>,
): Promise<void> {
  if ('teamId' in by)
    await record(db, {
      ...by,
      agentId: agent_id,
      at,
      action: `conversation.${kind}`,
      target: `conversation ${id}`,
      ...(kind === 'ended' && details ? { details } : {}),
    })
  await addHappening(db, {
    agent_id,
    conversation_id: id,
    kind,
    by: by.actor,
    at,
    ...(details ? { details } : {}),
  })
}
