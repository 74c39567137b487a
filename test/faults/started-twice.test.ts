import assert from 'node:assert/strict'
import { it } from 'node:test'
import { engines } from '../support/databases.ts'
import { openStream } from '../support/event-stream.ts'
import { startModelServer } from '../support/model-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

for (const engine of engines) {
  const [what, code] = engine === 'sqlite' ? ['its data directory served', 2] : ['the address taken', 1]
  it(`a second service that finds ${what} ends, and leaves the answers of the first alone`, async () => {
    await using model = await startModelServer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
    const service = await startService(env)
    const agent = firstAgentOf(service)(service)
    const pieces = model.feed()
    const opening = openStream(agent, { messages: [{ role: 'user', content: 'Tell' }] })
    await model.request(0)
    pieces.push('Once')
    const stream = await opening
    const { port } = new URL(service.url)
    const second = startService({ ...env, ...(engine === 'postgres' ? { PARLEY_PORT: port } : {}) })
    await assert.rejects(second, new RegExp(`ended with code ${code}`))
    pieces.end()
    while ((await stream.next()) !== null);
    const { data } = (await agent.get('/chat/completions/1')).body
    assert.deepEqual([data.response, data.finish_reason], ['Once', 'stop'])
    await service.end('SIGKILL')
    const next = await startService(env)
    assert.equal((await firstAgentOf(service)(next).get('/chat/completions/1')).body.data.response, 'Once')
    await next.end('SIGTERM')
    await database.remove()
  })
}
