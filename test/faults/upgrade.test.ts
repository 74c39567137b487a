import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createApp, createLogger } from '../../src/app/create-app.ts'
import { bySystem } from '../../src/audit/record.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { openBackfills } from '../../src/storage/backfills.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrations } from '../../src/storage/migrations.ts'
import { testAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { engines, freshDatabase } from '../support/databases.ts'
import {
  assertUpgraded,
  fillOldSchema,
  OLD,
  promptAsBefore,
  takeOutSchema,
  upTo,
} from '../support/old-schema.ts'
import { settingsOn } from '../support/service-process.ts'

const SIZE = 300

for (const engine of engines) {
  it(`an older version answers after each migration, and is then replaced, on ${engine}`, async () => {
    const fresh = await freshDatabase(engine)
    const old = await openDatabase(fresh)
    const config = readConfig({ ...settingsOn(fresh), PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent' })
    let answered = 0
    let isReplaced = false
    /** Prompts of the older version; one that fails, or is ended as a deadlock, fails the test. */
    const client = async (_: unknown, at: number) => {
      for (let n = at; !isReplaced; n += 3) {
        await promptAsBefore(old, n % 2 === 0 ? null : n % SIZE)
        answered++
        // Leaves some of the processor to the upgrade.
        await wait(3)
      }
    }
    /** Waits until the older version has answered prompts that it took after now. */
    const answersOnceMore = async () => {
      const since = answered
      await becomes(() => answered > since + 3, true)
    }
    const upgrade = async () => {
      const newer = await openDatabase(fresh)
      try {
        for (const { name } of migrations.slice(upTo(OLD).length)) {
          await newer.migrate({ migrations: upTo(name) })
          await answersOnceMore().catch((cause) =>
            assert.fail(`the older version does not answer after ${name}: ${cause}`),
          )
        }
      } finally {
        await newer.close()
      }
      const foundation = await openFoundation(config)
      const app = await createApp(foundation, createLogger(config))
      try {
        const url = await app.listen()
        await answersOnceMore()
        const { db } = foundation.database
        const key = await foundation.credentials.issueKey(db, 1, 'test', bySystem)
        const token = { name: 'test', right: 'own', expiresAt: null } as const
        const issued = await foundation.credentials.issueToken(db, 1, token, bySystem)
        assert.ok(key && issued)
        const { api_key: apiKey, bearer_token: bearerToken } = { ...key, ...issued }
        const agent = testAgent(`${url}/api/v1`, { agentId: 1, teamId: 1, apiKey, bearerToken })
        // Beside the older version, in a conversation of it and in one of its own.
        await agent.prompt('And with this one?', { external_id: 'ticket-3' })
        await agent.prompt('And with this one?')
        isReplaced = true
        await becomes(() => openBackfills(db), [])
        const { body } = await agent.get('/inbox?view=all')
        assert.ok(body.data.length > 0)
      } finally {
        await app.close()
      }
    }
    try {
      await takeOutSchema(old)
      await old.migrate({ migrations: upTo(OLD) })
      await fillOldSchema(old.db, SIZE)
      const clients = [0, 1, 2].map(client)
      const upgrading = upgrade().finally(() => {
        isReplaced = true
      })
      await Promise.all([upgrading, ...clients])
      await assertUpgraded(old.db)
    } finally {
      await old.close()
      await fresh.remove()
    }
  })
}
