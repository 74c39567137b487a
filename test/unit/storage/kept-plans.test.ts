import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import { type ParamOf, prepared } from '../../../src/storage/prepared.ts'
import { SqliteCompiler } from '../../../src/storage/sqlite/sqlite-query-compiler.ts'
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
    for (const _ of ['learns the columns', 'is planned']) await selectTeam(database.db, { id: 71 })
    assert.deepEqual(await planned(), ['teams'])
  })

  it('a column that a newer version has added: the plan stays, and reads what it read', async () => {
    const { db } = database
    for (const _ of ['learns the columns', 'is planned']) await selectTeam(db, { id: 71 })
    await sql`alter table teams add column later text`.execute(db)
    const [team] = await db.transaction().execute(async (db) => selectTeam(db, { id: 71 }))
    assert.deepEqual([team?.name, Object.keys(team ?? {}).includes('later')], ['team', false])
    assert.deepEqual(await planned(), ['teams'])
  })

  for (const [what, change] of [
    ['changed', sql`alter table teams alter column later type text collate "C"`],
    ['dropped', sql`alter table teams drop column later`],
  ] as const)
    it(`a column that a newer version has ${what}: unavailable once, and then planned anew`, async () => {
      const next = await openDatabase(database.fresh)
      try {
        for (const _ of ['learns the columns', 'is planned']) await selectTeam(next.db, { id: 71 })
        await change.execute(database.db)
        const failure = await selectTeam(next.db, { id: 71 }).catch((error: unknown) => error)
        assert.ok(failure instanceof Error, 'the plan was not kept')
        assert.equal(next.engine.isUnavailable(failure), true)
        assert.equal((await selectTeam(next.db, { id: 71 })).length, 1)
      } finally {
        await next.close()
      }
    })

  it('of two tables, where the columns of one are read', async () => {
    const selectBoth = prepared((db, param: ParamOf<{ id: number }>) =>
      db
        .selectFrom('agents')
        .innerJoin('teams', 'teams.id', 'agents.team_id')
        .selectAll('agents')
        .select('teams.name as team')
        .where('teams.id', '=', param('id')),
    )
    const { db } = database
    const agent = { team_id: 71, name: 'agent', settings: '{}', created_at: 'now' }
    await db.insertInto('agents').values(agent).execute()
    const before = await selectBoth(db, { id: 71 })
    assert.deepEqual([before[0]?.name, before[0]?.team], ['agent', 'team'])
    assert.deepEqual(await selectBoth(db, { id: 71 }), before)
    await sql`alter table agents add column later text`.execute(db)
    assert.deepEqual(await selectBoth(db, { id: 71 }), before)
  })

  /** The tables of the plans that the connection keeps. */
  async function planned(): Promise<string[]> {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements`.execute(database.db)
    return rows.flatMap(({ statement }) => /^select .* from "(\w+)"/.exec(statement)?.[1] ?? [])
  }
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
