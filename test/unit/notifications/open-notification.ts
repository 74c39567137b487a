import { createAgent } from '../../../src/agents/create-agent.ts'
import { bySystem } from '../../../src/audit/record.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { insertDelivery } from '../../../src/notifications/delivery-log.ts'
import { createNotification } from '../../../src/notifications/save-notification.ts'
import { type EngineKind, openFreshDatabase } from '../../support/databases.ts'

export const NOW = '2026-11-21T12:00:00.000Z'

/** A database with a notification in it, and deliveries when they are asked for. */
export async function openNotification(kind: EngineKind, url = 'http://127.0.0.1:9/') {
  const database = await openFreshDatabase(kind)
  const { db } = database
  const box = createSecretBox(Buffer.alloc(32, 7).toString('base64'))
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
  const { agentId, teamId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: Date.parse(NOW) }))
  const wish = {
    name: 'Test receiver',
    url,
    security: 'signature' as const,
    events: ['*'] as ['*'],
    active: true,
  }
  const { row } = await createNotification({ db, box, outbound }, agentId, wish, NOW, {
    ...bySystem,
    teamId,
  })
  return {
    ...database,
    box,
    notification: row,
    notificationId: row.id,
    /** Adds a delivery of an example, which has no event. */
    addDelivery: () =>
      insertDelivery(db, {
        notification_id: row.id,
        agent_id: agentId,
        event_id: null,
        event_key: 'prompt_submit',
        completion_id: null,
        state: 'pending',
        created_at: NOW,
        sent_at: null,
        replay_of: null,
      }),
    async [Symbol.asyncDispose]() {
      await outbound.close()
      await database.close()
      await database.fresh.remove()
    },
  }
}
