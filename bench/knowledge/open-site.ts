import { createAgent } from '../../src/agents/create-agent.ts'
import { settleCalibration } from '../../src/knowledge/calibration/calibration-store.ts'
import { measureThreshold } from '../../src/knowledge/calibration/measure-threshold.ts'
import { addDocument } from '../../src/knowledge/documents/add-document.ts'
import { findsPassages } from '../../src/knowledge/search/find-passages.ts'
import { allPassages, passagesBeside } from '../../src/knowledge/search/read-passages.ts'
import { retrieveContext } from '../../src/knowledge/search/retrieve-context.ts'
import { searchFurther } from '../../src/knowledge/search/search-further.ts'
import { knowledgeAnswerer } from '../../src/model/knowledge-answerer.ts'
import { openBenchDatabase } from './database.ts'
import type { Site } from './sites.ts'

/** The answer of the built-in answerer. */
export interface Said {
  verdict: 'answered' | 'may help' | 'unknown'
  /** The addresses of the sources, best first. */
  urls: (string | null)[]
}

/** The number of passages that are searched for. */
const FOUND = 20

/** Opens a site without some of its pages, as an agent has it whose threshold has been measured. */
export async function openSite({ pages }: Site, gone: readonly string[]) {
  const opened = await openBenchDatabase('sqlite')
  const { db } = opened.database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  for (const { path, text } of pages) {
    const page = path.replace(/\.\w+$/, '')
    if (gone.includes(page)) continue
    const format = path.endsWith('.mdx') ? 'mdx' : 'markdown'
    const document = {
      source: path,
      url: addressOf(page),
      otherwiseTitled: page,
      content: text,
      format,
    } as const
    // Pages without a text cannot be added.
    await addDocument(db, agentId, document, 0).catch(() => undefined)
  }
  const measured = await measureThreshold(db, agentId, new AbortController().signal)
  const row = await db
    .selectFrom('knowledge_calibrations')
    .selectAll()
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  const at = new Date(0).toISOString()
  await settleCalibration(db, row, { ...measured, at }, at)
  const findPassages = findsPassages({
    db,
    clock: () => 0,
    embedderOf: async () => null,
    embeddingFailed: () => undefined,
    rerank: null,
  })
  const agent = { id: agentId, teamId: 1, settings: { synonyms: [], context_tokens: 16_000 } }
  const read = {
    beside: (agentId: number, ids: readonly number[]) => passagesBeside(db, agentId, ids),
    all: (agentId: number, most: number) => allPassages(db, agentId, most),
  }
  const find = (question: string | readonly string[]) => findPassages(agent, question, FOUND)
  const model = knowledgeAnswerer(find)
  return {
    find,
    /** Reads the passages of the pages at some addresses. */
    passagesOf: async (urls: readonly string[]) =>
      ((await allPassages(db, agentId, Number.MAX_SAFE_INTEGER)) ?? []).filter(
        ({ url }) => url !== null && urls.includes(url),
      ),
    threshold: measured.threshold?.toFixed(2),
    /** Returns the pages of which a model is given passages, and those that it finds when it searches for `asked`. */
    async given(question: string, asked: string) {
      const passages = (await retrieveContext(findPassages, read, agent, question))?.passages ?? []
      const given = new Set(passages.map(({ id }) => id))
      const further = await searchFurther(findPassages, agent, [asked], (id) => given.has(id))
      return { given: passages.map(({ url }) => url), searched: further.passages.map(({ url }) => url) }
    },
    async ask(content: string): Promise<Said> {
      const asked = { model: 'bench', messages: [{ role: 'user' as const, content }], parameters: {} }
      const { citations, retrieval } = await model.complete(asked, new AbortController().signal)
      const urls = citations.map(({ url }) => url?.replace(/#.*/, '') ?? null)
      return { verdict: retrieval?.answered ? 'answered' : urls.length > 0 ? 'may help' : 'unknown', urls }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/** Returns the address under which a page of a site is added. */
export function addressOf(page: string): string {
  return `https://example.com/${encodeURI(page)}`
}
