import { type Kysely, sql } from 'kysely'
import { queues } from '../../lib/queues.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../tables.ts'
import { forgotten } from './text-columns.ts'
import { inScope, noMessageWaits, type RedactionScope, type TextRow } from './waiting-for-redaction.ts'

type Db = Kysely<Tables>

/** Writes the redacted texts of a row unless one of them has changed since it was read; tells whether it did. */
export async function writeTexts(
  db: Db,
  { table, id, texts, redacted }: TextRow,
  values: Record<string, string | null>,
): Promise<boolean> {
  const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const read = Object.entries(redacted === undefined ? texts : { ...texts, redacted })
  const isAsRead = read.map(([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where id = ${id} and ${sql.join(isAsRead, sql` and `)}`.execute(db)
  return numAffectedRows === 1n
}

/** The purpose of the lock that a redaction of an agent takes. */
const REDACTIONS = 1

/** Redactions of an agent in this process. */
const inTurn = queues<number>()

/**
 * Lets one redaction of an agent write at a time: two would wait for each other's rows. Those of this process wait
 * without a connection, of which there are few. Where no rows are locked one transaction writes at a time anyway, and a
 * redaction that waited longer than that would find more that others have changed.
 */
export async function writeRedaction(
  db: Db,
  engine: Pick<Engine, 'lock' | 'locksRows'>,
  agentId: number,
  write: (db: Db) => Promise<void>,
): Promise<void> {
  if (!engine.locksRows) return db.transaction().execute(write)
  await inTurn(agentId, () =>
    db.transaction().execute(async (db) => {
      await engine.lock(db, REDACTIONS, agentId)
      await write(db)
    }),
  )
}

/** Keeps deliveries from being made of completions until the transaction ends; afterwards, of what they read before. */
export async function lockCompletions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set((row) => ({ redactions: sql<number>`${row.ref('redactions')} + 1` }))
    .where('id', 'in', ids)
    .execute()
}

/** Forgets the bodies of webhooks that told of completions, and what receivers answered to them. */
export async function wipeDeliveries(
  db: Db,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set(forgotten('deliveries'))
    .where('payload', 'is not', null)
    .where('completion_id', 'in', (select) =>
      select
        .selectFrom('completions')
        .select('completions.id')
        .where(inScope(agentId, scope, mode)),
    )
    .execute()
}

/** Marks those of some completions as redacted of which no message row waits any more. */
export async function markFinished(db: Db, ids: string[], mode: RedactionMode): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set({ redacted: mode })
    .where('id', 'in', ids)
    .where(noMessageWaits(mode))
    .execute()
}
