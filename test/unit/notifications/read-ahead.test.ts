import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raise } from '../../../src/events/raise.ts'
import { READ_AHEAD } from '../../../src/notifications/build-payload.ts'
import { readAhead } from '../../../src/notifications/read-ahead.ts'
import { engines } from '../../support/databases.ts'
import { NOW, openNotification } from './open-notification.ts'

for (const kind of engines) {
  describe(`reading ahead on ${kind}`, () => {
    /** A notification for which the prompts of as many completions wait. */
    async function openWaiting(count: number) {
      const opened = await openNotification(kind)
      const { db } = opened
      const { id: agent_id, team_id } = await db
        .selectFrom('agents')
        .select(['id', 'team_id'])
        .executeTakeFirstOrThrow()
      const conversation_id = 'conversation'
      await db
        .insertInto('conversations')
        .values({ id: conversation_id, agent_id, team_id, sequence: 1, started_at: NOW })
        .execute()
      for (let at = 0; at < count; at++) {
        const completion_id = `completion-${at}`
        const message = { agent_id, conversation_id, completion_id, created_at: NOW }
        await db.transaction().execute(async (db) => {
          await db
            .insertInto('completions')
            .values({
              id: completion_id,
              agent_id,
              conversation_id,
              created_at: NOW,
              model: 'any',
              tags: '[]',
            })
            .execute()
          await db
            .insertInto('messages')
            .values({ ...message, role: 'user', content: JSON.stringify(`question ${at}`) })
            .execute()
          const event = { agent_id, conversation_id, completion_id, occurred_at: NOW }
          await raise(db, { ...event, key: 'prompt_submit' })
        })
      }
      return opened
    }

    it('every delivery gets the body of its own completion, however many are read', async () => {
      await using opened = await openWaiting(READ_AHEAD.many + 1)
      for (const limit of [READ_AHEAD.few, READ_AHEAD.few + 1, READ_AHEAD.many]) {
        const read = await readAhead(opened, opened.notification, NOW, limit)
        const prompts = read?.built.map(({ body }) => JSON.parse(body).completion.prompt)
        assert.deepEqual(
          prompts,
          Array.from({ length: limit }, (_, at) => `question ${at}`),
        )
      }
    })

    it('nothing is read for a worker whose notification another one has claimed', async () => {
      await using opened = await openWaiting(1)
      const { db, notification } = opened
      assert.equal((await readAhead(opened, notification, NOW))?.built.length, 1)
      await db.updateTable('notifications').set({ lease: 1 }).execute()
      assert.equal(await readAhead(opened, notification, NOW), null)
    })
  })
}
