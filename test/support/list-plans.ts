import { CompiledQuery, type Kysely, sql } from 'kysely'
import { currentTrace } from '../../src/lib/tracing/tracing.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { aroundQueries } from './around-queries.ts'
import type { EngineKind } from './databases.ts'

/** Returns the queries that a database runs outside of transactions for the requests of some work. */
export function queriesOfRequests(
  db: Kysely<Tables>,
  work: () => Promise<unknown>,
): Promise<CompiledQuery[]> {
  // What runs in the background meanwhile has no trace.
  return queriesOf(db, work, () => currentTrace() !== null)
}

/** Returns the queries that a database runs outside of transactions during some work. */
export async function queriesOf(
  db: Kysely<Tables>,
  work: () => Promise<unknown>,
  isMeant: () => boolean = () => true,
): Promise<CompiledQuery[]> {
  const seen: CompiledQuery[] = []
  const end = aroundQueries(db, (query, run) => {
    if (isMeant()) seen.push(query)
    return run()
  })
  try {
    await work()
  } finally {
    end()
  }
  return seen
}

/** Returns the lines of the plan with which an engine runs a query. */
export async function planOf(
  db: Kysely<Tables>,
  engine: EngineKind,
  query: CompiledQuery,
): Promise<string[]> {
  if (engine === 'sqlite') {
    const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
    const { rows } = await db.executeQuery<{ detail: string }>(explain)
    return rows.map(({ detail }) => detail)
  }
  return db.transaction().execute(async (db) => {
    // The tables of a test are small: reading them whole would cost less than using an index.
    await sql`set local enable_seqscan = off`.execute(db)
    await sql`set local enable_bitmapscan = off`.execute(db)
    await sql`set local enable_sort = off`.execute(db)
    const explain = CompiledQuery.raw(`explain (costs off) ${query.sql}`, [...query.parameters])
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explain)
    return rows.map((row) => row['QUERY PLAN'])
  })
}

/** Returns the parts of a plan whose cost grows with the table: full scans, and sorts where a few rows are wanted. */
export function growingParts(plan: string[], query: CompiledQuery): string[] {
  const isLimited = / limit /.test(query.sql)
  return plan.filter(
    (line) =>
      /^SCAN (?!counted|limited|CONSTANT|\(|\d)/.test(line) ||
      /Seq Scan on/.test(line) ||
      (isLimited && /TEMP B-TREE FOR ORDER BY|^\s*(->\s+)?(Incremental )?Sort\b/.test(line)),
  )
}

/** Returns the number of pages that PostgreSQL reads for a query. */
export async function pagesOf(db: Kysely<Tables>, query: CompiledQuery): Promise<number> {
  const explain = CompiledQuery.raw(`explain (analyze, buffers, costs off) ${query.sql}`, [
    ...query.parameters,
  ])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explain)
  const [, hit = 0, read = 0] =
    /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(rows.map((row) => row['QUERY PLAN']).join(' ')) ??
    []
  return Number(hit) + Number(read)
}
