import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'

for (const engine of engines) {
  it(`a process that only works answers no requests of the API on ${engine}, but tells how it is`, async () => {
    await using worker = await startApp(engine, { PARLEY_ROLES: 'worker' })
    for (const path of ['/conversations', '/channels/1/messenger-three'])
      assert.equal((await fetch(`${worker.baseUrl}${path}`, { headers: worker.agent.headers })).status, 404)
    for (const path of ['/healthz', '/readyz', '/metrics'])
      assert.equal((await fetch(`${worker.url}${path}`)).status, 200)
  })
}
