import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startApp, type TestApp } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { type Answer, type ModelServer, pieceFeed, startModelServer } from '../support/model-server.ts'

describe('PostgreSQL drops a connection while an answer is stored', () => {
  let app: TestApp
  let model: ModelServer
  /** Keeps the service from storing what it has, and breaks its connection. */
  let admin: pg.Client

  before(async () => {
    model = await startModelServer()
    app = await startApp('postgres', { PARLEY_MODEL_URL: model.url })
    admin = new pg.Client({ connectionString: app.app.foundation.config.databaseUrl ?? '' })
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    await Promise.all([app.close(), model.close()])
  })

  async function storeBroken(begin: () => void): Promise<void> {
    await admin.query('begin')
    await admin.query('select from completions for update')
    begin()
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    while ((await admin.query(terminate)).rowCount === 0);
    await admin.query('commit')
  }

  const cases: [string, Answer, string][] = [
    ['a whole answer', {}, 'stop'],
    ['what came of a broken one', { ending: 'cut' }, 'error'],
  ]
  for (const [name, answer, finish_reason] of cases)
    it(`${name} is stored over another connection, once`, async () => {
      const pieces = pieceFeed()
      model.reset()
      model.next({ ...answer, pieces })
      const pending = readWholeStream(app.agent, { messages: [{ role: 'user', content: 'Tell' }] })
      await model.request(0)
      pieces.push('Once upon a time')
      await storeBroken(() => pieces.end())
      await pending
      const { data } = (await app.agent.get('/chat/completions')).body
      assert.equal(data[0].finish_reason, finish_reason)
      assert.equal(data[0].response, 'Once upon a time')
      assert.equal(data[0].messages.length, 2)
    })
})
