import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { finishMigrations } from '../../../src/app/finish-migrations.ts'
import { startRedactionWork } from '../../../src/redaction/redaction-work.ts'
import { openBackfills } from '../../../src/storage/backfills.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import type { MigrateOptions } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { triggers } from '../../../src/triggers.ts'
import { engines, freshDatabase } from '../../support/databases.ts'
import {
  assertUpgraded,
  fillOldSchema,
  OLD,
  promptAsBefore,
  takeOutSchema,
  upTo,
} from '../../support/old-schema.ts'

/** The migrations after which an upgrade begins or rests: each leaves others to the next version. */
const RESTS = [OLD, '0026-inbox', '0043-import-turns']

const redactionWork = startRedactionWork()
after(() => redactionWork.close())

for (const kind of engines) {
  describe(`an upgrade on ${kind}`, () => {
    let whole: string[]
    before(async () => {
      whole = await upgraded(async () => {}, migrations)
    })

    for (const rest of RESTS) {
      it(`of a filled database by way of ${rest} leads to the schema and the rows of this version`, async () => {
        const found = await upgraded(
          async (database) => {
            await fillOldSchema(database.db, 60)
            await database.migrate({ migrations: upTo(rest) })
            for (let at = 0; at < 20; at++) await promptAsBefore(database, at % 2 === 0 ? null : at)
          },
          upTo(OLD),
          migrations,
        )
        assert.deepEqual(found, whole)
      })
    }

    it('that stops after each step goes on there', async () => {
      await upgraded(async (database) => {
        await fillOldSchema(database.db, 30)
        for (let isWhole = false; !isWhole; ) {
          const stopping = new AbortController()
          let reports = 0
          const report = () => {
            if (++reports === 2) stopping.abort()
          }
          isWhole = await database.migrate({ report, signal: stopping.signal }).then(
            () => true,
            (error) => {
              if (error.name !== 'AbortError') throw error
              return false
            },
          )
        }
      }, upTo(OLD))
    })

    /** Migrates to one version, does something in it, then to the other if there is one. @returns the schema */
    async function upgraded(
      between: (database: Database) => Promise<void>,
      first: typeof migrations,
      second?: typeof migrations,
    ): Promise<string[]> {
      const fresh = await freshDatabase(kind)
      const database = await openDatabase(fresh)
      const { db, engine, migrate, close } = database
      try {
        await takeOutSchema(database)
        await migrate(optionsOf(first))
        await between(database)
        if (second) {
          const before = await appliedIn(db)
          const missing = second.map(({ name }) => name).filter((name) => !before.includes(name))
          assert.deepEqual(await migrate(optionsOf(second)), missing)
        }
        if (first !== migrations) {
          // Between the steps and the backfills an older version still writes.
          for (let at = 0; at < 20; at++) await promptAsBefore(database, at % 2 === 0 ? null : at)
          await finishMigrations({ ...database, redactionWork })
          assert.deepEqual(await openBackfills(db), [])
          await assertUpgraded(db)
        }
        return await schemaOf(db, engine)
      } finally {
        await close()
        await fresh.remove()
      }
    }
  })
}

/** Only this version has the triggers of its rooms; earlier ones had those of their migrations. */
function optionsOf(list: typeof migrations): MigrateOptions {
  return list === migrations ? { migrations: list, triggers } : { migrations: list }
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
