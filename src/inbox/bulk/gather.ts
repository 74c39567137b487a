import type { Kysely } from 'kysely'
import type { Actor } from '../../audit/record.ts'
import { selectConversationsToUndo } from '../../macros/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { keysOfPerson } from '../../users/person-store.ts'
import type { Lease } from '../../work/lease.ts'
import type { InboxQuery } from '../inbox-query.ts'
import { readerOf } from '../inbox-reader.ts'
import { readInbox } from '../read-inbox.ts'
import type { BulkActRow } from '../tables.ts'
import type { BulkWork } from './bulk-action.ts'
import { scopeOf } from './seen-by-actor.ts'
import type { BulkFilter } from './start-bulk.ts'
import { addItems, bulkQueue, updateBulkAct } from './store.ts'

/** The number of conversations gathered in one transaction. */
const GATHERED = 500

/** Stores the conversations of an act: those that match its filter, or those in which it has a macro to undo. */
export async function gather(db: Kysely<Tables>, act: BulkActRow, lease: Lease): Promise<void> {
  const action = JSON.parse(act.action) as BulkWork
  const found = action.type === 'undo_macro' ? ofRuns(db, action.bulk_act) : matching(db, act)
  let matched = act.matched
  for await (const ids of found) {
    lease.signal.throwIfAborted()
    await lease.transaction(async (db) => {
      matched += await addItems(db, act.id, ids)
      await bulkQueue.progress(db, act)
      await updateBulkAct(db, act.id, { matched })
    })
  }
  lease.signal.throwIfAborted()
  await lease.transaction((db) => updateBulkAct(db, act.id, { state: 'working', filter: null }))
}

/**
 * Reads the conversations that match. A new message moves its conversation to the top, which has already been read, so
 * the top is read again until nothing has moved.
 */
async function* matching(db: Kysely<Tables>, act: BulkActRow): AsyncGenerator<string[]> {
  const { user_id, ...filter } = JSON.parse(act.filter ?? '{}') as BulkFilter
  const person = user_id && (await keysOfPerson(db, act.agent_id, user_id))
  const query: InboxQuery = { ...filter, user_id: person, sort: 'latest' }
  const actor = JSON.parse(act.actor) as Actor
  const reader = await readerOf(db, { actor })
  const owner = { agentId: act.agent_id, teamId: act.team_id, scope: await scopeOf(db, actor) }
  let [readTo, newest] = [-1, -1]
  do {
    readTo = newest
    let cursor: string | null = null
    let isNew = true
    do {
      const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(db, owner, reader, query, {
        per_page: GATHERED,
        cursor: cursor ?? undefined,
      })
      newest = Math.max(newest, page.rows[0]?.last_message_id ?? -1)
      const moved = page.rows.filter(({ last_message_id }) => last_message_id > readTo)
      isNew = moved.length === page.rows.length
      const ids = moved.map(({ conversation_id }) => conversation_id)
      if (ids.length > 0) yield ids
      cursor = page.nextCursor
    } while (cursor !== null && isNew)
  } while (newest > readTo)
}

/** Reads the conversations in which a bulk act has run a macro that nobody has undone. */
async function* ofRuns(db: Kysely<Tables>, bulkId: number): AsyncGenerator<string[]> {
  for (let last = ''; ; ) {
    const ids = await selectConversationsToUndo(db, bulkId, last, GATHERED)
    const next = ids.at(-1)
    if (next === undefined) return
    yield ids
    last = next
  }
}
