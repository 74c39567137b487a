import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { ADDRESSES, addWidget, type TestVisitor } from '../../support/widget-visitors.ts'

const PROMPTS_OF_ADDRESS = 60
/** Each may send 20 a minute. */
const VISITORS = 4

for (const [where, env, isTrusted] of [
  ['from anybody', {}, false],
  ['from a trusted proxy', ADDRESSES, true],
] as const)
  onBothEngines(
    `the address of visitors, with headers ${where}`,
    (service) => {
      it(`429 with Retry-After for the ${PROMPTS_OF_ADDRESS + 1}st prompt a minute of an address; other addresses are ${isTrusted ? 'told apart' : 'what the connection says'}`, async () => {
        const widget = await addWidget(service.app, await service.addAgent())
        await widget.agent.post('/pause')
        const visitors: TestVisitor[] = []
        for (let count = 0; count < VISITORS; count++) visitors.push(await widget.visit())
        const send = (count: number, headers: Record<string, string> = {}) =>
          (visitors[count % VISITORS] as TestVisitor).post(
            '/messages',
            { content: `${count}` },
            { 'idempotency-key': `${count}`, ...headers },
          )
        for (let count = 0; count < PROMPTS_OF_ADDRESS; count++)
          assert.equal((await send(count)).status, 200, `prompt ${count + 1}`)
        const refused = await send(PROMPTS_OF_ADDRESS)
        assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
        assert.ok(Number(refused.headers.get('retry-after')) > 0)

        const elsewhere = await send(PROMPTS_OF_ADDRESS + 1, { 'x-forwarded-for': '198.51.100.7' })
        assert.equal(elsewhere.status, isTrusted ? 200 : 429)
        // Addresses that a visitor claims stand before the one that the proxy has seen.
        const claimed = await send(PROMPTS_OF_ADDRESS + 2, {
          'x-forwarded-for': '198.51.100.8, 203.0.113.250',
          forwarded: 'for=198.51.100.8',
          'x-real-ip': '198.51.100.8',
        })
        assert.equal(claimed.status, isTrusted ? 200 : 429)
        for (const count of [3, 4])
          assert.equal((await send(PROMPTS_OF_ADDRESS + count)).status, 429, 'the first address still is')
      })
    },
    env,
  )
