import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { testAgent } from '../support/app.ts'
import { engines, freshDatabase } from '../support/databases.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service-process.ts'

const SECRET = 'a long random text'
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

for (const engine of engines) {
  describe(`rotate-master-key on ${engine}`, () => {
    it('seals every secret anew while the service runs with both keys; the new one alone is enough then', async () => {
      const database = await freshDatabase(engine)
      await using receiver = await startReceiver()
      const called = Promise.withResolvers<void>()
      await using judge: Peer = await startPeer((response) => {
        response.end('{"score":1}')
        // The evaluator that is tried, then the automation.
        if (judge.requests.length === 2) called.resolve()
      })
      const env = {
        PARLEY_DATA_DIR: database.dataDir,
        PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
        ...(database.databaseUrl ? { PARLEY_DATABASE_URL: database.databaseUrl } : {}),
      }
      const before = await startService({ ...env, PARLEY_MASTER_KEY: key(1) })
      assert.ok(before.credentials)
      const { api_key: apiKey, bearer_token: bearerToken } = before.credentials
      const agentAt = (url: string) =>
        testAgent(`${url}/api/v1`, { agentId: 1, teamId: 1, apiKey, bearerToken })
      const agent = agentAt(before.url)
      await agent.patch('/agent', { redaction: { url: 'http://127.0.0.1:9', api_key: 'key-of-redaction' } })
      const channel = await agent.post('/channels', {
        kind: 'messenger-one',
        settings: { app_secret: 'app-secret-1234', access_token: 'token-12345678' },
      })
      const { id } = await addNotification(agent, receiver.url, { events: ['prompt_submit'] })
      await agent.post(`/notifications/${id}/rotate-secret`, { grace_seconds: 3600 })
      const judged = await agent.post('/evaluators', {
        name: 'Own judge',
        kind: 'webhook',
        settings: { url: judge.url, secret: SECRET },
      })
      await agent.post('/automations', {
        name: 'Call',
        actions: [
          { type: 'tag', tag: 'x' },
          { type: 'call_webhook', url: judge.url, secret: SECRET },
        ],
      })
      await before.end('SIGTERM')

      const both = { ...env, PARLEY_MASTER_KEY: key(2), PARLEY_MASTER_KEY_PREVIOUS: key(1) }
      const during = await startService(both)
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['src/main.js', 'rotate-master-key', '--json'],
        { env: { ...process.env, ...both } },
      )
      assert.ok(JSON.parse(stdout).resealed >= 8)
      assert.equal((await agentAt(during.url).get('/agent')).status, 200)
      assert.equal((await agentAt(during.url).post(`/notifications/${id}/test`)).body.data.state, 'delivered')
      await during.end('SIGTERM')

      const after = await startService({ ...env, PARLEY_MASTER_KEY: key(2) })
      const now = agentAt(after.url)
      const { settings } = (await now.get(`/channels/${channel.body.data.id}`)).body.data
      assert.deepEqual(settings.app_secret, { set: true, last_four: '1234' })
      assert.equal((await now.get('/agent')).body.data.redaction.api_key.last_four, 'tion')
      assert.equal((await now.post(`/notifications/${id}/test`)).body.data.state, 'delivered')
      await now.post(`/evaluators/${judged.body.data.id}/try`, { text: 'hello' })
      await now.prompt('hello')
      await called.promise
      for (const { headers, body } of judge.requests) {
        const signed = `${headers['x-webhook-timestamp']}.${body}`
        const signature = createHmac('sha256', SECRET).update(signed).digest('hex')
        assert.equal(headers['x-webhook-signature'], `sha256=${signature}`)
      }
      await after.end('SIGTERM')
      await database.remove()
    })
  })
}
