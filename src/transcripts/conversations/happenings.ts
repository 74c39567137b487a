import { type Kysely, sql } from 'kysely'
import type { Actor, TeamBy } from '../../audit/record.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { rowOfAgent } from '../../storage/rows-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import type { HappeningRow } from '../tables.ts'

/** The topic of wake-ups, in the same process, for what concerns people: happenings, and messages to an assignee. */
export const HAPPENINGS = 'happenings'

/** The actor who caused something in a conversation. */
export type HappeningActor =
  | Actor
  | {
      kind: HappeningRow['actor_kind']
      id: number | null
      name: string | null
      /** The run of a macro in which the actor does it, and which the timeline shows as one line. */
      run?: number
      /** The cause that the act of a rule goes back to, so that no rule that has run for it runs again. */
      cause?: string
    }

/** The actor of an act on a conversation. The acts of callers are also recorded in the audit. */
export type Doer = TeamBy | { actor: HappeningActor }

/** The conversation's end user. */
export const byUser: HappeningActor = { kind: 'user', id: null, name: null }

/** Something other than a message that happened in a conversation. */
interface Happening {
  agent_id: number
  conversation_id: string
  kind: HappeningRow['kind']
  by: HappeningActor
  /** The chat completion that led to it. */
  completion_id?: string | null
  note_id?: number
  /** The reason, and what changed: codes, ids and names of the team's own things, never text of end users. */
  details?: Record<string, unknown>
  /** A timestamp. */
  at: string
}

const insert = prepared((db, param: ParamOf<Omit<HappeningRow, 'id' | 'after_message'>>) =>
  db.insertInto('happenings').values({
    agent_id: param('agent_id'),
    conversation_id: param('conversation_id'),
    kind: param('kind'),
    at: param('at'),
    after_message: sql<number>`coalesce((select max(id) from messages where conversation_id = ${param('conversation_id')}), 0)`,
    actor_kind: param('actor_kind'),
    actor_id: param('actor_id'),
    actor_name: param('actor_name'),
    completion_id: param('completion_id'),
    note_id: param('note_id'),
    details: param('details'),
    part_of: param('part_of'),
    cause: param('cause'),
  }),
)

/** Reads a happening of an agent; undefined if there is none. */
export const readHappening = rowOfAgent((db) => db.selectFrom('happenings').selectAll())

/** Records a happening after the conversation's last message, in the transaction that causes it. */
export async function addHappening(db: Kysely<Tables>, happening: Happening): Promise<void> {
  const { agent_id, conversation_id, kind, at, by, completion_id, note_id, details } = happening
  await insert(db, {
    agent_id,
    conversation_id,
    kind,
    at,
    actor_kind: by.kind,
    actor_id: by.id,
    actor_name: by.name,
    completion_id: completion_id ?? null,
    note_id: note_id ?? null,
    details: details ? JSON.stringify(details) : null,
    part_of: ('run' in by && by.run) || null,
    cause: ('cause' in by && by.cause) || null,
  })
  wake(db, HAPPENINGS, 'here')
}

/** Records the outcome of a macro's run in the happening that was stored at its start. */
export async function recordMacroOutcome(
  db: Kysely<Tables>,
  conversationId: string,
  run: number,
  details: Record<string, unknown>,
): Promise<void> {
  await db
    .updateTable('happenings')
    .set({ details: JSON.stringify(details) })
    .where('conversation_id', '=', conversationId)
    .where('kind', '=', 'macro')
    .where('part_of', '=', run)
    .execute()
}
