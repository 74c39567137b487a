import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { runDeskAutomations } from '../../../src/rules/run-desk-automations.ts'
import { insertRule } from '../../../src/rules/store.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

const WISH = {
  ...{ user: null, deviceId: null, sessionId: null, conversationId: null, externalId: null },
  ...{ channelId: null, widgetId: null, tags: null, language: null },
}

for (const engine of engines)
  it(`automations on an opened conversation do not wait for the regular look on ${engine}`, async (t) => {
    const { fresh, ...database } = await openFreshDatabase(engine)
    const { db } = database
    const nowMs = Date.now()
    const at = timestamp(nowMs)
    const agent = await db
      .transaction()
      .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs }))
    await insertRule(db, {
      ...{ agent_id: agent.agentId, kind: 'automation', name: 'Opened', active: 1, position: 1 },
      ...{ settings: '{}', on_event: 'opened', created_at: at, updated_at: at },
    })
    const open = () => db.transaction().execute((db) => openConversation(db, agent, WISH, nowMs))
    const jobs = async () =>
      (await db.selectFrom('desk_jobs').select('state').orderBy('id').execute()).map(({ state }) => state)
    const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
    const automations = runDeskAutomations({
      ...{ database, clock: Date.now, logger: pino({ level: 'silent' }), outbound },
      box: createSecretBox(Buffer.alloc(32).toString('base64')),
      evaluators: { evaluate: () => Promise.reject(new Error('nothing is evaluated')) },
      rulesOf: async () => null,
      isSpent: async () => false,
      lockAssignee: async () => null,
    })
    await open()
    // The regular look waits for a second of this time.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    automations.start()
    await becomes(jobs, ['done'])
    await open()
    assert.deepEqual(await jobs(), ['done', 'waiting'])
    t.mock.timers.tick(100)
    await becomes(jobs, ['done', 'done'])
    t.mock.timers.reset()
    await automations.stop(0)
    await outbound.close()
    await database.close()
    await fresh.remove()
  })
