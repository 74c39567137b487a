import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testAgent } from '../support/app.ts'
import { freshDatabase } from '../support/databases.ts'
import { openStream } from '../support/event-stream.ts'
import { pieceFeed, startModelServer } from '../support/model-server.ts'
import { startService } from '../support/service-process.ts'

it('a second service that finds the address taken ends, and leaves the answers of the first alone', async () => {
  await using model = await startModelServer()
  const database = await freshDatabase('sqlite')
  const env = { PARLEY_DATA_DIR: database.dataDir, PARLEY_MODEL_URL: model.url }
  const service = await startService(env)
  assert.ok(service.credentials)
  const agent = testAgent(`${service.url}/api/v1`, {
    agentId: 1,
    teamId: 1,
    apiKey: service.credentials.api_key,
    bearerToken: service.credentials.bearer_token,
  })
  const pieces = pieceFeed()
  model.next({ pieces })
  const opening = openStream(agent, { messages: [{ role: 'user', content: 'Tell' }] })
  await model.request(0)
  pieces.push('Once')
  const stream = await opening
  await assert.rejects(startService({ ...env, PARLEY_PORT: new URL(service.url).port }), /ended with code 1/)
  pieces.end()
  while ((await stream.next()) !== null);
  const { data } = (await agent.get('/chat/completions/1')).body
  assert.deepEqual([data.response, data.finish_reason], ['Once', 'stop'])
  await service.end('SIGTERM')
  await database.remove()
})
