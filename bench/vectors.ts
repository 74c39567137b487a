import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { createAgent } from '../src/agents/create-agent.ts'
import { addDocument } from '../src/knowledge/documents/add-document.ts'
import { findsPassages } from '../src/knowledge/search/find-passages.ts'
import { searchKnowledge } from '../src/knowledge/search/search.ts'
import { readProgress } from '../src/knowledge/vectors/read-progress.ts'
import { runEmbedding } from '../src/knowledge/vectors/run-embedding.ts'
import { createOutbound, parsePrivateTargets } from '../src/lib/outbound/outbound.ts'
import { type Embedder, openEmbedder } from '../src/model/embedder.ts'
import { knowledgeAnswerer } from '../src/model/knowledge-answerer.ts'
import { startLearnedEmbeddings } from '../test/support/learned-embeddings.ts'
import { openBenchDatabase } from './knowledge/database.ts'
import { type QuestionSet, readQuestionSets } from './knowledge/faq.ts'
import { readFunctionSet, readFunctions } from './knowledge/functions.ts'
import { Ranks } from './knowledge/ranks.ts'

/**
 * Asks the questions of the knowledge bench, and those of overlapping entries, with vectors of a learned model.
 * Compares the search by words, by vectors and by both, and the built-in answerer's answers.
 */
await using peer = await startLearnedEmbeddings()
const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
const embedder = openEmbedder(
  { url: peer.url, apiKey: null, name: 'use-lite', trusted: true },
  outbound.of(null),
)
for (const set of readQuestionSets()) {
  for (const alternates of [false, true]) await benchSet(set, alternates)
}
const functions = readFunctions()
for (const [of, by] of [
  ['lodash', 'es-toolkit'],
  ['es-toolkit/compat', 'lodash'],
] as const)
  await benchSet(readFunctionSet(functions, of, by), false)
await outbound.close()

async function benchSet({ name, entries, unanswerable }: QuestionSet, alternates: boolean) {
  await using opened = await openBenchDatabase('sqlite')
  const { database } = opened
  const { db } = database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  for (const { question, answer, alternates: questions } of entries) {
    const document = { title: question, url: null, content: answer, format: 'text' as const }
    await addDocument(db, agentId, alternates ? { ...document, questions } : document, 0)
  }
  await embedAll()
  const find = findsPassages({
    db,
    clock: Date.now,
    embedderOf: async () => embedder,
    embeddingFailed: fail,
    rerank: null,
  })
  const byWords = (query: string | readonly string[]) =>
    searchKnowledge(db, agentId, [query].flat().join(' '), 10)
  const byBoth = (query: string | readonly string[]) =>
    find({ id: agentId, teamId: 1, settings: { synonyms: [] } }, query, 10)
  const ranks = { words: new Ranks(), vectors: new Ranks(), both: new Ranks() }
  const right = { words: 0, both: 0 }
  const wrong = { words: 0, both: 0 }
  const answerers = { words: knowledgeAnswerer(byWords), both: knowledgeAnswerer(byBoth) }
  for (const entry of entries) {
    for (const query of entry.asked) {
      const place = (found: { title: string }[]) => found.findIndex(({ title }) => title === entry.question)
      ranks.words.add(place((await byWords(query)).passages))
      const { passages } = await find({ id: agentId, teamId: 1, settings: { synonyms: [] } }, query, 100)
      ranks.both.add(place(passages.slice(0, 10)))
      const near = passages.filter(({ similarity }) => similarity !== null)
      near.sort((a, b) => Number(b.similarity) - Number(a.similarity))
      ranks.vectors.add(place(near.slice(0, 10)))
      for (const kind of ['words', 'both'] as const)
        if ((await cited(answerers[kind], query)) === entry.question) right[kind]++
    }
  }
  for (const query of unanswerable) {
    for (const kind of ['words', 'both'] as const) if (await cited(answerers[kind], query)) wrong[kind]++
  }
  print(`${name}: ${entries.length} entries ${alternates ? 'with' : 'without'} alternate questions`)
  for (const kind of ['words', 'vectors', 'both'] as const)
    print(
      `  ${kind.padEnd(8)} first right ${ranks[kind].first()}  reciprocal rank at 10 ${ranks[kind].mean()}  in context at 5 ${ranks[kind].inContext()}`,
    )
  for (const kind of ['words', 'both'] as const)
    print(
      `  ${kind.padEnd(8)} answered right ${percent(right[kind], ranks.both.count)}${unanswerable.length === 0 ? '' : `  unanswerable answered ${percent(wrong[kind], unanswerable.length)}`}`,
    )

  async function embedAll() {
    const work = runEmbedding({
      database,
      clock: Date.now,
      logger: pino({ level: 'warn' }),
      embedderOf: async (): Promise<Embedder> => embedder,
      anyServerIsSet: async () => true,
    })
    work.start()
    while ((await readProgress(db, agentId, embedder)).status !== 'done') await wait(100)
    await work.stop(10_000)
  }
}

async function cited(
  model: ReturnType<typeof knowledgeAnswerer>,
  content: string,
): Promise<string | undefined> {
  const request = { model: 'bench', messages: [{ role: 'user' as const, content }], parameters: {} }
  const { citations, retrieval } = await model.complete(request, new AbortController().signal)
  return retrieval?.answered ? citations[0]?.title : undefined
}

function fail(error: unknown): never {
  throw error
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
