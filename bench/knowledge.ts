import { sql } from 'kysely'
import { createAgent } from '../src/agents/create-agent.ts'
import { addDocument, type NewDocument } from '../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../src/knowledge/search/search.ts'
import { knowledgeAnswerer } from '../src/model/knowledge-answerer.ts'
import { makeCorpus } from './knowledge/corpus.ts'
import { openBenchDatabase } from './knowledge/database.ts'
import { type QuestionSet, readQuestionSets } from './knowledge/faq.ts'
import { indexWithMiniSearch, installMiniSearch, searchWithMiniSearch } from './knowledge/minisearch.ts'
import { Ranks } from './knowledge/ranks.ts'

/**
 * Compares the knowledge answerer with MiniSearch with Porter's stemmer, on sets of questions, two of them public.
 * Measures the questions that it answers and those that it rightly leaves, and the time of a search in 10,000 documents
 * on both engines. The argument `quality` or `time` runs only one of the two.
 */
const DOCUMENTS = 10_000
const QUERIES = 1000

installMiniSearch()
const [only] = process.argv.slice(2)
if (only !== 'time') {
  for (const set of readQuestionSets()) {
    for (const alternates of [false, true]) await benchQuality(set, alternates)
  }
}
if (only !== 'quality') await benchTime()

async function benchQuality({ name, entries, unanswerable }: QuestionSet, alternates: boolean) {
  await using bench = await openBench('sqlite')
  await bench.add(
    entries.map((entry) => ({
      title: entry.question,
      url: null,
      content: entry.answer,
      format: 'text',
      ...(alternates ? { questions: entry.alternates } : {}),
    })),
  )
  const mini = await searchWithMiniSearch(entries, alternates)
  const ours = new Ranks()
  const theirs = new Ranks()
  let answeredRight = 0
  const choices = { count: 0, first: 0, among: 0 }
  for (const [at, entry] of entries.entries()) {
    for (const query of entry.asked) {
      const { passages } = await bench.search(query, 10)
      ours.add(passages.findIndex(({ title }) => title === entry.question))
      theirs.add(
        mini(query)
          .slice(0, 10)
          .findIndex(({ id }) => id === at),
      )
      const { citations, content, retrieval } = await bench.answer(query)
      if (retrieval?.answered && citations[0]?.title === entry.question) answeredRight++
      if (!String(content).startsWith('Did you mean')) continue
      choices.count++
      if (citations[0]?.title === entry.question) choices.first++
      if (citations.some(({ title }) => title === entry.question)) choices.among++
    }
  }
  let answeredWrongly = 0
  for (const query of unanswerable) {
    if ((await bench.answer(query)).retrieval?.answered) answeredWrongly++
  }
  print(`${name}: ${entries.length} entries ${alternates ? 'with' : 'without'} alternate questions`)
  print(`  ${ours.count} answerable questions, ${unanswerable.length} unanswerable ones`)
  print(`  Parley      first right ${ours.first()}  mean reciprocal rank at 10 ${ours.mean()}`)
  print(`  MiniSearch  first right ${theirs.first()}  mean reciprocal rank at 10 ${theirs.mean()}`)
  print(`  answerable questions answered right  ${percent(answeredRight, ours.count)} (at least 65%)`)
  print(
    `  several entries named for ${percent(choices.count, ours.count)}: the right one first ${percent(choices.first, choices.count)}, among them ${percent(choices.among, choices.count)}`,
  )
  print(`  unanswerable questions answered  ${percent(answeredWrongly, unanswerable.length)} (at most 5%)`)
}

async function benchTime() {
  const { documents, queries } = makeCorpus(DOCUMENTS, QUERIES)
  print(`search in ${DOCUMENTS} documents, ${QUERIES} questions, one after another`)
  for (const engine of ['sqlite', 'postgres'] as const) {
    await using bench = await openBench(engine)
    const search = (query: string) => bench.search(query, 5)
    const started = performance.now()
    await bench.add(
      documents.map((text, at) => ({ title: `Document ${at}`, url: null, content: text, format: 'text' })),
    )
    const added = ((performance.now() - started) / DOCUMENTS).toFixed(2)
    print(`  Parley, ${engine}: ${added} ms to add a document`)
    if (engine === 'postgres') {
      print(`    just after that  ${await timed(queries, search)}`)
      // Autovacuum does the same within a minute or two; from then on searches read only the index.
      await bench.vacuum()
    }
    print(`    ${await timed(queries, search)} (p95 at most 10 ms)`)
  }
  const mini = indexWithMiniSearch(documents)
  print(`  MiniSearch in memory  ${await timed(queries, async (query) => mini.search(query))}`)
}

async function timed(queries: readonly string[], search: (query: string) => Promise<unknown>) {
  for (const query of queries.slice(0, 50)) await search(query)
  const times: number[] = []
  for (const query of queries) {
    const started = performance.now()
    await search(query)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(2)
  return `p50 ${at(0.5)} ms  p95 ${at(0.95)} ms  p99 ${at(0.99)} ms`
}

/** Opens a new database with an agent that has no knowledge yet. */
async function openBench(engine: 'sqlite' | 'postgres') {
  const opened = await openBenchDatabase(engine)
  const { db } = opened.database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  const search = (query: string, limit: number) => searchKnowledge(db, agentId, query, limit)
  const model = knowledgeAnswerer((query) => search([query].flat().join(' '), 5))
  return {
    search,
    async add(documents: readonly NewDocument[]) {
      for (const document of documents) await addDocument(db, agentId, document, 0)
    },
    answer: (content: string) =>
      model.complete(
        { model: 'bench', messages: [{ role: 'user', content }], parameters: {} },
        new AbortController().signal,
      ),
    vacuum: () => sql`vacuum analyze`.execute(db),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
