import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { type ParamOf, prepared } from '../../../src/storage/prepared.ts'
import { preparedInsert } from '../../../src/storage/prepared-insert.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { startApp } from '../../support/app.ts'
import { type FreshDatabase, freshDatabase } from '../../support/databases.ts'
import { startModelServer } from '../../support/model-server.ts'
import { startTurnsProxy, type TurnsProxy } from '../../support/turns-proxy.ts'

interface Team {
  id: number
  name: string
  created_at: string
}

const insertTeams = preparedInsert<Team>('teams', ['id', 'name', 'created_at'])
const selectTeam = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('teams').select('name').where('id', '=', param('id')),
)
const renameTeam = prepared((db, param: ParamOf<{ id: number; name: string }>) =>
  db
    .updateTable('teams')
    .set({ name: param('name') })
    .where('id', '=', param('id')),
)

function team(id: number, name: string): Team {
  return { id, name, created_at: 'now' }
}

describe('a transaction on postgres', () => {
  let fresh: FreshDatabase
  let proxy: TurnsProxy
  let database: Database
  let db: Kysely<Tables>

  before(async () => {
    fresh = await freshDatabase('postgres')
    proxy = await startTurnsProxy(fresh.databaseUrl ?? '')
    database = await openDatabase({ ...fresh, databaseUrl: proxy.url })
    await database.migrate()
    db = database.db
    await insertTeams(db, [team(70, 'taken')])
  })
  after(async () => {
    await database.close()
    await proxy.close()
    await fresh.remove()
  })

  const nameOf = async (id: number) => (await selectTeam(db, { id }))[0]?.name

  it('reads go with its begin, writes with its commit', async () => {
    await db.transaction().execute(async (db) => {
      await selectTeam(db, { id: 70 })
      await insertTeams(db, [team(71, 'two round trips')])
      await renameTeam(db, { id: 71, name: 'two round trips, renamed' })
    })
    assert.deepEqual(proxy.roundTripsOf('two round trips, renamed'), [2])
    assert.equal(await nameOf(71), 'two round trips, renamed')
  })

  it('no write goes before its begin is answered', async () => {
    await db.transaction().execute((db) => insertTeams(db, [team(72, 'begun before')]))
    assert.deepEqual(proxy.roundTripsOf('begun before'), [2])
  })

  it('a read sees the writes that were sent before it', async () => {
    const [seen] = await db.transaction().execute(async (db) => {
      void insertTeams(db, [team(73, 'sent')])
      return selectTeam(db, { id: 73 })
    })
    assert.equal(seen?.name, 'sent')
  })

  it('a write that fails and that nobody waits for: its error, and nothing is kept', async () => {
    const failing = db.transaction().execute(async (db) => {
      await selectTeam(db, { id: 70 })
      await insertTeams(db, [team(74, 'before the failure')])
      await insertTeams(db, [team(70, 'again')])
      await insertTeams(db, [team(75, 'behind the failure')])
    })
    const error = await failing.catch((error: unknown) => error)
    assert.equal(database.engine.isUniqueViolation(error), true, String(error))
    assert.equal(await nameOf(74), undefined)
    assert.equal(await nameOf(75), undefined)
    assert.equal(await nameOf(70), 'taken')
  })

  it('what is read behind a write that failed fails with the error of the write', async () => {
    let readError: unknown
    const failing = db.transaction().execute(async (db) => {
      await selectTeam(db, { id: 70 })
      await insertTeams(db, [team(70, 'again')])
      await selectTeam(db, { id: 70 }).catch((error) => {
        readError = error
      })
    })
    const error = await failing.catch((error: unknown) => error)
    assert.equal(database.engine.isUniqueViolation(readError), true, String(readError))
    assert.equal(error, readError, 'a failure that is caught undoes the transaction all the same')
  })

  it('more writes than are sent at once', async () => {
    const ids = Array.from({ length: 200 }, (_, at) => 1000 + at)
    await db.transaction().execute(async (db) => {
      for (const id of ids) await insertTeams(db, [team(id, 'many')])
      for (const id of ids) await renameTeam(db, { id, name: `many ${id}` })
    })
    for (const id of ids) assert.equal(await nameOf(id), `many ${id}`)
  })

  it('the connection is lost while writes are on their way: unavailable, nothing is kept, and the next one works', async () => {
    const failing = db.transaction().execute(async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      await insertTeams(db, [team(76, 'lost')])
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      await insertTeams(db, [team(77, 'lost too')])
    })
    const error = await failing.catch((error: unknown) => error)
    assert.equal(database.engine.isUnavailable(error), true, String(error))
    assert.equal(await nameOf(76), undefined)
    assert.equal(await nameOf(77), undefined)
    await db.transaction().execute((db) => insertTeams(db, [team(76, 'kept')]))
    assert.equal(await nameOf(76), 'kept')
  })
})

it('a prompt waits for PostgreSQL three times before the model is asked, and three times after', async (t) => {
  const fresh = await freshDatabase('postgres')
  const proxy = await startTurnsProxy(fresh.databaseUrl ?? '')
  const model = await startModelServer()
  const env = { PARLEY_DATABASE_URL: proxy.url, PARLEY_MODEL_URL: model.url, PARLEY_ROLES: 'api' }
  const { agent, close } = await startApp('postgres', env)
  t.after(async () => {
    await close()
    await model.close()
    await proxy.close()
    await fresh.remove()
  })
  // The first prompt of an agent also makes its counter.
  await agent.prompt('the harbour')
  const visitor = { user: 'u-1', metadata: { device_id: 'd-1', session_id: 's-1' } }
  const { conversation_id } = await agent.prompt('the first lighthouse', visitor)
  // The model answers with the prompt's own words.
  assert.deepEqual(proxy.roundTripsOf('the first lighthouse'), [3, 3])
  await agent.prompt('the second lighthouse', { conversation_id })
  assert.deepEqual(proxy.roundTripsOf('the second lighthouse'), [4, 3], 'one more, for what was said before')
})
