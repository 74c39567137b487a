import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { engines } from '../support/databases.ts'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, messageOf, PERSON, sign, startPlatformPeer } from '../support/platform-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

/** On a machine that does nothing else it takes four seconds. */
const TAKEN_UP_WITHIN_MS = 5000

for (const engine of engines) {
  const what = engine === 'sqlite' ? 'the next process' : 'another replica'

  it(`a repeat with an Idempotency-Key is answered by ${what} soon after the first was killed, on ${engine}`, async () => {
    await using model = await startModelServer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
    const first = await startService(env)
    const agentOf = firstAgentOf(first)
    const other = engine === 'postgres' ? await startService(env) : null
    const held = Promise.withResolvers<void>()
    model.next({ after: held.promise })
    const body = {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello' },
      ],
      external_id: 'killed',
    }
    const ask = (service: typeof first) =>
      agentOf(service).call('POST', '/chat/completions', body, { 'idempotency-key': 'the-key' })
    const lost = ask(first).catch(() => null)
    await model.request(0)
    if (other) assert.equal((await ask(other)).status, 409, 'the first is still being answered')
    await first.end('SIGKILL')
    assert.equal(await lost, null, 'the kill landed while it was answered')
    const killed = performance.now()
    const next = other ?? (await startService(env))
    let answer = await ask(next)
    while (answer.status === 409) {
      assert.ok(performance.now() - killed < TAKEN_UP_WITHIN_MS, 'the repeat waits no longer')
      await wait(100)
      answer = await ask(next)
    }
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.choices[0].message.content, 'Hello')
    assert.equal(model.requests.length, 2)
    assert.deepEqual(model.requests[1]?.body.messages, model.requests[0]?.body.messages)
    const again = await ask(next)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.body.id, answer.body.id)
    const { data, total } = (await agentOf(next).get('/chat/completions')).body
    assert.equal(total, 1, 'nothing was made twice')
    assert.deepEqual([data[0].response, data[0].finish_reason], ['Hello', 'stop'])
    held.resolve()
    await next.end('SIGTERM')
    await database.remove()
  })
}

it('a chat that a killed replica was answering goes on with another one within 5 s', async () => {
  await using model = await startModelServer()
  await using peer = await startPlatformPeer()
  const database = await databaseWithAgent('postgres')
  const env = settingsOn(database, {
    PARLEY_MODEL_URL: model.url,
    PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
    PARLEY_ROLES: 'worker',
  })
  const api = await startService({ ...env, PARLEY_ROLES: 'api' })
  const channel = await addChannel(firstAgentOf(api)(api), 'messenger-three', peer)
  const first = await startService(env)
  const held = Promise.withResolvers<void>()
  model.next({ after: held.promise })
  const raw = JSON.stringify(messageOf('messenger-three', PERSON['messenger-three'], 'one', 'hello'))
  const headers = { 'content-type': 'application/json', ...sign('messenger-three', raw, channel.secret) }
  assert.equal((await fetch(channel.url, { method: 'POST', body: raw, headers })).status, 200)
  await model.request(0)
  const second = await startService(env)
  await first.end('SIGKILL')
  const killed = performance.now()
  await model.request(1)
  const ms = performance.now() - killed
  assert.ok(ms < TAKEN_UP_WITHIN_MS, `it took ${ms} ms`)
  await peer.untilSent(1)
  held.resolve()
  await Promise.all([api.end('SIGTERM'), second.end('SIGTERM')])
  await database.remove()
})
