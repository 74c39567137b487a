import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { testAgent } from '../support/app.ts'
import { engines, freshDatabase } from '../support/databases.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { runProgram } from '../support/program.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'
import { firstAgentOf, startService } from '../support/service-process.ts'

const SECRET = 'a long random text'
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

/** Runs the command in a process of its own. */
async function rotate(env: Record<string, string>) {
  const { out, code } = await runProgram(['rotate-master-key', '--json'], { env })
  return { ...JSON.parse(out), code } as { resealed: number; unopened: string[]; code: number }
}

/** Stores a sealed key as that of the first agent's model. */
async function writeModelKey(dataDir: string, api_key: string | null): Promise<void> {
  const { db, close } = await openDatabase({ databaseUrl: null, dataDir })
  const { settings } = await db.selectFrom('agents').select('settings').executeTakeFirstOrThrow()
  const present = JSON.parse(settings)
  const changed = { ...present, model: { ...present.model, api_key } }
  await db
    .updateTable('agents')
    .set({ settings: JSON.stringify(changed) })
    .execute()
  await close()
}

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
      const { resealed, unopened, code } = await rotate(both)
      assert.ok(resealed >= 8)
      assert.deepEqual([unopened, code], [[], 0])
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

describe('rotate-master-key of a generated key', () => {
  it('leaves an installation that starts without any variable, finished or not', async () => {
    const { dataDir, remove } = await freshDatabase('sqlite')
    const env = { PARLEY_DATA_DIR: dataDir }
    const file = join(dataDir, 'master.key')
    const first = await startService(env)
    const agentAt = firstAgentOf(first)
    await first.end('SIGTERM')
    const startedWithoutVariables = async () => {
      const service = await startService(env)
      assert.equal((await agentAt(service).get('/agent')).status, 200)
      await service.end('SIGTERM')
    }

    const generated = (await readFile(file, 'utf8')).trim()
    const both = { ...env, PARLEY_MASTER_KEY: key(2), PARLEY_MASTER_KEY_PREVIOUS: generated }
    await writeModelKey(
      dataDir,
      createSecretBox(key(9)).sealFor(null, 'foreign', 'agents|1|settings.model.api_key'),
    )
    const unfinished = await rotate(both)
    assert.deepEqual([unfinished.unopened, unfinished.code], [['agents|1|settings.model.api_key'], 1])
    assert.equal(await readFile(file, 'utf8'), `${key(2)}\n${generated}\n`)

    await writeModelKey(dataDir, null)
    await startedWithoutVariables()
    assert.equal((await rotate(both)).code, 0)
    assert.equal(await readFile(file, 'utf8'), `${key(2)}\n`)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    await startedWithoutVariables()
    await remove()
  })

  it('leaves a master.key of other data alone', async () => {
    const { dataDir, remove } = await freshDatabase('sqlite')
    const file = join(dataDir, 'master.key')
    const env = { PARLEY_DATA_DIR: dataDir }
    await (await startService({ ...env, PARLEY_MASTER_KEY: key(1) })).end('SIGTERM')
    await writeFile(file, `${key(9)}\n`, { mode: 0o600 })
    await rotate({ ...env, PARLEY_MASTER_KEY: key(2), PARLEY_MASTER_KEY_PREVIOUS: key(1) })
    assert.equal(await readFile(file, 'utf8'), `${key(9)}\n`)
    await remove()
  })
})
