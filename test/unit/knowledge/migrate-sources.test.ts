import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { addDocument } from '../../../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../../../src/knowledge/search/search.ts'
import { steps } from '../../../src/storage/migrations/0017-knowledge-sources.ts'
import { migrations } from '../../../src/storage/migrations.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines) {
  test(`documents of older versions keep their sources and are found in other cases: ${engine}`, async () => {
    const database = await openFreshDatabase(engine)
    const { db } = database
    try {
      const { agentId } = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: 0 }))
      const stored = [
        ['url https://x.example/a', 'A'],
        ['title B', 'B'],
        ['title https://x.example/a', 'https://x.example/a'],
      ] as const
      for (const [source, title] of stored) {
        const content = 'Условия: возврат возврата. Rechnungen'
        await addDocument(db, agentId, { source, title, content, format: 'text' }, 0)
      }
      // As they were indexed before.
      await db.schema.dropTable('knowledge_hidden').execute()
      await db.schema.dropIndex('knowledge_documents_listed').execute()
      await db.schema
        .createIndex('knowledge_documents_agent')
        .on('knowledge_documents')
        .columns(['agent_id', 'id'])
        .execute()
      await db.deleteFrom('knowledge_vocabulary').where('word', 'in', ['возврат', 'rechnung']).execute()
      const entries = await db
        .deleteFrom('knowledge_words')
        .where('word', 'in', ['возврат', 'rechnung'])
        .returningAll()
        .execute()
      for (const word of ['возврат', 'возврата', 'rechnungen']) {
        await db
          .insertInto('knowledge_words')
          .values(
            entries.filter((one) => word.startsWith(one.word)).map((one) => ({ ...one, word, count: 1 })),
          )
          .execute()
        await db.insertInto('knowledge_vocabulary').values({ agent_id: agentId, word, passages: 3 }).execute()
      }
      await database.migrate({ migrations: [...migrations, { name: '9999-again', steps }] })
      const documents = await db.selectFrom('knowledge_documents').select('source').orderBy('id').execute()
      assert.deepEqual(
        documents.map(({ source }) => source),
        ['https://x.example/a', 'B', 'title https://x.example/a'],
      )
      const words = await db
        .selectFrom('knowledge_words')
        .select(['word', 'count'])
        .where('word', 'in', ['возврат', 'возврата', 'rechnung', 'rechnungen'])
        .orderBy('word')
        .execute()
      assert.deepEqual(words.map(({ word, count }) => `${word} ${count}`).toSorted(), [
        'rechnung 1',
        'rechnung 1',
        'rechnung 1',
        'возврат 2',
        'возврат 2',
        'возврат 2',
      ])
      assert.equal((await searchKnowledge(db, agentId, 'возвраты', 5)).passages.length, 3)
    } finally {
      await database.close()
      await database.fresh.remove()
    }
  })
}
