import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import type { Kysely } from 'kysely'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { deleteAgent } from '../../../src/agents/delete-agent.ts'
import { forgetCopies } from '../../../src/app/forget-copies.ts'
import { byCommandLine, bySystem } from '../../../src/audit/record.ts'
import { endConversation } from '../../../src/desk/end-conversation.ts'
import { addNote } from '../../../src/desk/notes/add-note.ts'
import { pauseConversation } from '../../../src/desk/pause-conversation.ts'
import type { Change } from '../../../src/events/change.ts'
import { endOfLog, readLog } from '../../../src/events/change-log.ts'
import type { Place } from '../../../src/events/place.ts'
import { pauseAgent } from '../../../src/pause/pause-agent.ts'
import { redactCompletions } from '../../../src/privacy/redact-completions.ts'
import { replaceMessage } from '../../../src/privacy/replace-message.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { lockConversation, updateTags } from '../../../src/transcripts/conversations/store.ts'
import { appendMessage } from '../../../src/transcripts/messages/append-message.ts'
import { markDelivery } from '../../../src/transcripts/messages/mark-delivery.ts'
import { markKind } from '../../../src/transcripts/messages/mark-kind.ts'
import { engines } from '../../support/databases.ts'
import { placesInDatabase } from '../../support/places-in-database.ts'
import { sharedDatabase } from '../../support/shared.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const NOW_MS = Date.parse(NOW)
const erasures = { add: async () => 'one', finish: async () => {}, subjectKey: () => '' }
const WISH = {
  conversationId: null,
  externalId: null,
  channelId: null,
  widgetId: null,
  user: null,
  deviceId: null,
  sessionId: null,
  tags: null,
  language: null,
}

async function tag(db: Kysely<Tables>, id: string, tags: Record<string, unknown>): Promise<void> {
  await updateTags(db, await lockConversation(db, id), tags)
}

for (const engine of engines) {
  describe(`changes on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let agent: { agentId: number; teamId: number }
    let conversationId: string
    let messageId: number
    let place: Place

    const inTransaction = <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
      database().db.transaction().execute(work)
    const by = () => ({ teamId: agent.teamId, ...byCommandLine })
    const inConversation = () => ({ agent_id: agent.agentId, conversation_id: conversationId })
    const inAgent = () => ({ type: 'agent', agent_id: agent.agentId, conversation_id: null })
    const messageChanged = () => [{ type: 'message_changed', ...inConversation(), message_id: messageId }]
    const conversationChanged = (...fields: string[]) => [
      { type: 'conversation', ...inConversation(), fields },
    ]

    before(async () => {
      place = (await endOfLog(database().db, database().engine.commitOrder)).place
    })
    beforeEach(async () => {
      agent = await inTransaction((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: NOW_MS }))
      const opened = await inTransaction(open)
      conversationId = opened.conversationId
      messageId = opened.messageId
      await told()
    })

    /** Returns the changes that the log has gained since the last call. */
    async function told(): Promise<Change[]> {
      const { commitOrder } = database().engine
      const { rows, seen } = await readLog(database().db, commitOrder, place, 100)
      place = { transactions: seen, within: null }
      return rows.flatMap((row) =>
        row.changes.map((change) => ({
          ...change,
          agent_id: row.agentId,
          conversation_id: row.conversationId,
        })),
      )
    }

    async function open(db: Kysely<Tables>) {
      const { conversation } = await openConversation(db, agent, WISH, NOW_MS)
      const messageId = await appendMessage(db, {
        agentId: agent.agentId,
        conversationId: conversation.id,
        completionId: null,
        role: 'user',
        content: 'Hello',
        createdAt: NOW,
      })
      return { conversationId: conversation.id, messageId }
    }

    it('an opened conversation and its message are told when they are committed', async () => {
      const opened = await inTransaction(async (db) => {
        const opened = await open(db)
        assert.deepEqual(await told(), [])
        return opened
      })
      const of = { agent_id: agent.agentId, conversation_id: opened.conversationId }
      assert.deepEqual(await told(), [
        { type: 'conversation', ...of, fields: ['started_at'] },
        { type: 'message', ...of, message_id: opened.messageId },
      ])
    })

    it('each conversation and message is told once a transaction', async () => {
      const opened = await inTransaction(async (db) => {
        const opened = await open(db)
        await markDelivery(db, opened.messageId, 'queued')
        await tag(db, opened.conversationId, { vip: true })
        await tag(db, opened.conversationId, { vip: false })
        return opened
      })
      const of = { agent_id: agent.agentId, conversation_id: opened.conversationId }
      assert.deepEqual(await told(), [
        { type: 'conversation', ...of, fields: ['started_at', 'tags'] },
        { type: 'message', ...of, message_id: opened.messageId },
      ])
    })

    it('what is rolled back is never told', async () => {
      const failing = inTransaction(async (db) => {
        await open(db)
        throw new Error('on purpose')
      })
      await assert.rejects(failing, /on purpose/)
      assert.deepEqual(await told(), [])
    })

    it('a pause, tags, a note and the end of a conversation are told', async () => {
      await pauseConversation(database().db, async () => null, conversationId, NOW, by())
      assert.deepEqual(await told(), conversationChanged('agent_paused', 'agent_paused_at'))
      await inTransaction((db) => tag(db, conversationId, { vip: true }))
      assert.deepEqual(await told(), conversationChanged('tags'))
      const note = { completion_id: null, author: 'A', text: 'B', created_at: NOW }
      await inTransaction((db) => addNote(db, { ...inConversation(), ...note }, bySystem.actor))
      assert.deepEqual(await told(), conversationChanged('notes'))
      await endConversation(database().db, { ended: async () => {} }, conversationId, NOW, by())
      assert.deepEqual(await told(), conversationChanged('ended_at', 'outcome', 'outcome_by'))
    })

    it('what became of a message, its kind, its edit and its redaction are told', async () => {
      await inTransaction((db) => markDelivery(db, messageId, 'failed', 'rejected'))
      assert.deepEqual(await told(), messageChanged())
      await inTransaction((db) => markKind(db, messageId, 'image'))
      assert.deepEqual(await told(), messageChanged())
      await inTransaction((db) =>
        replaceMessage(db, database().engine, agent.agentId, messageId, 'Hello again', forgetCopies, NOW),
      )
      assert.deepEqual(await told(), messageChanged())
      await redactCompletions(
        {
          ...{ db: database().db, engine: database().engine, redactionBatch: 10, forgetCopies, erasures },
          places: placesInDatabase(database().db),
        },
        {
          teamId: agent.teamId,
          agentId: agent.agentId,
          scope: { before: '2027-01-01T00:00:00.000Z' },
          redactor: {
            mode: 'scrub',
            isNumbered: false,
            failed: false,
            redact: async () => '"[REDACTED]"',
            countReplaced: async () => ({ REDACTED: 1 }),
          },
          now: NOW,
        },
      )
      assert.deepEqual(await told(), messageChanged())
    })

    it("an agent's pause tells of the messages that it wrote, its deletion of the agent", async () => {
      await pauseAgent(database().db, agent.agentId, NOW, by())
      assert.deepEqual(await told(), [{ ...inAgent(), said_at: NOW }])
      await deleteAgent(database().db, agent.agentId, async () => {}, erasures, by(), NOW_MS)
      assert.deepEqual(await told(), [inAgent()])
    })
  })
}
