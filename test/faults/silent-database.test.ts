import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp } from '../support/app.ts'
import type { FreshDatabase } from '../support/databases.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { type SilentProxy, startSilentProxy } from '../support/silent-proxy.ts'

/** Within the drain limit and the time to store what was cut off. */
const END_LIMIT_MS = 28_000

async function behindProxy(): Promise<{ database: FreshDatabase; proxy: SilentProxy }> {
  const database = await databaseWithAgent('postgres')
  const proxy = await startSilentProxy(database.databaseUrl ?? '')
  return { database: { ...database, databaseUrl: proxy.url }, proxy }
}

// Most of their time is waiting.
describe('a silent network to PostgreSQL', { concurrency: true }, () => {
  it('a network to PostgreSQL that drops everything for a while: 503 meanwhile, and ready within 5 s after', async () => {
    const { database, proxy } = await behindProxy()
    const service = await startService(settingsOn(database))
    const agent = firstAgentOf(service)(service)
    // Several connections are open, so that several are dead.
    await Promise.all(Array.from({ length: 8 }, () => agent.prompt('before')))
    proxy.silence()
    const started = performance.now()
    const answers = await Promise.all(Array.from({ length: 12 }, () => agent.get('/conversations')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]))
    assert.ok(performance.now() - started < 12_000, 'a request waits no longer than this')
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
    assert.ok(proxy.dropped() > 0, 'the silence landed')

    proxy.heal()
    const healed = performance.now()
    while ((await fetch(`${service.url}/readyz`)).status !== 200) await wait(50)
    const seconds = (performance.now() - healed) / 1000
    assert.ok(seconds < 5, `ready after ${seconds} s`)
    await agent.prompt('after')
    assert.equal((await agent.get('/conversations')).body.total, 9)
    await service.end('SIGTERM')
    await proxy.close()
    await database.remove()
  })

  it('SIGTERM ends a process whose database is silent', async () => {
    const { database, proxy } = await behindProxy()
    const service = await startService(settingsOn(database))
    const agent = firstAgentOf(service)(service)
    await agent.prompt('before')
    proxy.silence()
    const asking = agent.get('/conversations').catch(() => null)
    const started = performance.now()
    const { signal } = await service.end('SIGTERM')
    const ms = performance.now() - started
    assert.equal(signal, null, 'it ended by itself')
    assert.ok(ms < END_LIMIT_MS + 2000, `it took ${ms} ms`)
    await asking
    await proxy.close()
    await database.remove()
  })

  it('a query that takes long is waited for while the server is at work for it', async () => {
    const app = await startApp('postgres')
    const { db } = app.app.foundation.database
    await sql`select pg_sleep(5)`.execute(db)
    await app.close()
  })

  it('a process that starts while PostgreSQL is silent waits for it, also when it is asked to stop meanwhile', async () => {
    const { database, proxy } = await behindProxy()
    proxy.silence()
    const starting = startService(settingsOn(database))
    while (proxy.dropped() < 2) await wait(50)
    proxy.heal()
    const service = await starting
    assert.ok(service.credentials, 'the credentials of the first start are shown')
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    await service.end('SIGTERM')

    proxy.silence()
    const dropped = proxy.dropped()
    const child = startService(settingsOn(database), (child) => {
      void (async () => {
        while (proxy.dropped() === dropped) await wait(50)
        child.kill('SIGTERM')
        await once(child, 'exit')
      })()
    })
    await assert.rejects(child, /ended with code 0/)
    await proxy.close()
    await database.remove()
  })
})
