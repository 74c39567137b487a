import type { Outbound } from '../lib/outbound/outbound.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import type { Team } from '../lib/pacing/turns-by-team.ts'
import { toObject, toObjects } from '../lib/untrusted-json.ts'
import { openJsonServer } from './json-server.ts'
import { ModelError, refusesParameters } from './model.ts'

/** Tells how well texts fit a question. */
export interface Reranker {
  /**
   * @returns a number for each document, in their order: the higher, the better the document fits
   * @throws ModelError
   */
  rank(
    team: Team,
    question: string,
    documents: readonly string[],
    call: { timeoutMs: number },
  ): Promise<number[]>
}

interface RerankServer {
  url: string
  apiKey: string | null
  /** The name of the model; null: the server has only one. */
  name: string | null
  trusted: boolean
}

/** Some servers repeat the documents in their answer. */
const ANSWER_LIMIT = 2 * 1024 * 1024

/**
 * A server with a `/rerank` like that of Cohere and Jina, which many have, or like that of Text Embeddings Inference.
 * Its answers tell which of the two it has.
 * @throws ModelError `blocked` when the address is not a URL
 */
export function openReranker(
  { url, apiKey, name, trusted }: RerankServer,
  outbound: Pick<Outbound, 'of'>,
): Reranker {
  const server = openJsonServer({ kind: 'reranking server', url, path: 'rerank', apiKey, trusted })
  let takesTexts = false

  return {
    async rank(team, question, documents, { timeoutMs }) {
      const end = performance.now() + timeoutMs
      const http = outbound.of(team)
      const ask = async (body: object) => {
        const call = { http, timeoutMs: Math.max(1, end - performance.now()), maxResponseBytes: ANSWER_LIMIT }
        return readScores(await server.post(body, { ...call, texts: [question, ...documents] }), documents)
      }
      const askWithTexts = () => ask({ query: question, texts: documents, truncate: true })
      if (takesTexts) return askWithTexts()
      const model = name === null ? {} : { model: name }
      try {
        return await ask({ ...model, query: question, documents, top_n: documents.length })
      } catch (error) {
        if (!refusesParameters(error)) throw error
        const scores = await askWithTexts().catch(() => null)
        if (!scores) throw error
        takesTexts = true
        return scores
      }
    },
  }
}

/** @throws ModelError `protocol` unless each document has one score */
function readScores(body: string, documents: readonly string[]): number[] {
  const answer = readPeerJsonOrNull(body)
  const scores: number[] = new Array(documents.length).fill(Number.NaN)
  for (const { index, relevance_score, score = relevance_score } of toObjects(
    Array.isArray(answer) ? answer : toObject(answer)?.results,
  )) {
    const place = Number.isSafeInteger(index) ? (index as number) : -1
    if (!Number.isNaN(scores[place]) || !Number.isFinite(score)) throw noScores()
    scores[place] = score as number
  }
  if (scores.some(Number.isNaN)) throw noScores()
  return scores
}

function noScores(): ModelError {
  return new ModelError(
    'protocol',
    'The reranking server answered with something other than a score a document',
  )
}
