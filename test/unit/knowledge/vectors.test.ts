import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { addDocument } from '../../../src/knowledge/documents/add-document.ts'
import { removeDocument } from '../../../src/knowledge/documents/remove-document.ts'
import { findsPassages } from '../../../src/knowledge/search/find-passages.ts'
import { embedTexts } from '../../../src/knowledge/vectors/embed-texts.ts'
import { fuse, leadOf } from '../../../src/knowledge/vectors/fuse.ts'
import { keepVectors } from '../../../src/knowledge/vectors/kept-vectors.ts'
import { allocate, numbersOf } from '../../../src/knowledge/vectors/memory.ts'
import { nearest } from '../../../src/knowledge/vectors/nearest.ts'
import { readProgress } from '../../../src/knowledge/vectors/read-progress.ts'
import { runEmbedding } from '../../../src/knowledge/vectors/run-embedding.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { type Embedder, openEmbedder } from '../../../src/model/embedder.ts'
import { ModelError } from '../../../src/model/model.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { LEASE_MS } from '../../../src/work/lease.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../../support/embedding-server.ts'

describe('nearest', () => {
  for (const [count, where] of [
    [3000, 'in parts of the event loop'],
    [40_000, 'in threads, by WebAssembly'],
  ] as const)
    it(`finds what is nearest for certain, ${where}`, async () => {
      const dimension = 130
      const memory = allocate(count * dimension)
      const numbers = numbersOf(memory)
      for (let at = 0; at < count * dimension; at++) numbers[at] = Math.sin(at * 12.9898) * 0.5
      const question = Float32Array.from({ length: dimension }, (_, at) => Math.cos(at))
      const all = Array.from({ length: count }, (_, at) => {
        let similarity = 0
        for (let n = 0; n < dimension; n++)
          similarity += Number(numbers[at * dimension + n]) * Number(question[n])
        return { at, similarity }
      }).sort((a, b) => b.similarity - a.similarity)
      const found = await nearest(null, { memory, dimension, count }, question, 20)
      assert.equal(new Set(found.map(({ at }) => at)).size, 20)
      // Sums of 32 bits may put two that are almost alike the other way round.
      for (const [place, { similarity }] of found.entries())
        assert.ok(Math.abs(similarity - Number(all[place]?.similarity)) < 1e-3, `${place}: ${similarity}`)
    })

  it('a team with many questions keeps no other team waiting', async () => {
    const [dimension, count, questions] = [130, 40_000, 60]
    const matrix = { memory: allocate(count * dimension), dimension, count }
    const ask = (team: number) => nearest(team, matrix, new Float32Array(dimension), 20)
    // The threads of both have begun.
    await Promise.all([ask(1), ask(2)])
    let ended = 0
    const greedy = Array.from({ length: questions }, () => ask(1).then(() => ended++))
    await ask(2)
    const before = ended
    await Promise.all(greedy)
    assert.ok(before < questions / 2, `${before} of ${questions} came first`)
  })
})

it('a server that gives other vectors in the middle of a batch is named with both dimensions', async () => {
  let calls = 0
  const embedder: Embedder = {
    name: 'm',
    url: 'http://x',
    async embed(texts) {
      if (texts.length > 1) throw new ModelError('status', 'too large', { status: 413 })
      const dimension = ++calls
      return { vectors: texts.map(() => new Float32Array(dimension)), dimension, tokens: 1 }
    },
  }
  await assert.rejects(embedTexts(embedder, ['a', 'b'], new AbortController().signal), {
    reason: 'protocol',
    message: 'The embedding server gave vectors of 1 numbers, and then of 2',
  })
})

