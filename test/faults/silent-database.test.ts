import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp, type TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

// A machine whose processors all wait for others takes many times as long. The kernel gives up after a quarter of an
// hour.
const ENDS_WITHIN_MS = 60_000
const ANSWERS_WITHIN_MS = 60_000
const READY_WITHIN_MS = 30_000

/** Makes a database behind proxies. What still runs when the test ends, also by a failure, is ended. */
async function behindProxy(t: TestContext) {
  const resources = new AsyncDisposableStack()
  t.after(() => resources.disposeAsync())
  const database = resources.adopt(await databaseWithAgent('postgres'), (database) => database.remove())
  const proxyAnew = async () =>
    resources.adopt(await startSilentProxy(database.databaseUrl ?? ''), (proxy) => proxy.close())
  const start = (proxy: { url: string }, begun: (child: ChildProcess) => void = () => {}) =>
    startService(settingsOn({ ...database, databaseUrl: proxy.url }), (child) => {
      resources.defer(() => void child.kill('SIGKILL'))
      begun(child)
    })
  return { proxy: await proxyAnew(), proxyAnew, start }
}

/** Prompts until it is answered: a server that has no processor for two seconds is silent, too. */
function prompted(agent: TestAgent, content: string): Promise<void> {
  const body = { messages: [{ role: 'user', content }] }
  return until(async () => (await agent.post('/chat/completions', body)).status === 200)
}

async function ready({ url }: { url: string }): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await wait(50)
}

// Most of their time is waiting.
describe('a silent network to PostgreSQL', { concurrency: true }, () => {
  it('a network to PostgreSQL that drops everything for a while: 503 meanwhile, and ready by itself after', async (t) => {
    const { proxy, start } = await behindProxy(t)
    const service = await start(proxy)
    const agent = firstAgentOf(service)(service)
    // Several connections are open, so that several are dead.
    await Promise.all(Array.from({ length: 8 }, () => prompted(agent, 'before')))
    proxy.silence()
    const started = performance.now()
    const answers = await Promise.all(Array.from({ length: 12 }, () => agent.get('/conversations')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]))
    const waited = performance.now() - started
    assert.ok(waited < ANSWERS_WITHIN_MS, `a request waited for ${waited} ms`)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
    assert.ok(proxy.dropped() > 0, 'the silence landed')

    proxy.heal()
    const healed = performance.now()
    await ready(service)
    const ms = performance.now() - healed
    assert.ok(ms < READY_WITHIN_MS, `ready after ${ms} ms`)
    await prompted(agent, 'after')
    await until(async () => (await agent.get('/conversations')).body.total >= 9)
    await service.end('SIGTERM')
  })

  it('SIGTERM ends a process whose database is silent', async (t) => {
    const { proxy, start } = await behindProxy(t)
    const service = await start(proxy)
    const agent = firstAgentOf(service)(service)
    await prompted(agent, 'before')
    proxy.silence()
    const asking = agent.get('/conversations').catch(() => null)
    const started = performance.now()
    const { signal } = await service.end('SIGTERM')
    const ms = performance.now() - started
    assert.equal(signal, null, 'it ended by itself')
    assert.ok(ms < ENDS_WITHIN_MS, `it took ${ms} ms`)
    await asking
  })

  it('a query that takes long is waited for while the server is at work for it', async (t) => {
    const app = await startApp('postgres')
    t.after(() => app.close())
    const { db } = app.app.foundation.database
    // For the reason that `prompted` has, it may take more than one.
    const slept = () =>
      sql`select pg_sleep(5)`.execute(db).then(
        () => true,
        () => false,
      )
    await until(slept)
  })

  it('a process that starts while PostgreSQL is silent waits for it, also when it is asked to stop meanwhile', async (t) => {
    const { proxy, proxyAnew, start } = await behindProxy(t)
    proxy.silence()
    const starting = start(proxy)
    while (proxy.dropped() < 2) await wait(50)
    proxy.heal()
    const service = await starting
    assert.ok(service.credentials, 'the credentials of the first start are shown')
    await ready(service)
    await service.end('SIGTERM')

    // The old one may still drop what the process said at its end.
    const silent = await proxyAnew()
    silent.silence()
    const child = start(silent, (child) => {
      void (async () => {
        while (silent.dropped() === 0) await wait(50)
        child.kill('SIGTERM')
        await once(child, 'exit')
      })()
    })
    await assert.rejects(child, /ended with code 0/)
  })
})
