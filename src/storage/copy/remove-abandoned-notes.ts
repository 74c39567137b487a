import { type Kysely, sql } from 'kysely'
import { NOW } from '../copy-notes.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { yieldingTransaction } from '../yielding-transaction.ts'

/**
 * Takes out of the source of a copy what `copy-notes.ts` made there, once nobody has taken the copy up again in time. The
 * keys that it noted hold words of texts, which may have been erased since.
 * @throws Error that `isLocked` while others use a table; the next call goes on there
 */
export async function removeAbandonedNotes(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const names = async (query: string) => {
    const { rows } = await sql<{ name: string }>`${sql.raw(query)}`.execute(db)
    return rows.map(({ name }) => name)
  }
  const run = (statements: readonly string[]) =>
    yieldingTransaction(db, engine, async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db)
    })
  const isAbandoned = async () => {
    const found = await names(
      engine.kind === 'sqlite'
        ? `select name from sqlite_schema where name = 'copy_following'`
        : `select 'copy_following' as name where to_regclass('copy_following') is not null`,
    )
    if (found.length === 0) return false
    return (
      (await names(`select '' as name from copy_following where until > ${NOW[engine.kind]}`)).length === 0
    )
  }
  if (!(await isAbandoned())) return
  const tables = ['drop table if exists copy_notes', 'drop table if exists copy_following']
  if (engine.kind === 'sqlite') {
    const triggers = await names(
      `select name from sqlite_schema where type = 'trigger' and name glob 'copy_note_*'`,
    )
    await run([...triggers.map((name) => `drop trigger if exists ${name}`), ...tables])
    return
  }
  const noted = await names(`select relname as name from pg_proc
    join pg_class on proname = 'copy_note_' || relname
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and pronamespace = relnamespace`)
  for (const name of noted)
    await run([
      `drop trigger if exists copy_note on "${name}"`,
      `drop function if exists copy_note_${name}()`,
    ])
  await run(tables)
}
