import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { byCommandLine } from '../../../src/audit/record.ts'
import { type Change, listenToChanges } from '../../../src/transcripts/changes.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { endConversation } from '../../../src/transcripts/conversations/pause-conversation.ts'
import { appendMessage } from '../../../src/transcripts/messages/append-message.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

const WISH = {
  conversationId: null,
  externalId: null,
  channelId: null,
  userId: null,
  deviceId: null,
  sessionId: null,
  tags: null,
}

for (const engine of engines) {
  describe(`changes on ${engine}`, () => {
    let database: Awaited<ReturnType<typeof openFreshDatabase>>
    const told: Change[] = []
    before(async () => {
      database = await openFreshDatabase(engine)
      listenToChanges(database.db, (change) => void told.push(change))
    })
    after(async () => {
      await database.close()
      await database.fresh.remove()
    })

    it('an opened conversation, a message and an end are told after their commit', async () => {
      const now = '2026-01-01T00:00:00.000Z'
      const { agent, conversationId, messageId } = await database.db.transaction().execute(async (db) => {
        const agent = await createAgent(db, { name: 'Test', teamId: null, now: Date.parse(now) })
        const { conversation } = await openConversation(db, agent, WISH, null, Date.parse(now))
        const messageId = await appendMessage(db, {
          agentId: agent.agentId,
          conversationId: conversation.id,
          completionId: null,
          role: 'user',
          content: 'Hello',
          createdAt: now,
        })
        assert.deepEqual(told, [])
        return { agent, conversationId: conversation.id, messageId }
      })
      const of = { agent_id: agent.agentId, conversation_id: conversationId }
      assert.deepEqual(told.splice(0), [
        { type: 'conversation', ...of },
        { type: 'message', ...of, message_id: messageId },
      ])
      await endConversation(database.db, conversationId, now, { teamId: agent.teamId, ...byCommandLine })
      assert.deepEqual(told.splice(0), [{ type: 'conversation', ...of }])
    })

    it('what is rolled back is never told', async () => {
      const failing = database.db.transaction().execute(async (db) => {
        const agent = await createAgent(db, { name: 'Test', teamId: null, now: Date.now() })
        await openConversation(db, agent, WISH, null, Date.now())
        throw new Error('on purpose')
      })
      await assert.rejects(failing, /on purpose/)
      assert.deepEqual(told, [])
    })
  })
}
