import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { openBackfills, runBackfills } from '../../../src/storage/backfills.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { backfillOf, index, later, type Migration, type Step } from '../../../src/storage/migration.ts'
import { migrations } from '../../../src/storage/migrations.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, type FreshDatabase, freshDatabase } from '../../support/databases.ts'

const ROWS = 3000

/** Sets a column of rows that have none, in pieces. */
const fill = (name: string, column: 'early' | 'late') =>
  backfillOf(name, ['things', 'id'], async (db, within) => {
    const set = sql.ref(column)
    await sql`update things set ${set} = id where ${within} and ${set} is null`.execute(db)
  })
/** Counts how often each row was worked. */
const counting = backfillOf('9999-counting', ['things', 'id'], async (db, within) => {
  await sql`update things set times = times + 1 where ${within}`.execute(db)
})
const early = fill('9999-early', 'early')
const late = fill('9999-late', 'late')

const addColumns: Step = async (db) => {
  for (const column of ['early', 'late'])
    await db.schema.alterTable('things').addColumn(column, 'integer').execute()
}
const indexThings = index('things_name', (create) => create.on('things').columns(['name', 'id']))

for (const kind of engines) {
  describe(`steps of a migration on ${kind}`, () => {
    let fresh: FreshDatabase
    let database: Database
    let db: Kysely<Tables>
    const apply = (steps: Step[], backfills = [late]) =>
      database.migrate({
        migrations: [...migrations, { name: '9999-things', steps, backfills } as Migration],
      })

    before(async () => {
      fresh = await freshDatabase(kind)
      database = await openDatabase(fresh)
      db = database.db
      await database.migrate()
      await sql`create table things (id integer primary key, name text, times integer default 0)`.execute(db)
      await sql`create index things_name on things (name)`.execute(db)
      await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)})
        insert into things (id, name) select n, 'thing' from numbers`.execute(db)
    })
    after(async () => {
      await database.close()
      await fresh.remove()
    })

    const count = async (condition: string) => {
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from things where ${sql.raw(condition)}`.execute(db)
      return Number(rows[0]?.n)
    }
    const logged = async () =>
      (
        await sql<{ name: string }>`select name from schema_migrations where name like '9999%'`.execute(db)
      ).rows.map(({ name }) => name)

    it('what was committed before a failure stays, and is not done again', async () => {
      const failing: Step = async (db) => {
        await sql`update things set name = 'lost'`.execute(db)
        throw new Error('died')
      }
      await assert.rejects(apply([addColumns, indexThings, failing, later(late)]), /died/)
      assert.deepEqual(await logged(), ['9999-things#1', '9999-things#2'])
      assert.equal(await count(`name = 'lost'`), 0)
      // Columns that exist cannot be added again: this passes only because the first step is not repeated.
      const steps = [addColumns, indexThings, { pieces: early }, later(late)]
      assert.deepEqual(await apply(steps), ['9999-things'])
      assert.deepEqual(await logged(), ['9999-things'])
      assert.equal(await count('early = id'), ROWS)
    })

    it('a backfill is left to the background, stops when asked, goes on and ends', async () => {
      assert.deepEqual(await openBackfills(db), ['9999-late'])
      assert.equal(await count('late is not null'), 0)
      const stopping = new AbortController()
      const once = { ...late, piece: stopAfter(late.piece, stopping) }
      await runBackfills({ ...database, signal: stopping.signal }, [once])
      const done = await count('late = id')
      assert.ok(done > 0 && done < ROWS, `${done} rows after the first piece`)
      await runBackfills(database, [late])
      assert.equal(await count('late = id'), ROWS)
      assert.deepEqual(await openBackfills(db), [])
    })

    it('two processes work on the same backfill without doing a piece twice', async () => {
      await later(counting)(db, database.engine)
      const other = await openDatabase(fresh)
      try {
        while ((await openBackfills(db)).length > 0)
          await Promise.all([runBackfills(database, [counting]), runBackfills(other, [counting])])
      } finally {
        await other.close()
      }
      assert.equal(await count('times = 1'), ROWS)
    })
  })
}

/** Asks to stop once a piece is done. */
function stopAfter(piece: typeof late.piece, stopping: AbortController): typeof late.piece {
  return async (...given) => {
    stopping.abort()
    return piece(...given)
  }
}

describe('steps of a migration beside others on postgres', () => {
  let fresh: FreshDatabase
  let database: Database
  let other: Database
  const apply = (...steps: Step[]) =>
    database.migrate({ migrations: [...migrations, { name: '9999-things', steps }] })

  before(async () => {
    fresh = await freshDatabase('postgres')
    database = await openDatabase(fresh)
    other = await openDatabase(fresh)
    await database.migrate()
    await sql`create table things (id integer primary key, name text)`.execute(database.db)
    await sql`insert into things values (1, 'same'), (2, 'same')`.execute(database.db)
  })
  after(async () => {
    await database.close()
    await other.close()
    await fresh.remove()
  })

  it('a step that would wait for a table lets others in, and is done when the table is free', async () => {
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    const { promise: began, resolve: begin } = Promise.withResolvers<void>()
    const holding = other.db.transaction().execute(async (db) => {
      await sql`update things set name = 'held' where id = 1`.execute(db)
      begin()
      await done
    })
    await began
    let tries = 0
    const migrating = apply(async (db) => {
      tries++
      await db.schema.alterTable('things').addColumn('early', 'integer').execute()
    })
    try {
      await becomes(() => tries > 2, true)
      // It would wait for ever behind a step that keeps its place in the queue.
      await sql`insert into things values (3, 'other')`.execute(other.db)
    } finally {
      finish()
      await holding
    }
    assert.deepEqual(await migrating, ['9999-things'])
  })

  it('what an interrupted building of an index has left is built again', async () => {
    await sql`delete from schema_migrations where name = '9999-things'`.execute(database.db)
    await sql`update things set name = 'same'`.execute(database.db)
    await sql`create unique index concurrently things_name_next on things (name)`.execute(database.db).then(
      () => assert.fail('the names are not unique'),
      () => {},
    )
    const state = (name: string) =>
      sql<{ valid: boolean; columns: number }>`
      select indisvalid as valid, indnatts as columns from pg_index where indexrelid = to_regclass(${name})`.execute(
        database.db,
      )
    assert.deepEqual((await state('things_name_next')).rows, [{ valid: false, columns: 1 }])
    await apply(index('things_name', (create) => create.on('things').columns(['name', 'id'])))
    assert.deepEqual((await state('things_name')).rows, [{ valid: true, columns: 2 }])
    assert.deepEqual((await state('things_name_next')).rows, [])
  })
})
