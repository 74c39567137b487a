import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { EventKey } from './keys.ts'

/** Something that happened to an agent. `data` holds what the key adds, and never message text. */
export interface RaisedEvent {
  key: EventKey
  agent_id: number
  occurred_at: string
  conversation_id?: string
  completion_id?: string
  data?: Record<string, unknown>
}

interface EventRow {
  agent_id: number
  key: string
  occurred_at: string
  conversation_id: string | null
  completion_id: string | null
  data: string | null
}

const insertEvent = prepared((db, param: ParamOf<EventRow>) =>
  db.insertInto('events').values({
    agent_id: param('agent_id'),
    key: param('key'),
    occurred_at: param('occurred_at'),
    conversation_id: param('conversation_id'),
    completion_id: param('completion_id'),
    data: param('data'),
  }),
)

/** Writes events in the transaction of their cause: they are there exactly when it is. */
export async function raise(db: Kysely<Tables>, ...events: RaisedEvent[]): Promise<void> {
  for (const { key, agent_id, occurred_at, conversation_id, completion_id, data } of events) {
    await insertEvent(db, {
      key,
      agent_id,
      occurred_at,
      conversation_id: conversation_id ?? null,
      completion_id: completion_id ?? null,
      data: data ? JSON.stringify(data) : null,
    })
  }
}
