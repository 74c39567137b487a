import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { readAgent } from '../../../src/agents/agent.ts'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { createFirstAgent, guideAgentId } from '../../../src/agents/first-agent.ts'
import { defaultSettings } from '../../../src/agents/settings.ts'
import { updateAgent } from '../../../src/agents/store.ts'
import { bySystem } from '../../../src/audit/record.ts'
import { addDocument } from '../../../src/knowledge/documents/add-document.ts'
import { editDocument } from '../../../src/knowledge/documents/edit-document.ts'
import { removeDocument } from '../../../src/knowledge/documents/remove-document.ts'
import { seedGuide, stepAside } from '../../../src/knowledge/documents/seed-guide.ts'
import { searchKnowledge } from '../../../src/knowledge/search/search.ts'
import { findDocument } from '../../../src/knowledge/store.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines) {
  describe(`seedGuide on ${engine}`, () => {
    let database: Database & { fresh: FreshDatabase }
    let agentId: number
    let root: string

    before(async () => {
      database = await openFreshDatabase(engine)
    })
    after(async () => {
      await database.close()
      await database.fresh.remove()
      await rm(root, { recursive: true })
    })
    beforeEach(async () => {
      root = await mkdtemp(join(tmpdir(), 'parley-guide-'))
      await mkdir(join(root, 'docs'))
      await write('README.md', '# Parley\n\nStart it with npm start.')
      await write('docs/redaction.md', '# Redaction\n\n## Scrub\n\nReplaces the text.')
      await write('docs/picture.svg', '<svg/>')
      const agent = await database.db
        .transaction()
        .execute((db) => createAgent(db, { name: 'Guide', teamId: null, nowMs: 0 }))
      agentId = agent.agentId
    })
    const write = (file: string, text: string) => writeFile(join(root, file), text)
    const seed = () => seedGuide(database, agentId, Date.now(), root)
    const documents = async () => {
      const rows = await database.db
        .selectFrom('knowledge_documents')
        .select(['url', 'title', 'updated_at'])
        .where('agent_id', '=', agentId)
        .orderBy('url')
        .execute()
      return rows.map((row) => ({ ...row }))
    }
    const urls = async () => (await documents()).map(({ url }) => url)

    test('adds the shipped pages under their titles and relative addresses', async () => {
      await seed()
      const added = await documents()
      assert.deepEqual(
        added.map(({ url, title }) => [url, title]),
        [
          ['README.md', 'Parley'],
          ['docs/redaction.md', 'Redaction'],
        ],
      )
      const [found] = (await searchKnowledge(database.db, agentId, 'scrub', 1)).passages
      assert.deepEqual([found?.url, found?.anchor], ['docs/redaction.md', 'scrub'])
    })

    if (engine === 'postgres')
      test('tells the planner of the searched tables, so that the first prompts are not planned badly', async () => {
        const known = async () => {
          const { rows } = await sql<{ size: number }>`
            select reltuples::int as size from pg_class where relname = 'knowledge_vocabulary'`.execute(
            database.db,
          )
          return rows[0]?.size ?? 0
        }
        await seed()
        const { words } = await database.db
          .selectFrom('knowledge_vocabulary')
          .select((select) => select.fn.countAll<number>().as('words'))
          .executeTakeFirstOrThrow()
        assert.equal(await known(), words)
      })

    test('changes only what has changed', async () => {
      await seed()
      const before = await documents()
      await write('docs/redaction.md', '# Redaction\n\nRewritten zebra.')
      await write('docs/new.md', 'No heading.')
      await seedGuide(database, agentId, Date.now() + 5000, root)
      const later = await documents()
      assert.deepEqual(later[0], before[0])
      assert.notEqual(later.find(({ url }) => url === 'docs/redaction.md')?.updated_at, before[1]?.updated_at)
      assert.equal(later.find(({ url }) => url === 'docs/new.md')?.title, 'docs/new.md')
      assert.equal((await searchKnowledge(database.db, agentId, 'zebra', 1)).passages.length, 1)
    })

    test('leaves out what was removed by hand, and removes what is no longer shipped', async () => {
      await seed()
      const readme = await findDocument(database.db, agentId, 'README.md')
      await removeDocument(database.db, agentId, readme?.id ?? 0, 0)
      await unlink(join(root, 'docs/redaction.md'))
      await seed()
      assert.deepEqual(await urls(), [])
      await seed()
      assert.deepEqual(await urls(), [])
    })

    test('leaves a page as somebody edited it', async () => {
      await seed()
      const readme = await findDocument(database.db, agentId, 'README.md')
      assert.ok(readme)
      const by = { ...bySystem, teamId: 1 }
      await editDocument(database.db, agentId, readme.id, { text: 'Edited zebra.' }, 0, by)
      await write('README.md', '# Parley\n\nStart it another way.')
      await seed()
      assert.equal((await searchKnowledge(database.db, agentId, 'zebra', 1)).passages.length, 1)
      assert.deepEqual(await urls(), ['README.md', 'docs/redaction.md'])
    })

    test('steps aside for good once the agent has documents of its own', async () => {
      await seed()
      const own = { title: 'Returns', content: 'Within 30 days.', format: 'text' } as const
      const { documentId } = await addDocument(database.db, agentId, own, 0)
      await seed()
      assert.deepEqual(await urls(), [null])
      await removeDocument(database.db, agentId, documentId, 0)
      await seed()
      assert.deepEqual(await urls(), [])
    })

    test('takes the greeting and instructions of a guide along, but none that somebody wrote', async () => {
      const fresh = await openFreshDatabase(engine)
      try {
        const { db } = fresh
        await createFirstAgent(db, 0)
        const guide = await guideAgentId(db)
        assert.ok(guide !== null)
        await seedGuide(fresh, guide, 0, root)
        const { settings } = await readAgent(db, guide)
        assert.match(settings.greeting ?? '', /documentation of Parley/)
        const written = { ...settings, instructions: 'Sell bicycles.' }
        await updateAgent(db, guide, { settings: JSON.stringify(written) })
        await addDocument(db, guide, { title: 'Returns', content: 'Within 30 days.', format: 'text' }, 0)
        await stepAside(db, guide, 0)
        const own = (await readAgent(db, guide)).settings
        assert.deepEqual([own.greeting, own.instructions], [defaultSettings.greeting, 'Sell bicycles.'])
      } finally {
        await fresh.close()
        await fresh.fresh.remove()
      }
    })

    test('is in order with no documentation there', async () => {
      await rm(root, { recursive: true })
      await seed()
      assert.deepEqual(await urls(), [])
      await mkdir(root)
    })

    test('lets two processes seed at once', async () => {
      await Promise.all([seed(), seed(), seed()])
      assert.deepEqual(await urls(), ['README.md', 'docs/redaction.md'])
    })
  })
}
