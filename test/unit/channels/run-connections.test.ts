import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import type { Channel } from '../../../src/channels/channel.ts'
import {
  type ConnectionDependencies,
  runConnections,
} from '../../../src/channels/connections/run-connections.ts'
import { CONNECTIONS, connectAnew } from '../../../src/channels/connections/store.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const BAD = 1
const GOOD = 2

for (const engine of engines) {
  describe(`connections on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let nowMs = Date.now()

    it('one that cannot be opened rests longer after each failure, and holds up no other', async () => {
      const now = timestamp(nowMs)
      const of = { kind: 'telegram', name: null, settings: '{}', created_at: now, updated_at: now }
      await database()
        .db.transaction()
        .execute(async (db) => {
          const { agentId: agent_id, teamId: team_id } = await createAgent(db, {
            name: 'A',
            teamId: null,
            nowMs,
          })
          for (const id of [BAD, GOOD]) {
            await db
              .insertInto('channels')
              .values({ id, agent_id, team_id, ...of })
              .execute()
            await connectAnew(db, { id, agent_id }, now)
          }
        })
      const off = { id: GOOD, kind: 'telegram', isActive: false, platform: { connection: {} } }
      const working = runConnections({
        ...{ database: database(), clock: () => nowMs, logger: pino({ level: 'silent' }), baseUrl: () => '' },
        channels: {
          async byId(id) {
            if (id === BAD) throw new Error('poisoned')
            return off as unknown as Channel
          },
        },
        outbound: { of: () => ({}) } as unknown as ConnectionDependencies['outbound'],
        receiving: {} as ConnectionDependencies['receiving'],
      })
      const row = (id: number) =>
        database()
          .db.selectFrom('channel_connections')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      async function rest() {
        const { attempts, due_at, failure, leased_until } = await row(BAD)
        return leased_until === null && { attempts, failure, ms: Date.parse(due_at ?? '') - nowMs }
      }
      working.start()
      await becomes(async () => (await row(GOOD)).due_at, null)
      for (const [nth, ms] of [1000, 4000, 16_000, 60_000, 60_000].entries()) {
        await becomes(rest, { attempts: nth + 1, failure: 'internal', ms })
        nowMs += ms
        database().wakeUps.send(CONNECTIONS)
      }
      await working.stop(0)
      assert.equal((await row(GOOD)).attempts, 0)
    })
  })
}
