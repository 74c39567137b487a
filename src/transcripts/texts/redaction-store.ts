import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { atMostEach } from '../../lib/pacing/at-most.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../tables.ts'
import { noMessageWaits, type TextRow } from './waiting-for-redaction.ts'
import type { WrittenRow } from './written-row.ts'

type Db = Kysely<Tables>

/**
 * Writes the redacted texts of a row unless one of them has changed since it was read; returns true if it wrote them.
 * @param written gets the row, whose old texts `reindex` then takes out of the search
 */
export async function writeTexts(
  db: Db,
  { table, id, texts, redacted }: TextRow,
  values: Record<string, string | null>,
  written: WrittenRow[],
): Promise<boolean> {
  const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const read = Object.entries(redacted === undefined ? texts : { ...texts, redacted })
  const isAsRead = read.map(([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where id = ${id} and ${sql.join(isAsRead, sql` and `)}`.execute(db)
  if (numAffectedRows !== 1n) return false
  written.push({ table, id, before: texts, after: { ...texts, ...values } })
  return true
}

/** The purpose of the lock of a redaction, as `engine.lock` needs it. */
const REDACTIONS = 1

/** Queues the redactions of each agent in this process. */
const inTurn = atMostEach<number>(1)

/**
 * Lets one redaction of an agent write at a time, because two could wait for each other's rows. Redactions of this
 * process wait without taking a connection, of which there are few. An engine without row locks has one writer at a
 * time anyway; to wait longer would only let others change more rows.
 */
export async function writeRedaction<T>(
  db: Db,
  engine: Pick<Engine, 'lock' | 'locksRows'>,
  agentId: number,
  write: (db: Db) => Promise<T>,
): Promise<T> {
  if (!engine.locksRows) return db.transaction().execute(write)
  return inTurn(agentId, () =>
    db.transaction().execute(async (db) => {
      await engine.lock(db, REDACTIONS, agentId)
      return write(db)
    }),
  )
}

/** Locks completions, and keeps deliveries that were built from their old texts from being sent. */
export async function lockCompletions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set((row) => ({ redactions: sql<number>`${row.ref('redactions')} + 1` }))
    .where('id', 'in', ids)
    .execute()
}

/** Marks those completions as redacted that have no message left to redact. */
export async function markFinished(db: Db, ids: string[], mode: RedactionMode): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('completions')
    .set({ redacted: mode })
    .where('id', 'in', ids)
    .where(noMessageWaits(mode))
    .execute()
}

/**
 * Returns the condition that a completion is anonymized.
 * @param completion the column of the outer query that holds its id
 */
export function isOfAnonymized(completion: string): RawBuilder<SqlBool> {
  return sql`exists (select 1 from completions
    where completions.id = ${sql.ref(completion)} and completions.redacted = 'anonymize')`
}
