import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { it } from 'node:test'
import { listAllAgents } from '../../src/agents/agent.ts'
import { createAgent } from '../../src/agents/create-agent.ts'
import { createFirstAgent } from '../../src/agents/first-agent.ts'
import { openCredentials } from '../../src/credentials/credentials.ts'
import { issueFirstCredentials } from '../../src/credentials/issue-first-credentials.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { engines, freshDatabase, openFreshDatabase } from '../support/databases.ts'
import { startService } from '../support/service-process.ts'

for (const engine of engines)
  it(`a first start that finds the address taken keeps no credentials to itself, on ${engine}`, async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const database = await freshDatabase(engine)
    const env = {
      PARLEY_DATA_DIR: database.dataDir,
      PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...(database.databaseUrl ? { PARLEY_DATABASE_URL: database.databaseUrl } : {}),
    }
    await assert.rejects(startService({ ...env, PARLEY_PORT: `${port}` }), /ended with code 1/)
    taken.close()
    const service = await startService(env)
    assert.ok(service.credentials, 'the credentials were never shown')
    const { api_key, bearer_token } = service.credentials
    const headers = { 'x-api-key': api_key, authorization: `Bearer ${bearer_token}` }
    assert.equal((await fetch(`${service.url}/api/v1/conversations`, { headers })).status, 200)
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    await database.remove()
  })

/** Nobody is made where an agent is there already. */
const noOwner = () => Promise.reject(new Error('an owner was made'))

for (const engine of engines) {
  it(`a database that has an agent gets no other at the first start, on ${engine}`, async () => {
    const { db, close, fresh } = await openFreshDatabase(engine)
    const box = createSecretBox(Buffer.alloc(32, 7).toString('base64'))
    await createAgent(db, { name: 'made by hand', teamId: null, nowMs: Date.now() })
    await createFirstAgent(db, Date.now())
    assert.deepEqual(
      (await listAllAgents(db)).map(({ name }) => name),
      ['made by hand'],
    )
    assert.equal(await issueFirstCredentials(db, await openCredentials(db, box, Date.now), noOwner), null)
    await close()
    await fresh.remove()
  })
}
