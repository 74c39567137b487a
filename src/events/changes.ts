import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { beforeCommit, wake } from '../storage/waking-db.ts'
import type { Change } from './change.ts'
import { writeChanges } from './change-log.ts'

/** The topic of the wake-ups for changes. */
export const CHANGES = 'changes'

/** The changes of each open transaction so far, in order: each conversation and message once. */
const collected = new WeakMap<Kysely<Tables>, Map<Key, Change>>()

/**
 * Records a change made by the transaction `db`. It is written to the log at the end of the transaction, and live
 * streams report it.
 */
export function changed(db: Kysely<Tables>, change: Change): void {
  const changes = collected.get(db) ?? begin(db)
  const key = keyOf(change)
  const present = changes.get(key)
  if (change.type === 'conversation' && present?.type === 'conversation')
    changes.set(key, { ...change, fields: [...new Set([...present.fields, ...change.fields])] })
  else if (change.type === 'agent') changes.set(key, { ...present, ...change })
  // A new message is read with its later changes.
  else if (!present) changes.set(key, change)
}

/** The number of a message, the UUID of a conversation, or the name of an agent or of its replies. */
type Key = number | string

function keyOf(change: Change): Key {
  if ('message_id' in change) return change.message_id
  return change.type === 'conversation' ? `${change.conversation_id}` : `${change.type} ${change.agent_id}`
}

function begin(db: Kysely<Tables>): Map<Key, Change> {
  const changes = new Map<Key, Change>()
  beforeCommit(db, (db) => writeChanges(db, [...changes.values()]))
  collected.set(db, changes)
  // Other processes look at intervals. Waking them for every prompt would cost more.
  wake(db, CHANGES, 'here')
  return changes
}
