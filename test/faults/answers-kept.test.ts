import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startApp, type TestApp } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { type Answer, type ModelServer, startModelServer } from '../support/model-server.ts'

describe('PostgreSQL drops a connection while a prompt is answered', () => {
  let app: TestApp
  let model: ModelServer
  /** Holds the service up, and breaks its connection. */
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

  /**
   * Breaks the connection that waits for a lock of `admin`. Others wait for one another: commits that wake somebody up
   * go one by one, and what a commit came to could not be known.
   */
  async function breakAt(lock: string, begin: () => void): Promise<void> {
    await admin.query('begin')
    await admin.query(lock)
    begin()
    // Within a transaction, pg_stat_activity never shows the connections opened after it was first read. pg_locks does.
    const terminate = `select pg_terminate_backend(pid) from pg_locks
      where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
    const late = Date.now() + 60_000
    while ((await admin.query(terminate)).rowCount === 0)
      if (Date.now() > late) {
        const { rows } = await admin.query('select pid, relation::regclass, mode, granted from pg_locks')
        throw new Error(`nobody waits for the lock: ${JSON.stringify(rows)}`)
      }
    await admin.query('commit')
  }

  const cases: [string, Answer, string][] = [
    ['a whole answer', {}, 'stop'],
    ['what came of a broken one', { ending: 'cut' }, 'error'],
  ]
  for (const [name, answer, finish_reason] of cases)
    it(`${name} is stored over another connection, once`, async () => {
      model.reset()
      const pieces = model.feed(answer)
      const pending = readWholeStream(app.agent, { messages: [{ role: 'user', content: 'Tell' }] })
      await model.request(0)
      pieces.push('Once upon a time')
      await breakAt('select from completions for update', () => pieces.end())
      await pending
      const { data } = (await app.agent.get('/chat/completions')).body
      assert.equal(data[0].finish_reason, finish_reason)
      assert.equal(data[0].response, 'Once upon a time')
      assert.equal(data[0].messages.length, 2)
    })

  it('the rules of the agent are read over another connection', async () => {
    model.reset()
    // A conversation that begins reads in its transaction which automations run then.
    const { conversation_id } = await app.agent.prompt('hello')
    const tag = { name: 'tag', actions: [{ type: 'add_note', text: 'noted' }] }
    assert.equal((await app.agent.post('/automations', tag)).status, 201)
    let answer: ReturnType<TestApp['agent']['prompt']> | undefined
    await breakAt('lock table rules in access exclusive mode', () => {
      answer = app.agent.prompt('hello', { conversation_id })
    })
    assert.equal((await answer)?.choices[0].message.content, 'hello')
  })

  it('what was shown in the conversation is read over another connection', async () => {
    model.reset()
    const cta = { name: 'Book', content: 'Book now', max_per_conversation: 2 }
    assert.equal((await app.agent.post('/ctas', cta)).status, 201)
    let answer: ReturnType<TestApp['agent']['prompt']> | undefined
    await breakAt('lock table cta_counts in access exclusive mode', () => {
      answer = app.agent.prompt('hello')
    })
    assert.equal((await answer)?.choices[0].message.content, 'hello')
  })
})
