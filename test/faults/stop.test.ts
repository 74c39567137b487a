import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testAgent } from '../support/app.ts'
import { startModelServer } from '../support/model-server.ts'
import { databaseWithAgent, startService } from '../support/service-process.ts'

describe('SIGTERM', () => {
  it('finishes the stream that is under way, refuses new connections, and exits 0', async () => {
    await using model = await startModelServer()
    const database = await databaseWithAgent('sqlite')
    const service = await startService({ PARLEY_DATA_DIR: database.dataDir, PARLEY_MODEL_URL: model.url })
    assert.ok(service.credentials)
    const { mode } = await stat(join(database.dataDir, 'master.key'))
    assert.equal(mode & 0o777, 0o600, 'the key is for nobody else to read')
    const headers = {
      'x-api-key': service.credentials.api_key,
      authorization: `Bearer ${service.credentials.bearer_token}`,
      'content-type': 'application/json',
    }
    const feed = model.feed()
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Tell' }], stream: true })
    const pending = fetch(`${service.url}/api/v1/chat/completions`, { method: 'POST', headers, body })
    await model.request(0)
    feed.push('Once ')
    const response = await pending
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.ok(reader)
    let text = (await reader.read()).value ?? ''
    const ended = service.end('SIGTERM')
    // The listening socket is closed before the stream ends.
    let refused = false
    while (!refused)
      refused = await fetch(`${service.url}/healthz`).then(
        () => false,
        () => true,
      )
    feed.push('upon a time')
    feed.end()
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value
    assert.match(text, /upon a time/)
    assert.match(text, /\[DONE\]/)
    assert.deepEqual(await ended, { code: 0, signal: null })

    const again = await startService({ PARLEY_DATA_DIR: database.dataDir, PARLEY_MODEL_URL: model.url })
    const { api_key, bearer_token } = service.credentials
    assert.equal(again.credentials, null, 'credentials are shown once')
    const agent = testAgent(`${again.url}/api/v1`, {
      agentId: 1,
      teamId: 1,
      apiKey: api_key,
      bearerToken: bearer_token,
    })
    assert.equal((await agent.get('/chat/completions/1')).body.data.response, 'Once upon a time')
    await again.end('SIGTERM')
    await database.remove()
  })
})
