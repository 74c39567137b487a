import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { replayCrashed } from '../../../src/mailboxes/replay-crashed.ts'
import { aroundQueries } from '../../support/around-queries.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const DUE = '2026-01-01T00:00:00.000Z'

for (const engine of engines)
  describe(`messages that processes died of on ${engine}`, () => {
    const database = sharedDatabase(engine)

    it('one that another process has replayed and worked meanwhile is not worked again', async (t) => {
      const { db } = database()
      const { agentId: agent_id } = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: Date.now() }))
      const mailbox = { id: 1, agent_id, channel_id: 1, thread: '1', writable_until: '', due_at: '9999' }
      await db.insertInto('mailboxes').values(mailbox).execute()
      const insert = (source_id: string) =>
        db
          .insertInto('mailbox_items')
          .values({
            ...{
              mailbox_id: 1,
              channel_id: 1,
              source_id,
              kind: 'message' as const,
              state: 'parked' as const,
            },
            ...{ error: 'ProcessEnded', due_at: DUE, created_at: DUE },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      const [raced, own] = [await insert('raced'), await insert('own')]
      const replayed: number[] = []
      const parts = { database: database(), clock: Date.now, logger: pino({ level: 'silent' }) }
      const looking = replayCrashed(
        parts as Parameters<typeof replayCrashed>[0],
        async (_, { id }) => void replayed.push(id),
      )
      t.after(() => looking.stop())
      const end = aroundQueries(db, async (query, run) => {
        const result = await run()
        if (!query.parameters.includes('ProcessEnded')) return result
        end()
        const done = { state: 'done' as const, error: null, finished_at: DUE }
        await db.updateTable('mailbox_items').set(done).where('id', '=', raced.id).execute()
        return result
      })
      looking.start()
      await becomes(() => replayed, [own.id])
      const { state } = await db
        .selectFrom('mailbox_items')
        .select('state')
        .where('id', '=', raced.id)
        .executeTakeFirstOrThrow()
      assert.equal(state, 'done')
    })
  })
