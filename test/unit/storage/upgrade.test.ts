import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import { migrations } from '../../../src/storage/migrations.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { engines, freshDatabase } from '../../support/databases.ts'

for (const kind of engines) {
  describe(`an upgrade on ${kind}`, () => {
    for (const last of ['0009-retired-ids', '0029-search', '0043-import-turns']) {
      it(`from ${last} leads to the schema of a fresh database`, async () => {
        const whole = await schemaAfter([migrations])
        const upgraded = await schemaAfter([upTo(last), migrations])
        assert.deepEqual(upgraded, whole)
      })
    }

    async function schemaAfter(versions: (typeof migrations)[]): Promise<string[]> {
      const fresh = await freshDatabase(kind)
      const { db, engine, migrate, close } = await openDatabase(fresh)
      try {
        if (kind === 'postgres') {
          await sql`drop schema public cascade`.execute(db)
          await sql`create schema public`.execute(db)
        }
        for (const version of versions) {
          const before = await appliedIn(db)
          const applied = await migrate({ migrations: version })
          assert.deepEqual(
            applied,
            version.map(({ name }) => name).filter((name) => !before.includes(name)),
          )
        }
        return await schemaOf(db, engine)
      } finally {
        await close()
        await fresh.remove()
      }
    }
  })
}

function upTo(last: string): typeof migrations {
  return migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1)
}

async function appliedIn(db: Kysely<Tables>): Promise<string[]> {
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'schema_migrations')) return []
  return (await sql<{ name: string }>`select name from schema_migrations`.execute(db)).rows.map(
    ({ name }) => name,
  )
}

/** Describes each column, constraint, index, trigger and function. */
async function schemaOf(db: Kysely<Tables>, { kind }: Engine): Promise<string[]> {
  const described =
    kind === 'sqlite'
      ? sql<{ it: string }>`select type || ' ' || name || ' ' || coalesce(sql, '') as it from sqlite_schema`
      : sql<{ it: string }>`
          select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable,
            -- The time of the migration is the default of one column.
            regexp_replace(column_default, '\\d{4}-\\d\\d-\\d\\dT[^'']+', 'time')) as it
          from information_schema.columns where table_schema = 'public'
          union all select indexdef from pg_indexes where schemaname = 'public'
          union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
            where connamespace = 'public'::regnamespace
          union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
          union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`
  const { rows } = await described.execute(db)
  return rows.map(({ it }) => it.replace(/'\d{4}-\d\d-\d\dT[^']+'/, "'time'")).sort()
}