describe('fuse', () => {
  const order = (...orders: Parameters<typeof fuse>[0]) => fuse(orders).map(({ id }) => id)

  it('what stands high in both orders comes first; of equals what the first order prefers', () => {
    assert.deepEqual(order({ ids: [1, 2, 3], lead: 0.5 }, { ids: [4, 2, 5], lead: 0.5 }), [2, 1, 4, 3, 5])
    assert.deepEqual(order({ ids: [1, 2], lead: 0 }, { ids: [], lead: 1 }), [1, 2])
  })

  it('an order whose best stands out counts more', () => {
    assert.deepEqual(order({ ids: [1, 2], lead: 0.1 }, { ids: [3, 4], lead: 0.9 }), [3, 4, 1, 2])
  })

  it('the best stands out of the fifth, and of nothing where there are fewer', () => {
    assert.equal(leadOf([8, 7, 6, 5, 4, 0], 0, 8), 0.5)
    assert.equal(leadOf([8], 0, 8), 1)
    assert.equal(leadOf([0.9, 0.8, 0.8, 0.8, 0.7], 0.5, 1).toFixed(2), '0.40')
    assert.equal(leadOf([0.4], 0.5, 1), 0, 'what is less alike than what says nothing')
    assert.equal(leadOf([], 0, 0), 0)
  })
})

