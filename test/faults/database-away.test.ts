import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { assertError, startApp, type TestApp } from '../support/app.ts'
import { addChannel, messageOf, PERSON, sign } from '../support/platform-peer.ts'

describe('PostgreSQL goes away', () => {
  let app: TestApp
  let admin: pg.Client

  before(async () => {
    app = await startApp('postgres')
    const url = new URL(app.app.foundation.config.databaseUrl ?? '')
    url.pathname = '/postgres'
    admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    await app.close()
  })

  it('503 with Retry-After while it is away, not ready but alive, and all goes on when it is back', async () => {
    await app.agent.prompt('before')
    const channel = await addChannel(app.agent, 'messenger-three', { url: 'http://127.0.0.1:9' })
    assert.equal((await fetch(channel.url)).status, 200)
    const name = new URL(app.app.foundation.config.databaseUrl ?? '').pathname.slice(1)
    // Nobody gets in any more, and who was in is thrown out: the same as a server that is gone, for this database.
    await admin.query(`alter database ${name} allow_connections false`)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    const away = await app.agent.get('/conversations')
    assertError(away, 503, 'unavailable')
    assert.ok(Number(away.headers.get('retry-after')) > 0)
    assert.equal((await fetch(`${app.url}/readyz`)).status, 503)
    assert.equal((await fetch(`${app.url}/healthz`)).status, 200)
    const raw = JSON.stringify(messageOf('messenger-three', PERSON['messenger-three'], 'away', 'hello'))
    const webhook = await fetch(channel.url, {
      method: 'POST',
      body: raw,
      headers: { 'content-type': 'application/json', ...sign('messenger-three', raw, channel.secret) },
    })
    assert.equal(webhook.status, 503)
    assert.ok(Number(webhook.headers.get('retry-after')) > 0)
    assert.equal((await fetch(channel.url)).status, 200)
    await admin.query(`alter database ${name} allow_connections true`)
    const back = await app.agent.prompt('after')
    assert.equal((await app.agent.get('/conversations')).body.total, 2)
    assert.ok(back.id)
  })
})
