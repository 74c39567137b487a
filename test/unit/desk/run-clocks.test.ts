import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { bySystem } from '../../../src/audit/record.ts'
import { runClocks } from '../../../src/desk/targets/run-clocks.ts'
import { runRecounts } from '../../../src/desk/targets/run-recounts.ts'
import { changeTarget, createTarget } from '../../../src/desk/targets/save-target.ts'
import { newTarget } from '../../../src/desk/targets/target.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { clockQueue } from '../../../src/targets/store.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { waitForPerson } from '../../../src/transcripts/conversations/wait-for-person.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { planOf, queriesOf } from '../../support/list-plans.ts'
import { sharedDatabase } from '../../support/shared.ts'

const WISH = {
  ...{ user: null, deviceId: null, sessionId: null, conversationId: null, externalId: null },
  ...{ channelId: null, widgetId: null, tags: null, language: null },
}
const MANY = 60
const MINUTE_MS = 60_000

for (const engine of engines) {
  describe(`clocks of targets on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let agent: Awaited<ReturnType<typeof createAgent>>
    let targetId: number
    let nowMs = Date.now()
    const clock = () => nowMs
    const logger = pino({ level: 'silent' })

    before(async () => {
      const { db } = database()
      agent = await db.transaction().execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs }))
      const by = { ...bySystem, teamId: agent.teamId }
      const target = newTarget.parse({ name: 'Fast', first_response: 1, within_hours: false })
      targetId = (await createTarget(db, agent.agentId, target, timestamp(nowMs), by)).id
    })

    async function wait(count: number): Promise<void> {
      await database()
        .db.transaction()
        .execute(async (db) => {
          for (let made = 0; made < count; made++) {
            const { conversation } = await openConversation(db, agent, WISH, nowMs)
            await waitForPerson(db, conversation.id, 'asked', timestamp(nowMs))
          }
        })
    }
    const missed = () =>
      database()
        .db.selectFrom('happenings')
        .select('conversation_id')
        .where('kind', '=', 'target_missed')
        .execute()

    it('those that were due while nobody worked are missed at the start, each once, beside other workers', async () => {
      await wait(MANY)
      nowMs += 5 * MINUTE_MS
      // A process ends while it holds some of them.
      const held = await clockQueue.claim(database().db, { holder: 'gone', nowMs, limit: 8 })
      assert.equal(held.length, 8)
      nowMs += 60 * MINUTE_MS
      const workers = [1, 2, 3].map(() => runClocks({ database: database(), clock, logger }))
      for (const worker of workers) worker.start()
      await becomes(async () => (await missed()).length, MANY)
      await Promise.all(workers.map((worker) => worker.stop(0)))
      const told = await missed()
      assert.equal(told.length, MANY)
      assert.equal(new Set(told.map(({ conversation_id }) => conversation_id)).size, MANY)
    })

    it('a changed target is counted anew, also when the worker begins later', async () => {
      await wait(3)
      const { db } = database()
      const by = { ...bySystem, teamId: agent.teamId }
      const now = timestamp(nowMs)
      await changeTarget(db, agent.agentId, targetId, { first_response: 90 }, now, by)
      const worker = runRecounts({ database: database(), clock, logger })
      worker.start()
      const open = db
        .selectFrom('target_clocks')
        .select('ends_at')
        .where('missed_at', 'is', null)
        .where('ended_at', 'is', null)
      const ends = timestamp(nowMs + 90 * MINUTE_MS)
      await becomes(async () => (await open.execute()).map(({ ends_at }) => ends_at), [ends, ends, ends])
      await worker.stop(0)
      const rows = await db.selectFrom('inbox_rows').select('due_at').where('due_at', '=', ends).execute()
      assert.equal(rows.length, 3)
    })

    it('looks for what is due along an index', async () => {
      const { db } = database()
      const queries = await queriesOf(database().db, async () => {
        await clockQueue.claim(db, { holder: 'me', nowMs, limit: 8 })
        await clockQueue.nextDue(db, nowMs)
      })
      const read = queries.filter(({ sql }) => sql.includes('target_clocks'))
      assert.ok(read.length > 0)
      for (const query of read) {
        const plan = await planOf(database().db, engine, query)
        const scans = plan.filter((line) => /^SCAN target_clocks|Seq Scan on target_clocks/.test(line))
        assert.deepEqual(scans, [], query.sql)
      }
    })
  })
}
