import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { measureThreshold } from '../../../src/knowledge/calibration/measure-threshold.ts'
import { runCalibration } from '../../../src/knowledge/calibration/run-calibration.ts'
import { thresholdOf } from '../../../src/knowledge/calibration/threshold.ts'
import { addDocument } from '../../../src/knowledge/documents/add-document.ts'
import { removeDocument } from '../../../src/knowledge/documents/remove-document.ts'
import { seedGuide } from '../../../src/knowledge/documents/seed-guide.ts'
import { searchKnowledge } from '../../../src/knowledge/search/search.ts'
import { isEvidence } from '../../../src/model/search-in-context.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

describe('thresholdOf', () => {
  const times = (count: number, value: number) => Array.from({ length: count }, () => value)

  it('follows the median of what does not answer, and is never very low', () => {
    assert.equal(thresholdOf(times(15, 1)), null)
    assert.equal(thresholdOf(times(16, 1))?.toFixed(3), '0.841')
    assert.equal(thresholdOf([...times(20, 1), ...times(9, 9)])?.toFixed(3), '0.841')
    assert.equal(thresholdOf(times(16, 0)), 0.35)
  })
})

for (const engine of engines) {
  describe(`calibration on ${engine}`, () => {
    const database = sharedDatabase(engine)
    const { signal } = new AbortController()

    async function newAgent(titles: readonly string[]): Promise<number> {
      const { agentId } = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: 0 }))
      for (const title of titles) await add(agentId, title)
      return agentId
    }

    const add = (agentId: number, title: string) =>
      addDocument(database().db, agentId, { title, content: `About that: ${title}`, format: 'text' }, 0)

    const kept = async (agentId: number) =>
      database()
        .db.selectFrom('knowledge_calibrations')
        .select(['threshold', 'asked', 'due_at'])
        .where('agent_id', '=', agentId)
        .executeTakeFirstOrThrow()

    function startWork() {
      const work = runCalibration({
        database: database(),
        clock: Date.now,
        logger: pino({ level: 'silent' }),
      })
      work.start()
      return work
    }

    /** Entries that have most of their words in common. */
    const alike = Array.from({ length: 20 }, (_, n) => `Where can I park my vehicle of model number${n}`)
    /** Entries without a word in common. */
    const unlike = Array.from({ length: 20 }, (_, n) => `tulip${n} harbour${n} violin${n} quarry${n}`)

    it('a search without some passages finds as if these were removed', async () => {
      const { db } = database()
      const agentId = await newAgent(['Red kettle', 'Blue kettle', 'Green teapot'])
      const find = async (without: number[] = []) =>
        (await searchKnowledge(db, agentId, 'red kettle', 5, without)).passages.map(({ title, coverage }) => [
          title,
          coverage,
        ])
      const [first] = (await searchKnowledge(db, agentId, 'red kettle', 1)).passages
      assert.equal(first?.title, 'Red kettle')
      const without = await find([Number(first?.id)])
      const { id } = await db
        .selectFrom('knowledge_documents')
        .select('id')
        .where('agent_id', '=', agentId)
        .where('title', '=', 'Red kettle')
        .executeTakeFirstOrThrow()
      await removeDocument(db, agentId, id, 0)
      assert.deepEqual(without, await find())
      assert.deepEqual(
        without.map(([title]) => title),
        ['Blue kettle'],
      )
    })

    it('entries that are alike need more confidence than those that are not; few entries tell nothing', async () => {
      const { db } = database()
      const [near, far, few] = [await newAgent(alike), await newAgent(unlike), await newAgent(['Parking'])]
      const nearly = await measureThreshold(db, near, signal)
      assert.equal(nearly.asked, 20)
      assert.ok(Number(nearly.threshold) > 0.47, String(nearly.threshold))
      assert.deepEqual(await measureThreshold(db, far, signal), { threshold: 0.35, asked: 20 })
      assert.deepEqual(await measureThreshold(db, few, signal), { threshold: null, asked: 1 })
    })

    it('asks for at most 200 entries', async () => {
      const agentId = await newAgent([])
      const rows = Array.from({ length: 450 }, (_, n) => `Question number${n} please?,Answer ${n}`)
      const content = ['question,answer', ...rows].join('\n')
      await addDocument(database().db, agentId, { title: 'FAQ', content, format: 'csv' }, 0)
      assert.equal((await measureThreshold(database().db, agentId, signal)).asked, 200)
    })

    it('is measured when documents change, again when they change later, and answers follow at once', async () => {
      const agentId = await newAgent(alike.slice(0, 10))
      const work = startWork()
      try {
        await becomes(() => kept(agentId), { threshold: null, asked: 10, due_at: null })
        const used = async () => (await searchKnowledge(database().db, agentId, 'park', 1)).threshold
        assert.equal(await used(), 0.47)
        for (const title of alike.slice(10)) await add(agentId, title)
        await becomes(async () => (await kept(agentId)).asked, 20)
        await becomes(async () => (await kept(agentId)).due_at, null)
        const { threshold } = await kept(agentId)
        assert.ok(Number(threshold) > 0.47, String(threshold))
        assert.equal(await used(), threshold)
      } finally {
        await work.stop(10_000)
      }
    })

    it('the shipped documentation answers what it is about, and not what it has only words of', async () => {
      const agentId = await newAgent([])
      await seedGuide(database(), agentId, 0)
      const work = startWork()
      try {
        await becomes(async () => (await kept(agentId)).asked, 200)
        await becomes(async () => (await kept(agentId)).due_at, null)
      } finally {
        await work.stop(10_000)
      }
      for (const [question, isAnswered] of [
        ['How do I rotate the master key?', true],
        ['How do I invite a colleague?', true],
        ['What does a Content Security Policy need for the widget?', true],
        ['What is the capital of France?', false],
        ['Who painted the Mona Lisa?', false],
        ['How do I write a cover letter?', false],
        ['What will the weather be like tomorrow in Lisbon?', false],
      ] as const) {
        const findings = await searchKnowledge(database().db, agentId, question, 5)
        assert.equal(isEvidence(findings), isAnswered, `${question} ${JSON.stringify(findings.passages[0])}`)
      }
    })

    it('agents that a dead worker held are measured once its lease has ended', async () => {
      const agentId = await newAgent(alike)
      await database()
        .db.updateTable('knowledge_calibrations')
        .set({ lease: 7, leased_until: '2020-01-01T00:00:00.000Z', holder: 'gone' })
        .where('agent_id', '=', agentId)
        .execute()
      const work = startWork()
      await becomes(async () => (await kept(agentId)).asked, 20)
      await work.stop(10_000)
    })
  })
}
