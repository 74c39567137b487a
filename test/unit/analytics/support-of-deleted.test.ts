import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { lockAgent, updateAgent } from '../../../src/agents/store.ts'
import { countPending, countRetry } from '../../../src/analytics/support/count-support.ts'
import { countAlone } from '../../../src/analytics/support/retry-store.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const NOW_MS = Date.now()
const NOW = timestamp(NOW_MS)
const TABLES = ['support_pending', 'support_retries', 'support_rows', 'support_counts'] as const
const WISH = {
  ...{ user: null, deviceId: null, sessionId: null, conversationId: null, externalId: null },
  ...{ channelId: null, widgetId: null, tags: null, language: null },
}

for (const engine of engines)
  describe(`figures of support of a deleted agent on ${engine}`, () => {
    const database = sharedDatabase(engine)

    /** An agent with a conversation that is not counted yet. */
    async function addAgent() {
      const agent = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: NOW_MS }))
      const { conversation } = await database()
        .db.transaction()
        .execute((db) => openConversation(db, agent, WISH, NOW_MS))
      return { agentId: agent.agentId, conversationId: conversation.id }
    }
    async function rowsOf(agentId: number) {
      const counts: Record<string, number> = {}
      for (const table of TABLES) {
        const { rows } = await sql<object>`
          select 1 from ${sql.table(table)} where agent_id = ${agentId}`.execute(database().db)
        if (rows.length > 0) counts[table] = rows.length
      }
      return counts
    }
    /** Deletes the agent while its conversation is counted. */
    async function deleteDuring(agentId: number, count: () => Promise<void>): Promise<void> {
      let counting: Promise<void> | undefined
      await database()
        .db.transaction()
        .execute(async (db) => {
          await lockAgent(db, agentId)
          let isDone = false
          counting = count().finally(() => {
            isDone = true
          })
          if (engine === 'postgres')
            await becomes(async () => {
              const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database().db)
              return isDone || rows.length > 0
            }, true)
          await updateAgent(db, agentId, { deleted_at: NOW })
        })
      await counting
    }

    it('are counted before', async () => {
      const { agentId } = await addAgent()
      await countPending(database(), agentId, NOW_MS)
      assert.deepEqual(Object.keys(await rowsOf(agentId)), ['support_rows', 'support_counts'])
    })

    it('are not counted, and leave no rows, when it is deleted meanwhile', async () => {
      const { agentId } = await addAgent()
      await deleteDuring(agentId, () => countPending(database(), agentId, NOW_MS))
      assert.deepEqual(await rowsOf(agentId), {})
    })

    it('are not counted alone either', async () => {
      const { agentId, conversationId } = await addAgent()
      await database().db.deleteFrom('support_pending').where('agent_id', '=', agentId).execute()
      await countAlone(database().db, agentId, [conversationId], NOW)
      const row = await database()
        .db.selectFrom('support_retries')
        .selectAll()
        .where('agent_id', '=', agentId)
        .executeTakeFirstOrThrow()
      await deleteDuring(agentId, () => countRetry(database(), row))
      assert.deepEqual(await rowsOf(agentId), {})
    })
  })
