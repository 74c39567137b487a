import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { foldCounts } from '../../../src/events/fold-counts.ts'
import { writeAgents } from '../../../src/groups/group.ts'
import { insertGroup, updateGroup } from '../../../src/groups/store.ts'
import { releaseConversations, releaseGroups } from '../../../src/inbox/release-conversations.ts'
import { sweepHidden } from '../../../src/knowledge/documents/sweep-hidden.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { giveSources } from '../../../src/profiles/give-sources.ts'
import { endAbandonedTurns } from '../../../src/turns/end-abandoned-turns.ts'
import { engines } from '../../support/databases.ts'
import { refuse } from '../../support/poisoned.ts'
import { sharedDatabase } from '../../support/shared.ts'

const NOW = Date.parse('2026-11-26T12:00:00.000Z')
const HOUR_MS = 3_600_000
const DAY = '2026-11-01'
const clock = () => NOW
const signal = new AbortController().signal
const poisoned = /poisoned/

for (const engine of engines) {
  describe(`housekeeping with a bad one before a good one on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let ids: { agent_id: number; team_id: number }
    let sequence = 0

    before(async () => {
      const { agentId, teamId } = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: NOW }))
      ids = { agent_id: agentId, team_id: teamId }
      await refuse(database(), 'conversations', 'update', `new.id like 'bad%'`)
      await refuse(database(), 'completions', 'update', `new.id like 'bad%'`)
      await refuse(database(), 'users', 'update', `new.id like 'bad%'`)
      await refuse(database(), 'knowledge_hidden', 'delete', `old.edition like 'bad%'`)
      await refuse(database(), 'day_counters', 'insert', `new.name like 'bad%'`)
    })

    async function conversation(id: string, values: { assignee_id?: number; group_id?: number } = {}) {
      await database()
        .db.insertInto('conversations')
        .values({ id, ...ids, sequence: ++sequence, started_at: timestamp(NOW - HOUR_MS), ...values })
        .execute()
      return id
    }

    const read = (id: string) =>
      database()
        .db.selectFrom('conversations')
        .select(['assignee_id', 'group_id'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()

    it('ends the other abandoned turns', async () => {
      const { db } = database()
      for (const id of ['bad-turn', 'turn'])
        await db
          .insertInto('completions')
          .values({
            ...{ id, agent_id: ids.agent_id, conversation_id: await conversation(`of-${id}`) },
            ...{ created_at: timestamp(NOW - HOUR_MS), model: 'm', tags: '[]' },
          })
          .execute()
      await assert.rejects(endAbandonedTurns({ database: database(), clock }), poisoned)
      const rows = await db.selectFrom('completions').select(['id', 'finish_reason']).orderBy('id').execute()
      assert.deepEqual(
        rows.map(({ id, finish_reason }) => [id, finish_reason]),
        [
          ['bad-turn', null],
          ['turn', 'error'],
        ],
      )
    })

    it('releases the other conversations of an operator who is gone', async () => {
      const bad = await conversation('bad-assigned', { assignee_id: 77 })
      const good = await conversation('assigned', { assignee_id: 77 })
      await assert.rejects(
        releaseConversations({ db: database().db, clock }, async () => new Map(), signal),
        poisoned,
      )
      assert.deepEqual([(await read(bad)).assignee_id, (await read(good)).assignee_id], [77, null])
    })

    it('releases the other conversations of a group that is gone, and those of the next group', async () => {
      const { db } = database()
      const deleted = async (name: string) => {
        const { id } = await insertGroup(db, {
          ...{ name, team_id: ids.team_id, hours: null, agents: writeAgents([]), assignment: 'off' },
          ...{ at_once: 10, created_at: timestamp(NOW) },
        })
        await updateGroup(db, id, { deleted_at: timestamp(NOW) })
        return id
      }
      const [first, second] = [await deleted('First'), await deleted('Second')]
      const bad = await conversation('bad-grouped', { group_id: first })
      const good = await conversation('grouped', { group_id: first })
      const next = await conversation('grouped-next', { group_id: second })
      await assert.rejects(
        releaseGroups({ db, clock }, async () => [ids.agent_id], signal),
        poisoned,
      )
      const groups = await Promise.all([bad, good, next].map(async (id) => (await read(id)).group_id))
      assert.deepEqual(groups, [first, null, null])
    })

    it('gives the other end users their source, also those noted later', async () => {
      const { db } = database()
      const at = { agent_id: ids.agent_id, first_seen_at: timestamp(NOW) }
      for (const id of ['bad-user', 'user'] as never[])
        await db
          .insertInto('users')
          .values({ ...at, id })
          .execute()
      const noted = { agent_id: ids.agent_id, id: 'noted' as never, due_at: '' }
      await db.deleteFrom('unsourced_users').execute()
      await db.insertInto('unsourced_users').values(noted).execute()
      await assert.rejects(giveSources({ db, clock }, signal), poisoned)
      const users = await db.selectFrom('users').select(['id', 'given_id']).orderBy('id').execute()
      assert.deepEqual(users, [
        { id: 'bad-user', given_id: null },
        { id: 'user', given_id: 'user' },
      ])
      const { due_at } = await db.selectFrom('unsourced_users').select('due_at').executeTakeFirstOrThrow()
      assert.notEqual(due_at, '')
    })

    it('sweeps the other remains of documents', async () => {
      const { db } = database()
      for (const [index, edition] of ['bad-edition', 'edition'].entries())
        await db
          .insertInto('knowledge_hidden')
          .values({ agent_id: ids.agent_id, passage_id: index, edition, hidden_at: '' })
          .execute()
      await assert.rejects(sweepHidden(db, NOW, signal), poisoned)
      const left = await db.selectFrom('knowledge_hidden').select('edition').execute()
      assert.deepEqual(left, [{ edition: 'bad-edition' }])
    })

    it('folds the other counts; a stop is no failure', async () => {
      const { db, engine } = database()
      const counted = (name: string) => ({
        agent_id: ids.agent_id,
        day: DAY,
        quarter: 3,
        name,
        shard: 0,
        count: 2,
      })
      await db
        .insertInto('quarter_counters')
        .values([counted('bad'), counted('good')])
        .execute()
      await foldCounts({ db, engine }, NOW, AbortSignal.abort())
      await assert.rejects(foldCounts({ db, engine }, NOW, signal), poisoned)
      const folded = await db
        .selectFrom('day_counters')
        .select(['name', 'count'])
        .where('day', '=', DAY)
        .execute()
      assert.deepEqual(folded, [{ name: 'good', count: 2 }])
    })
  })
}
