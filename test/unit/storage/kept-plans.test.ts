import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely'
import { type ParamOf, prepared } from '../../../src/storage/prepared.ts'
import { SqliteCompiler } from '../../../src/storage/sqlite-query-compiler.ts'
import { openFreshDatabase } from '../../support/databases.ts'

const selectTeam = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('teams').selectAll().where('id', '=', param('id')),
)

describe('plans of prepared queries on postgres', () => {
  let database: Awaited<ReturnType<typeof openFreshDatabase>>

  before(async () => {
    database = await openFreshDatabase('postgres')
    await database.db.insertInto('teams').values({ id: 71, name: 'team', created_at: 'now' }).execute()
  })
  after(async () => {
    await database.close()
    await database.fresh.remove()
  })

  it('are kept by the connection', async () => {
    await selectTeam(database.db, { id: 71 })
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements`.execute(database.db)
    assert.ok(rows.some(({ statement }) => statement.includes('from "teams"')))
  })

  it('a table that a newer version has changed: unavailable once, and then planned anew', async () => {
    await selectTeam(database.db, { id: 71 })
    await sql`alter table teams add column later text`.execute(database.db)
    const failure = await selectTeam(database.db, { id: 71 }).catch((error: unknown) => error)
    assert.ok(failure instanceof Error, 'the plan was not kept')
    assert.equal(database.engine.isUnavailable(failure), true)
    assert.equal((await selectTeam(database.db, { id: 71 })).length, 1)
  })
})

describe('plans of queries on sqlite', () => {
  it('are kept when a limit is given as a parameter', () => {
    const db = new Kysely<{ teams: { id: number } }>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteCompiler(),
      },
    })
    const compiled = db.selectFrom('teams').selectAll().orderBy('id').limit(2).offset(1).compile()
    const database = new DatabaseSync(':memory:')
    database.exec('create table teams (id integer primary key); insert into teams values (1), (2), (3), (4)')
    // SQLite asks it whenever it plans a statement.
    let asked = 0
    database.setAuthorizer(() => {
      asked++
      return 0
    })
    const statement = database.prepare(compiled.sql)
    const whenPrepared = asked
    assert.ok(whenPrepared > 0)
    assert.deepEqual(
      statement.all(2, 1).map(({ id }) => id),
      [2, 3],
    )
    assert.deepEqual(
      statement.all(1, 0).map(({ id }) => id),
      [1],
    )
    assert.equal(asked, whenPrepared)
    database.close()
  })
})
