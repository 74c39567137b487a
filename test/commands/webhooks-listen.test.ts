import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { startApp } from '../support/app.ts'
import { startProgram } from '../support/program.ts'
import { addNotification } from '../support/receiver.ts'

const SECRET = 'whsec_of_the_listener'

describe('webhooks listen', () => {
  it('prints what arrives and whether it is genuine', async () => {
    const words = ['webhooks', 'listen', '--json', '--port', '0', '--secret', SECRET]
    const child = await startProgram(words, { stdio: ['ignore', 'pipe', 'inherit'] })
    after(() => child.kill())
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value as string)
    const { url } = await next()
    const body = JSON.stringify({ event: { key: 'prompt_submit' }, text: 'é 😀 / <' })
    const now = Math.floor(Date.now() / 1000)
    const sign = (timestamp: number, secret = SECRET) => ({
      'x-webhook-timestamp': String(timestamp),
      'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
      'webhook-id': 'msg_1',
    })
    for (const [headers, verdict] of [
      [sign(now), 'verified'],
      [sign(now, 'another'), 'wrong signature'],
      [sign(now - 1000), 'too old'],
      [{}, 'not signed'],
      [{ 'x-webhook-secret': SECRET }, 'verified'],
      [{ 'x-webhook-secret': 'x' }, 'wrong secret'],
    ] as const) {
      const answer = await fetch(url, { method: 'POST', body, headers })
      assert.equal(answer.status, 200)
      const told = await next()
      assert.deepEqual([told.event, told.verdict], ['prompt_submit', verdict])
    }
    // A sender that goes away in the middle ends nothing.
    const { hostname, port } = new URL(url)
    const cut = connect(Number(port), hostname)
    cut.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc')
    cut.end()
    await once(cut.resume(), 'close')
    // And what Parley itself sends, signed with a secret of the receiver's choice.
    await using service = await startApp('sqlite')
    const { id } = await addNotification(service.agent, url, { secret: SECRET })
    const { data } = (await service.agent.post(`/notifications/${id}/test`)).body
    assert.equal(data.state, 'delivered')
    const told = await next()
    assert.deepEqual([told.payload.notification.id, told.verdict], [id, 'verified'])
    child.kill('SIGTERM')
    const [code] = await new Promise<[number | null]>((resolve) =>
      child.on('exit', (exit) => resolve([exit])),
    )
    assert.equal(code, 0)
  })
})
