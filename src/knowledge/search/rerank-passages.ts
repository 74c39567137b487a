import type { Team } from '../../lib/pacing/turns-by-team.ts'
import type { FoundPassage } from '../../model/findings.ts'
import type { Reranker } from '../../model/reranker.ts'
import { aboutPassage } from '../about-passage.ts'
import { startOfQuestion } from '../start-of-question.ts'

/** The number of passages that are reranked. Every server accepts this many in one call. */
export const RERANKED = 30
/** The maximum time that an answer waits for the server. */
const TIMEOUT_MS = 2000
/** The time for which a server that failed is not asked. */
const REST_MS = 5000
const LONGEST_DOCUMENT = 4000

/** Sorts passages by how well they fit a question; null: the server does not answer, or not in time. */
export type RerankPassages = (
  agent: { id: number; teamId: Team },
  question: string,
  passages: readonly FoundPassage[],
) => Promise<FoundPassage[] | null>

/**
 * Asks a server for the order of passages. After a failure the server is left alone for some seconds, so that it delays
 * few answers.
 * @param failed called once for each time that the server is left alone
 * @param now returns milliseconds from any fixed moment
 */
export function reranksPassages(
  rerankerOf: (agentId: number) => Promise<Reranker>,
  failed: (error: unknown) => void,
  now: () => number = () => performance.now(),
): RerankPassages {
  let restsUntil = Number.NEGATIVE_INFINITY

  return async (agent, question, passages) => {
    // A single passage needs no sorting.
    if (passages.length < 2 || now() < restsUntil) return null
    const asked = startOfQuestion(question)
    try {
      const reranker = await rerankerOf(agent.id)
      const scores = await reranker.rank(agent.teamId, asked, passages.map(textOf), {
        timeoutMs: TIMEOUT_MS,
      })
      return inOrder(passages, scores)
    } catch (error) {
      const wasAwake = now() >= restsUntil
      restsUntil = now() + REST_MS
      if (wasAwake) failed(error)
      return null
    }
  }
}

/**
 * Sorts the passages by the server's scores, which are comparable with no threshold. The verdict on whether the
 * documents hold an answer must stay: the new first passage has at least the confidence of the old one.
 */
function inOrder(passages: readonly FoundPassage[], scores: readonly number[]): FoundPassage[] {
  const confidence = passages[0]?.confidence ?? 0
  return passages
    .map((passage, at) => ({ ...passage, score: scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .map((passage, at) =>
      at === 0 ? { ...passage, confidence: Math.max(passage.confidence, confidence) } : passage,
    )
}

function textOf(passage: FoundPassage): string {
  return `${aboutPassage(passage)}\n${passage.text}`.slice(0, LONGEST_DOCUMENT).toWellFormed()
}
