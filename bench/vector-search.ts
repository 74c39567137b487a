// How long does a search by words and vectors take among many passages, and how much memory do the vectors need? The
// embedding server answers at once, so only Parley's time counts. PASSAGES, DIMENSION, QUERIES and ENGINES set others.
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { createAgent } from '../src/agents/create-agent.ts'
import { addDocument } from '../src/knowledge/documents/add-document.ts'
import { findsPassages } from '../src/knowledge/search/find-passages.ts'
import { readProgress } from '../src/knowledge/vectors/read-progress.ts'
import { runEmbedding } from '../src/knowledge/vectors/run-embedding.ts'
import type { Embedder } from '../src/model/embedder.ts'
import { quantile } from '../test/support/quantile.ts'
import { openBenchDatabase } from './knowledge/database.ts'
import { printTable } from './support/load.ts'
import { drawWords, random } from './support/made-words.ts'

const PASSAGES = Number(process.env.PASSAGES ?? 100_000)
const DIMENSION = Number(process.env.DIMENSION ?? 384)
const QUERIES = Number(process.env.QUERIES ?? 200)
const ENGINES = (process.env.ENGINES ?? 'sqlite,postgres').split(',') as ('sqlite' | 'postgres')[]
const PASSAGES_A_DOCUMENT = 100
const WORDS_A_PASSAGE = 60
const WORDS_A_QUESTION = 5

const embedder: Embedder = {
  name: 'random',
  url: 'http://127.0.0.1/v1',
  embed: async (texts) => ({ vectors: texts.map(randomVector), dimension: DIMENSION, tokens: 0 }),
}

const rows: (string | number)[][] = []
for (const engine of ENGINES) rows.push([engine, ...(await measure(engine))])
printTable([
  [
    `${PASSAGES} passages, ${DIMENSION} numbers`,
    'p50 ms',
    'p95',
    'p99',
    'by words alone p50',
    'p95',
    'first ms',
    'vectors MB',
  ],
  ...rows,
])

async function measure(engine: 'sqlite' | 'postgres'): Promise<(string | number)[]> {
  await using opened = await openBenchDatabase(engine)
  const { database } = opened
  const { db } = database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  for (let number = 0; number * PASSAGES_A_DOCUMENT < PASSAGES; number++) {
    const content = Array.from(
      { length: PASSAGES_A_DOCUMENT },
      (_, at) => `## ${drawWords(3)} ${at}\n\n${drawWords(WORDS_A_PASSAGE)}.`,
    ).join('\n\n')
    await addDocument(db, agentId, { title: `${drawWords(2)} ${number}`, content, format: 'markdown' }, 0)
  }
  const work = runEmbedding({
    database,
    clock: Date.now,
    logger: pino({ level: 'warn' }),
    embedderOf: async () => embedder,
    anyServerIsSet: async () => true,
  })
  const search = (withVectors: boolean) =>
    findsPassages({
      db,
      clock: Date.now,
      embedderOf: async () => (withVectors ? embedder : null),
      embeddingFailed(error) {
        throw error
      },
      rerank: null,
      readWithinMs: 60_000,
    })
  const timed = async (find: ReturnType<typeof search>): Promise<number> => {
    const question = drawWords(WORDS_A_QUESTION)
    const started = performance.now()
    await find({ id: agentId, teamId: 1, settings: { synonyms: [] } }, question, 10)
    return performance.now() - started
  }
  const allTimed = async (find: ReturnType<typeof search>): Promise<number[]> => {
    const taken: number[] = []
    for (let count = 0; count < QUERIES; count++) taken.push(await timed(find))
    return taken.sort((a, b) => a - b)
  }
  const byWords = await allTimed(search(false))
  work.start()
  while ((await readProgress(db, agentId, embedder)).status !== 'done') await wait(200)
  await work.stop(10_000)
  const find = search(true)
  const before = process.memoryUsage().rss
  const first = await timed(find)
  const megabytes = (process.memoryUsage().rss - before) / 1e6
  const byBoth = await allTimed(find)
  return [
    ...[0.5, 0.95, 0.99].map((share) => quantile(byBoth, share)),
    ...[0.5, 0.95].map((share) => quantile(byWords, share)),
    first,
    megabytes,
  ]
}

function randomVector(): Float32Array {
  const vector = Float32Array.from({ length: DIMENSION }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map((number) => number / length)
}
