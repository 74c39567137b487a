import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { tellPeople } from '../../../src/notices/tell-people.ts'
import { addHappening, byUser } from '../../../src/transcripts/conversations/happenings.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines)
  it(`what happens is told without waiting for the regular look on ${engine}`, async (t) => {
    const { fresh, ...database } = await openFreshDatabase(engine)
    const { db } = database
    const now = Date.now()
    const { agentId: agent_id, teamId: team_id } = await db
      .transaction()
      .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: now }))
    const conversation = { id: 'c', agent_id, team_id, sequence: 1, started_at: timestamp(now) }
    await db.insertInto('conversations').values(conversation).execute()
    const wait = { agent_id, conversation_id: 'c', kind: 'waiting', by: byUser, at: timestamp(now) } as const
    const happen = () => db.transaction().execute((db) => addHappening(db, wait))
    const causes = async () => (await db.selectFrom('notice_causes').select('id').execute()).length
    const logger = pino({ level: 'silent' })
    const notices = tellPeople({
      ...{ database, clock: Date.now, logger },
      ...{ isLooking: () => false, isMailing: false },
    })
    await happen()
    assert.equal(await causes(), 1)
    // The regular look waits for a second of this time.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    notices.start()
    await becomes(causes, 0)
    await happen()
    t.mock.timers.tick(100)
    await becomes(causes, 0)
    t.mock.timers.reset()
    await notices.stop(0)
    await database.close()
    await fresh.remove()
  })
