import type { Kysely } from 'kysely'
import { queriesOf } from '../../language/queries-of.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { asksByName } from '../../model/close-entries.ts'
import { EMBEDDING_SERVER, type Embedder } from '../../model/embedder.ts'
import type { Findings, FoundPassage, ReasonForWords } from '../../model/findings.ts'
import { serverFailures } from '../../model/server-failures.ts'
import type { Tables } from '../../storage/tables.ts'
import type { KnowledgeEmbeddingsRow } from '../tables.ts'
import { hashOfServer } from '../vectors/embed-passages.ts'
import { embedQuestions } from '../vectors/embed-question.ts'
import { noteMismatch, selectEmbedding } from '../vectors/embedding-store.ts'
import { fuse, leadOf } from '../vectors/fuse.ts'
import { keepVectors, type NearPassage } from '../vectors/kept-vectors.ts'
import { favourDocuments, TOGETHER } from './favour-documents.ts'
import { passagesByIds } from './read-passages.ts'
import { RERANKED, type RerankPassages } from './rerank-passages.ts'
import { type FoundInMessage, searchWays } from './search-ways.ts'
import { keepSynonyms, type Synonyms } from './synonyms.ts'
import { withoutCopies } from './without-copies.ts'

/** An agent whose documents are searched. */
export interface Searched {
  id: number
  teamId: number
  settings: { synonyms: Synonyms }
}

/**
 * Finds the passages that fit a question, as `searchWays` does, also by meaning where there are vectors, and in the
 * order of the reranking server where there is one.
 * @param question a message of one or more sentences, or what is searched for in its place
 */
export type FindPassages = (
  agent: Searched,
  question: string | readonly string[],
  limit: number,
) => Promise<Findings>

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** Returns the embedder of an agent's passages and questions under the name of a model; null: there is no server. */
  embedderOf: (agentId: number, model?: string) => Promise<Embedder | null>
  /** Reports that a question could not be embedded. */
  embeddingFailed: (error: unknown) => void
  /** Reranks the passages; null: there is no reranking server. */
  rerank: RerankPassages | null
  /** The time that a search waits for vectors to be read. */
  readWithinMs?: number
}

/** The number of passages that each kind of search contributes. */
const CANDIDATES = 50
/** The time that answers wait for vectors to be read, in milliseconds. */
const READ_WITHIN_MS = 1000

/**
 * Searches by words, and by vectors where an agent has them, and fuses the two orders. When the embedding server fails
 * or is slow, only words count. When the reranking server does, the order stays.
 */
