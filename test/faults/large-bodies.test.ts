import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { engines, type FreshDatabase } from '../support/databases.ts'
import { mainThreadMs } from '../support/processor-time.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'

/** Far above the processor time that the bodies cost, and below what they cost unbounded. */
const LONGEST_WAIT_MS = 1000

const MB = 1024 * 1024

function object(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
}

function prompt(content: unknown, fields: object = {}): object {
  return { messages: [{ role: 'user', content }], ...fields }
}

for (const engine of engines) {
  describe(`large bodies on ${engine}`, () => {
    let database: FreshDatabase
    let service: ServiceProcess
    let agent: TestAgent
    before(async () => {
      database = await databaseWithAgent(engine)
      service = await startService(settingsOn(database))
      agent = firstAgentOf(service)(service)
      assert.equal((await agent.post('/chat/completions', prompt('hello'))).status, 200)
    })
    after(async () => {
      await service?.end('SIGTERM')
      await database?.remove()
    })

    /** Sends a body, and tells how long the service worked at most before it answered somebody else meanwhile. */
    async function send(method: string, path: string, body: object) {
      const worked = () => mainThreadMs(Number(service.child.pid))
      const connection = new Agent({ keepAlive: true })
      const json = JSON.stringify(body)
      let isOver = false
      const answer = agent.call(method, path, json).finally(() => {
        isOver = true
      })
      let longest = 0
      while (!isOver) {
        const asked = worked()
        const [response] = await once(
          request(`${service.url}/healthz`, { agent: connection }).end(),
          'response',
        )
        await once(response.resume(), 'end')
        longest = Math.max(longest, worked() - asked)
      }
      connection.destroy()
      return { ...(await answer), longest }
    }

    for (const [name, method, path, body] of [
      ['500,000 fields', 'POST', '/chat/completions', prompt('hello', object(500_000))],
      ['500,000 tags', 'POST', '/chat/completions', prompt('hello', { tags: object(500_000) })],
      ['1,000 tags', 'POST', '/chat/completions', prompt('hello', { tags: object(1000) })],
      ['unknown fields', 'POST', '/notifications', object(999)],
      [
        'a long list',
        'POST',
        '/notifications',
        { name: 'N', url: 'http://x', events: Array(40_000).fill('x') },
      ],
      ['objects in a list', 'PATCH', '/agent', { redaction_patterns: Array(16_000).fill({ name: 7 }) }],
    ] as const) {
      it(`400: ${name}, and nobody waits for long`, async () => {
        const { status, text, longest } = await send(method, path, body)
        assert.equal(status, 400, text)
        assert.ok(longest < LONGEST_WAIT_MS, `${longest} ms`)
      })
    }

    it('200: a text of nearly 10 MB, as one and in parts, and a history of thousands of messages', async () => {
      const line = 'The quick brown fox "jumps" over the lazy dog.\n'
      const history = Array.from({ length: 3001 }, (_, n) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: [{ type: 'text', text: `Message ${n}` }],
      }))
      for (const body of [
        prompt(line.repeat((9 * MB) / 51)),
        prompt(Array.from({ length: 900 }, () => ({ type: 'text', text: line.repeat(200) }))),
        { messages: history },
      ]) {
        const { status, text } = await send('POST', '/chat/completions', body)
        assert.equal(status, 200, text.slice(0, 200))
      }
    })
  })
}
