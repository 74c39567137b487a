import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { giveSources } from '../../../src/profiles/give-sources.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { engines, type FreshDatabase, freshDatabase } from '../../support/databases.ts'

const AT = '2026-01-02T03:04:05.000Z'
const NEVER = new AbortController().signal

for (const engine of engines) {
  describe(`giving sources on ${engine}`, () => {
    let fresh: FreshDatabase
    let database: Database
    let db: Kysely<Tables>
    let sequence = 0
    let nowMs = Date.parse(AT)
    const clock = () => nowMs

    before(async () => {
      fresh = await freshDatabase(engine)
      database = await openDatabase(fresh)
      await database.migrate()
      db = database.db
      const { agentId } = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: 0 }))
      assert.equal(agentId, 1)
    })
    after(async () => {
      await database?.close()
      await fresh.remove()
    })

    /** Stores what a version that knew no sources would have stored. */
    async function old(user: string, place: { channel?: number; widget?: number } = {}): Promise<string> {
      const id = `conversation-${++sequence}`
      const { channel = null, widget = null } = place
      await sql`insert into conversations (id, agent_id, team_id, sequence, user_id, channel_id, widget_id, started_at)
        values (${id}, 1, 1, ${sequence}, ${user}, ${channel}, ${widget}, ${AT})`.execute(db)
      await sql`insert into completions (id, agent_id, conversation_id, user_id, channel_id, created_at, model, tags)
        values (${id}, 1, ${id}, ${user}, ${channel}, ${AT}, 'm', '[]')`.execute(db)
      await sql`insert into users (agent_id, id, first_seen_at) values (1, ${user}, ${AT})
        on conflict do nothing`.execute(db)
      return id
    }

    async function usersIn(table: 'conversations' | 'completions' | 'inbox_rows', ids: string[]) {
      const column = sql.ref(table === 'inbox_rows' ? 'conversation_id' : 'id')
      const { rows } = await sql<{ id: string; user_id: string }>`
        select ${column} as id, user_id from ${sql.table(table)} where ${column} in (${sql.join(ids)})`.execute(
        db,
      )
      return ids.map((id) => rows.find((row) => row.id === id)?.user_id)
    }

    it('splits an id that several sources have used, and keeps each one’s own', async () => {
      const ids = [
        await old('42'),
        await old('42', { channel: 7 }),
        await old('42', { channel: 8 }),
        await old('42', { widget: 3 }),
      ]
      await sql`update users set name = 'Ada', attributes = '{"plan":"gold"}' where id = '42'`.execute(db)
      await sql`insert into user_words (agent_id, word, user_id) values (1, 'ada', '42')`.execute(db)
      await sql`delete from unsourced_users`.execute(db)
      // Cut off before it begins, it changes nothing; the next run does all of it, and a third one nothing.
      await giveSources({ db, clock }, AbortSignal.abort())
      assert.deepEqual(await usersIn('conversations', ids), ['42', '42', '42', '42'])
      for (let run = 0; run < 2; run++) await giveSources({ db, clock }, NEVER)
      const keys = ['42', 'channel-7:42', 'channel-8:42', 'widget:42']
      for (const table of ['conversations', 'completions', 'inbox_rows'] as const)
        assert.deepEqual(await usersIn(table, ids), keys, table)
      const users = await db.selectFrom('users').selectAll().orderBy('id').execute()
      assert.deepEqual(
        users.map(({ id, given_id, name, first_seen_at }) => [id, given_id, name, first_seen_at]),
        [
          ['42', '42', 'Ada', AT],
          ['channel-7:42', '42', null, AT],
          ['channel-8:42', '42', null, AT],
          ['widget:42', '42', null, AT],
        ],
      )
    })

    it('moves the profile of somebody whom only one source knows, with its words', async () => {
      const ids = [await old('visitor_1', { widget: 3 }), await old('9', { channel: 7 })]
      await sql`update users set name = 'Grace' where id = '9'`.execute(db)
      await giveSources({ db, clock }, NEVER)
      assert.deepEqual(await usersIn('conversations', ids), ['widget:visitor_1', 'channel-7:9'])
      const rows = await db
        .selectFrom('users')
        .select(['id', 'name', 'proof'])
        .where('given_id', 'in', ['visitor_1', '9'])
        .orderBy('id')
        .execute()
      assert.deepEqual(rows, [
        { id: 'channel-7:9', name: 'Grace', proof: 'none' },
        { id: 'widget:visitor_1', name: null, proof: 'none' },
      ])
      const words = await db.selectFrom('user_words').selectAll().where('word', '=', 'grace').execute()
      assert.deepEqual(words, [{ agent_id: 1, word: 'grace', user_id: 'channel-7:9' }])
    })

    it('keeps ids of the API that look like another source', async () => {
      const ids = [await old('widget:eve'), await old('eve', { widget: 3 })]
      await giveSources({ db, clock }, NEVER)
      assert.deepEqual(await usersIn('conversations', ids), ['api:widget:eve', 'widget:eve'])
      assert.deepEqual(await usersIn('completions', ids), ['api:widget:eve', 'widget:eve'])
    })

    it('finds what a process of the older version still writes, also long after', async () => {
      await old('late')
      await giveSources({ db, clock }, NEVER)
      const ids = [await old('late', { channel: 7 }), await old('late', { widget: 3 })]
      await giveSources({ db, clock }, NEVER)
      assert.deepEqual(await usersIn('conversations', ids), ['channel-7:late', 'widget:late'])
      // A second look finds rows that were being stored during the first.
      await sql`update completions set user_id = 'late' where id = ${ids[1]}`.execute(db)
      nowMs += 10 * 60_000
      await giveSources({ db, clock }, NEVER)
      assert.deepEqual(await usersIn('completions', ids), ['channel-7:late', 'widget:late'])
      assert.deepEqual(await db.selectFrom('unsourced_users').selectAll().execute(), [])
    })
  })
}
