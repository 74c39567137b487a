import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { addDocument } from '../../../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../../../src/knowledge/search/search.ts'
import { steps } from '../../../src/storage/migrations/0044-plain-letters.ts'
import { migrations } from '../../../src/storage/migrations.ts'
import type { UserKey } from '../../../src/users/user-key.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines) {
  test(`words that were kept with strokes are found without them: ${engine}`, async () => {
    const database = await openFreshDatabase(engine)
    const { db } = database
    try {
      const { agentId: agent_id } = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: 0 }))
      for (const content of ['Ask Bjorn for smoke.', 'Smoke rises.'])
        await addDocument(db, agent_id, { title: content, url: null, content, format: 'text' }, 0)
      // As they were indexed before: `smøke` beside `smoke`, and `bjørn`.
      const entries = await db.selectFrom('knowledge_words').selectAll().where('word', '=', 'smok').execute()
      const [first] = entries
      assert.ok(first && entries.length === 2)
      await db
        .insertInto('knowledge_words')
        .values({ ...first, word: 'smøke', count: 2 })
        .execute()
      await db.insertInto('knowledge_vocabulary').values({ agent_id, word: 'smøke', passages: 1 }).execute()
      for (const table of ['knowledge_words', 'knowledge_vocabulary'] as const)
        await db.updateTable(table).set({ word: 'bjørn' }).where('word', '=', 'bjorn').execute()
      await db
        .insertInto('user_words')
        .values(['bjørn', 'bjorn', 'łódź'].map((word) => ({ agent_id, word, user_id: 'u1' as UserKey })))
        .execute()
      await db
        .insertInto('search_blocks')
        .values({ agent_id, kind: 1, number: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
        .then(({ id }) =>
          db
            .insertInto('search_words')
            .values({ block_id: id, word: 'bjørn', part: 0, postings: new Uint8Array([0, 1]) })
            .execute(),
        )

      await database.migrate({ migrations: [...migrations, { name: '9999-again', steps }] })

      const { passages, words } = await searchKnowledge(db, agent_id, 'Bjørn smoke', 5)
      assert.equal(passages[0]?.title, 'Ask Bjorn for smoke.')
      assert.deepEqual(
        words.map(({ word, passages }) => `${word} ${passages}`),
        ['bjorn 1', 'smok 2'],
      )
      const users = await db.selectFrom('user_words').select('word').orderBy('word').execute()
      assert.deepEqual(
        users.map(({ word }) => word),
        ['bjorn', 'lódź'],
      )
      for (const table of ['search_words', 'search_blocks'] as const)
        assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    } finally {
      await database.close()
      await database.fresh.remove()
    }
  })
}
