import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { startMcpPeer } from '../support/mcp-server.ts'
import { startModelServer } from '../support/model-server.ts'
import { startPeer } from '../support/peer.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { withoutMarks } from '../support/without-marks.ts'

const CALLS = [
  ['order', 'callOrder'],
  ['look_up', 'calLookup'],
] as const

/** With PostgreSQL a turn that nobody takes up is only looked for once a minute. */
const WAYS = {
  sqlite: [
    'a channel',
    'a channel, with tools of an MCP server',
    'a repeated request',
    'a request that nobody repeats',
  ],
  postgres: ['a channel', 'a repeated request'],
} as const

for (const engine of engines) {
  describe(`kill -9 between the call of a tool and its result, on ${engine}`, () => {
    for (const way of WAYS[engine]) {
      it(`${way}: only what is idempotent is called again, the model reads of the rest that nobody knows`, async () => {
        const reached = Promise.withResolvers<void>()
        let isHeld = true
        const called: string[] = []
        const note = (name: string, answer: () => void) => {
          called.push(name)
          if (!isHeld) answer()
          else if (called.length === CALLS.length) reached.resolve()
        }
        await using peer = await startPeer((response, { path }) =>
          note(path.slice(1), () => response.end('done')),
        )
        await using server = await startMcpPeer(
          CALLS.map(([name]) => ({
            name,
            inputSchema: { type: 'object' },
            annotations: { readOnlyHint: name === 'look_up' },
          })),
          ({ params, answer }) =>
            note(String(params.name), () => answer({ content: [{ type: 'text', text: 'done' }] })),
        )
        await using model = await startModelServer()
        await using resources = new AsyncDisposableStack()
        const platform = resources.adopt(await startPlatformPeer(), (platform) => platform.close())
        const database = resources.adopt(await databaseWithAgent(engine), (database) => database.remove())
        const env = settingsOn(database, {
          PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
          PARLEY_MODEL_URL: model.url,
        })
        let service = await startService(env)
        resources.defer(() => service.end('SIGTERM').then(() => {}))
        const agentOf = firstAgentOf(service)
        const agent = agentOf(service)
        const isMcp = way.endsWith('MCP server')
        const ofServer = { kind: 'mcp', name: 'shop', url: server.url }
        if (isMcp) assert.equal((await agent.post('/tools', ofServer)).status, 201)
        else
          for (const [name] of CALLS) {
            const method = name === 'order' ? 'POST' : 'GET'
            const url = `${peer.url}/${name}`
            const made = await agent.post('/tools', { kind: 'http', name, description: name, method, url })
            assert.equal(made.status, 201, made.text)
          }
        model.next({
          tool_calls: CALLS.map(([name, id]) => ({
            id,
            type: 'function',
            function: { name: isMcp ? `shop_${name}` : name, arguments: '{}' },
          })),
        })
        const channel = way.startsWith('a channel') ? await addChannel(agent, 'helpdesk', platform) : null
        const ask = (asked: TestAgent) =>
          asked.post(
            '/chat/completions',
            { messages: [{ role: 'user', content: 'Order one.' }], external_id: 'chat' },
            way === 'a repeated request' ? { 'idempotency-key': 'once' } : {},
          )
        const begun = channel ? channel.says('Order one.') : ask(agent).catch(() => null)
        await reached.promise
        const { signal } = await service.end('SIGKILL')
        assert.equal(signal, 'SIGKILL')
        await begun
        // Both had arrived, and neither was answered when the process died.
        assert.deepEqual(called.toSorted(), ['look_up', 'order'])
        assert.equal(model.requests.length, 1)
        isHeld = false

        model.answer = { text: 'So it is.' }
        service = await startService(env)
        const again = agentOf(service)
        if (channel) await platform.untilSent(1)
        else if (way === 'a repeated request') {
          // Until the first process is known to be gone, it might still answer.
          await until(async () => {
            const { status, text } = await ask(again)
            assert.ok(status === 200 || status === 409, text)
            return status === 200
          })
        } else {
          await until(async () => {
            const [last] = (await again.get('/chat/completions')).body.data
            return last.finish_reason === 'error'
          })
          assert.equal((await ask(again)).status, 200)
        }
        const results = Object.fromEntries(
          (model.requests.at(-1)?.body.messages ?? []).flatMap((message) =>
            message.role === 'tool'
              ? [[(message as { tool_call_id?: string }).tool_call_id, withoutMarks(message.content)]]
              : [],
          ),
        )
        assert.match(results.callOrder ?? '', /^outcome unknown/)
        const times = (name: string) => called.filter((one) => one === name).length
        assert.equal(times('order'), 1)
        // A turn that was ended before its request was repeated makes no call by itself: the model may.
        const isRepeated = times('look_up') === 2
        assert.equal(
          results.calLookup,
          isRepeated ? 'done' : 'Error: the call was interrupted. It can be made again.',
        )
        if (channel) assert.ok(isRepeated)
        assert.equal((await again.get('/conversations')).body.total, 1)
      })
    }
  })
}