export function findsPassages({
  db,
  clock,
  embedderOf,
  embeddingFailed,
  rerank,
  readWithinMs = READ_WITHIN_MS,
}: Dependencies): FindPassages {
  const vectors = keepVectors(db)
  const synonymsOf = keepSynonyms()
  const embedQuestion = embedQuestions((_, error) => embeddingFailed(error))

  if (!rerank) return findDistinct
  return async (agent, question, limit) => {
    const found = await findDistinct(agent, question, Math.max(limit, RERANKED))
    const best = await rerank(agent, found.asked, found.passages.slice(0, RERANKED))
    const passages = best ? [...best, ...found.passages.slice(RERANKED)] : found.passages
    return { ...found, passages: passages.slice(0, limit) }
  }

  /** Searches for more passages when copies took the place of others. */
  async function findDistinct(
    agent: Searched,
    question: string | readonly string[],
    limit: number,
  ): Promise<FoundInMessage> {
    const parts = typeof question === 'string' ? queriesOf(question) : question
    for (let wanted = limit; ; wanted *= 2) {
      const found = await find(agent, parts, wanted)
      const passages = withoutCopies(parts.join('\n'), found.passages)
      if (passages.length >= limit || found.passages.length < wanted || wanted >= CANDIDATES)
        return { ...found, passages: passages.slice(0, limit) }
    }
  }

  async function find(
    { id: agentId, settings }: Searched,
    parts: readonly string[],
    limit: number,
  ): Promise<FoundInMessage> {
    const [row] = await selectEmbedding(db, { agentId })
    const waysToAsk = synonymsOf(agentId, settings.synonyms)
    const search = async (limit: number) => {
      const found = await searchWays(db, agentId, parts, waysToAsk, Math.max(limit, TOGETHER))
      return { ...found, passages: namedFirst(parts, favourDocuments(found.passages)) }
    }
    if (!row?.model || !row.dimension) {
      const found = await search(limit)
      return { ...found, passages: found.passages.slice(0, limit) }
    }
    const byWords = await search(CANDIDATES)
    const near = await findNear(row, row.model, row.dimension, byWords.asked).catch((error: unknown) => {
      embeddingFailed(error)
      return 'server_failed' as const
    })
    if (typeof near === 'string')
      return { ...byWords, passages: byWords.passages.slice(0, limit), onlyWords: near }
    const similarities = new Map(near.map(({ passageId, similarity }) => [passageId, similarity]))
    const found = new Map(byWords.passages.map((passage) => [passage.id, passage]))
    const others = near.map(({ passageId }) => passageId).filter((id) => !found.has(id))
    if (others.length > 0) {
      for (const passage of await passagesByIds(db, agentId, others)) found.set(passage.id, passage)
    }
    const unlike = row.unlike ?? UNLIKE
    const scores = byWords.passages.map(({ score }) => score)
    const order = fuse([
      { ids: byWords.passages.map(({ id }) => id), lead: leadOf(scores, 0, scores[0] ?? 0) },
      { ids: near.map(({ passageId }) => passageId), lead: leadOf([...similarities.values()], unlike, 1) },
    ])
    const passages = order.flatMap(({ id, score }) => {
      const passage = found.get(id)
      return passage
        ? [withSimilarity({ ...passage, score }, similarities.get(id) ?? null, unlike, byWords.threshold)]
        : []
    })
    return { ...byWords, passages: namedFirst(parts, passages).slice(0, limit) }
  }

  /** Finds the passages nearest to a question, or says why it could not. */
  async function findNear(
    row: KnowledgeEmbeddingsRow,
    model: string,
    dimension: number,
    question: string,
  ): Promise<NearPassage[] | ReasonForWords> {
    const agentId = row.agent_id
    const embedder = await embedderOf(agentId, model)
    // Another server may use the same name for another model.
    if (!embedder || row.server !== hashOfServer(embedder)) return 'other_server'
    const asked = await embedQuestion(agentId, embedder, model, question)
    if (!asked) return 'server_failed'
    if (asked.length !== dimension) {
      const said = { server: EMBEDDING_SERVER, now: asked.length, before: dimension }
      const words = serverFailures.say('other_for_questions', said)
      await noteMismatch(db, agentId, `${words}.`, timestamp(clock()))
      return 'other_server'
    }
    const { changes } = row
    const version = { agentId, model, dimension, changes }
    return (await vectors.nearest(version, asked, CANDIDATES, readWithinMs)) ?? 'vectors_not_read'
  }
}

/** Puts passages first whose name is what was asked: others can win by one rare word of it. */
function namedFirst(parts: readonly string[], passages: readonly FoundPassage[]): FoundPassage[] {
  const [question] = parts
  if (question === undefined || parts.length > 1) return [...passages]
  const isNamed = (passage: FoundPassage) => asksByName(question, passage)
  return [...passages.filter(isNamed), ...passages.filter((passage) => !isNamed(passage))]
}

/** The similarity assumed for passages that do not answer a question, until it is measured on the agent's documents. */
const UNLIKE = 0.5

/**
 * Adds its similarity to a passage, and raises its confidence if the similarity is evidence.
 * @param unlike the similarity to a question of passages that do not answer it: anything above it is evidence
 * @param threshold the confidence of a passage whose similarity is just `unlike`
 */
function withSimilarity(
  passage: FoundPassage,
  similarity: number | null,
  unlike: number,
  threshold: number,
): FoundPassage {
  const room = Math.max(0.05, 1 - unlike)
  const evidence = similarity === null ? 0 : threshold * Math.max(0, 1 + (similarity - unlike) / room)
  return { ...passage, similarity, confidence: Math.max(passage.confidence, evidence) }
}
