import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { runSnoozes } from '../../../src/desk/snooze/run-snoozes.ts'
import { setSnooze } from '../../../src/desk/snooze/snooze-conversation.ts'
import { snoozeQueue } from '../../../src/desk/snooze/store.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { lockConversation } from '../../../src/transcripts/conversations/store.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { planOf, queriesOf } from '../../support/list-plans.ts'
import { sharedDatabase } from '../../support/shared.ts'

const BY = { actor: { kind: 'system', id: null, name: null } } as const
const WISH = {
  ...{ user: null, deviceId: null, sessionId: null, conversationId: null, externalId: null },
  ...{ channelId: null, widgetId: null, tags: null, language: null },
}
const MANY = 60

for (const engine of engines) {
  describe(`snoozes on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let nowMs = Date.now()
    const clock = () => nowMs
    const logger = pino({ level: 'silent' })

    async function snoozed(count: number): Promise<void> {
      await database()
        .db.transaction()
        .execute(async (db) => {
          const agent = await createAgent(db, { name: 'Test', teamId: null, nowMs })
          for (let made = 0; made < count; made++) {
            const { conversation } = await openConversation(db, agent, WISH, nowMs)
            const locked = await lockConversation(db, conversation.id)
            await setSnooze(db, locked, timestamp(nowMs + 1000), timestamp(nowMs), BY)
          }
        })
    }

    it('those that were due while nobody worked come back at the start, each once, beside other workers', async () => {
      await snoozed(MANY)
      nowMs += 5000
      const workers = [1, 2, 3].map(() => runSnoozes({ database: database(), clock, logger }))
      for (const worker of workers) worker.start()
      const left = async () => (await database().db.selectFrom('snoozes').select('id').execute()).length
      await becomes(left, 0)
      await Promise.all(workers.map((worker) => worker.stop(0)))
      const lines = await database()
        .db.selectFrom('happenings')
        .select(['conversation_id', 'at'])
        .where('kind', '=', 'unsnoozed')
        .execute()
      assert.equal(lines.length, MANY)
      assert.equal(new Set(lines.map(({ conversation_id }) => conversation_id)).size, MANY)
      const still = database()
        .db.selectFrom('conversations')
        .select('id')
        .where('snoozed_until', 'is not', null)
      assert.deepEqual(await still.execute(), [])
    })

    it('what is due is found in an index, and so is when the next will be', async () => {
      await snoozed(20)
      const queries = await queriesOf(database().db, async () => {
        await snoozeQueue.nextDue(database().db, nowMs)
        await snoozeQueue.claim(database().db, { holder: 'nobody', nowMs, limit: 4 })
      })
      const read = queries.filter(({ sql }) => sql.includes('snoozes'))
      assert.ok(read.length >= 2)
      for (const query of read) {
        const plan = await planOf(database().db, engine, query)
        // The pieces that are looked at, a few, are sorted by whose turn it is.
        const scans = plan.filter((line) => /^SCAN snoozes|Seq Scan on snoozes/.test(line))
        assert.deepEqual(scans, [], plan.join('\n'))
        assert.ok(
          plan.some((line) => line.includes('snoozes_due')),
          plan.join('\n'),
        )
      }
    })
  })
}
