import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { type ParamOf, prepared } from '../../../src/storage/prepared.ts'
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