for (const engine of engines) {
  describe(`vectors of passages on ${engine}`, () => {
    let database: Database & { fresh: FreshDatabase }
    let server: EmbeddingServer
    const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })

    before(async () => {
      database = await openFreshDatabase(engine)
      server = await startEmbeddingServer()
    })
    after(async () => {
      await database.close()
      await database.fresh.remove()
      await server.close()
      await outbound.close()
    })

    const embedder = () =>
      openEmbedder({ url: server.url, apiKey: null, name: 'm', trusted: true }, outbound.of(1))

    function startWork(clock = Date.now, made: Embedder = embedder()) {
      const work = runEmbedding({
        database,
        clock,
        logger: pino({ level: 'silent' }),
        embedderOf: async () => made,
        anyServerIsSet: async () => true,
      })
      work.start()
      return work
    }

    async function newAgent(documents: number): Promise<number> {
      const { db } = database
      const { agentId } = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: 0 }))
      for (let n = 0; n < documents; n++)
        await addDocument(db, agentId, { title: `Title${n}`, content: `Content${n}`, format: 'text' }, 0)
      return agentId
    }

    /** Agents of one team or of a team each, with the vectors of five passages. */
    async function withVectors(agents: number): Promise<number[]> {
      const work = startWork()
      const ids = await Promise.all(Array.from({ length: agents }, () => newAgent(5)))
      for (const id of ids) await untilDone(id)
      await work.stop(10_000)
      return ids
    }

    async function untilDone(agentId: number): Promise<void> {
      while ((await readProgress(database.db, agentId, embedder())).status !== 'done') await wait(10)
    }

    const textsSent = () =>
      server.requests.flatMap(({ input }) => input).filter((text) => text.includes('Content'))

    it('go on where they were stopped: no passage is embedded twice', async () => {
      server.requests.length = 0
      const agentId = await newAgent(70)
      const held = Promise.withResolvers<void>()
      const first = startWork()
      // The first request asks for the dimension.
      await server.arrived(2)
      server.gate = held.promise
      await server.arrived(3)
      const kept = textsSent().slice(0, 32)
      await first.stop(10_000)
      held.resolve()
      server.gate = Promise.resolve()
      // The lease of the first is over.
      const second = startWork(() => Date.now() + LEASE_MS)
      await untilDone(agentId)
      await second.stop(10_000)
      for (const text of kept) assert.equal(textsSent().filter((sent) => sent === text).length, 1, text)
      assert.equal(new Set(textsSent()).size, 70)
    })

    it('are asked for again after growing pauses, which further documents do not shorten', async () => {
      const { db } = database
      const agentId = await newAgent(2)
      const sometimes: Embedder = {
        ...embedder(),
        async embed(texts) {
          if (texts[0] !== 'Hello') throw new Error('no vectors')
          return { vectors: [new Float32Array(64).fill(0.125)], dimension: 64, tokens: 1 }
        },
      }
      const work = startWork(Date.now, sometimes)
      const row = () =>
        db
          .selectFrom('knowledge_embeddings')
          .selectAll()
          .where('agent_id', '=', agentId)
          .executeTakeFirstOrThrow()
      let failed = await row()
      while (failed.attempts < 2 || failed.error === null) {
        await wait(10)
        failed = await row()
      }
      await addDocument(db, agentId, { title: 'More', content: 'More', format: 'text' }, 0)
      const { due_at, failed_at } = await row()
      await work.stop(10_000)
      assert.ok(Date.parse(due_at ?? '') - Date.parse(failed_at ?? '') > 3900, `${failed_at} to ${due_at}`)
    })

    it('are the same in every process: what one adds or removes the other finds or does not', async () => {
      const work = startWork()
      const { db } = database
      const agentId = await newAgent(3)
      await untilDone(agentId)
      const find = () =>
        findsPassages({
          db,
          clock: Date.now,
          embedderOf: async () => embedder(),
          embeddingFailed: (error) => assert.fail(String(error)),
          rerank: null,
        })
      const [one, other] = [find(), find()]
      const titles = async (search: typeof one, question: string) =>
        (await search({ id: agentId, teamId: 1, settings: { synonyms: [] } }, question, 10)).passages
          .filter(({ similarity }) => (similarity ?? 0) > 0.5)
          .map(({ title }) => title)
      assert.deepEqual(await titles(one, 'perro'), [])
      assert.deepEqual(await titles(other, 'perro'), [])
      const dog = { title: 'Dog', content: 'A dog', format: 'text' as const }
      const { documentId } = await addDocument(db, agentId, dog, 0)
      await untilDone(agentId)
      assert.deepEqual(await titles(one, 'perro'), ['Dog'])
      assert.deepEqual(await titles(other, 'chien'), ['Dog'])
      await removeDocument(db, agentId, documentId, 0)
      assert.deepEqual(await titles(one, 'perro'), [])
      assert.deepEqual(await titles(other, 'chien'), [])
      // The vectors of what was removed are not among the candidates either.
      const again = { title: 'Dog again', content: 'A dog', format: 'text' as const }
      await addDocument(db, agentId, again, 0)
      await untilDone(agentId)
      assert.deepEqual(await titles(other, 'perro'), ['Dog again'])
      await work.stop(10_000)
    })

    it('are not kept in memory beyond a bound, and then not compared', async () => {
      const work = startWork()
      const agentId = await newAgent(5)
      await untilDone(agentId)
      await work.stop(10_000)
      const question = new Float32Array(64).fill(0.1)
      const version = { agentId, model: 'm', dimension: 64, changes: 5 }
      const kept = keepVectors(database.db, 7 * 64 * 4)
      assert.equal((await kept.nearest(version, question, 10, 10_000))?.length, 5)
      // Its team may have three quarters.
      const small = keepVectors(database.db, 6 * 64 * 4)
      assert.equal(await small.nearest(version, question, 10, 10_000), null)
      assert.equal(await kept.nearest({ ...version, dimension: 65 }, question, 10, 10_000), null)
    })

    it('are not forgotten for a team that has its share in memory: it forgets its own', async () => {
      const { db } = database
      const [good = 0, ...greedy] = await withVectors(6)
      const { team_id } = await db
        .selectFrom('agents')
        .select('team_id')
        .where('id', '=', greedy[0] ?? 0)
        .executeTakeFirstOrThrow()
      await db.updateTable('agents').set({ team_id }).where('id', 'in', greedy).execute()
      // The agents of one team may take three of four places.
      const kept = keepVectors(db, 4 * 5 * 64 * 4)
      const found = async (agentId: number) => {
        const version = { agentId, model: 'm', dimension: 64, changes: 5 }
        return (await kept.nearest(version, new Float32Array(64).fill(0.1), 10, 10_000))?.length
      }
      for (const agentId of [good, ...greedy]) assert.equal(await found(agentId), 5, `agent ${agentId}`)
      // Without their rows, vectors that were dropped from memory cannot be read again.
      await db
        .deleteFrom('knowledge_vectors')
        .where('agent_id', 'in', [good, ...greedy])
        .execute()
      assert.equal(await found(good), 5, 'the other team')
      assert.deepEqual(await Promise.all(greedy.map(found)), [0, 0, 5, 5, 5])
    })
  })
}
