import type { FoundPassage } from '../model/findings.ts'
import type { Reranker } from '../model/reranker.ts'
import { aboutPassage } from './about-passage.ts'
import { startOfQuestion } from './start-of-question.ts'

/** How many passages are put in order: servers take no fewer in one call. */
export const RERANKED = 30
/** An answer waits no longer for the server than this. */
const TIMEOUT_MS = 2000
/** How long a server that failed is not asked. */
const REST_MS = 5000
const LONGEST_DOCUMENT = 4000

/** Puts passages in the order in which they fit a question; null: the server does not tell, or not soon enough. */
export type RerankPassages = (
  question: string,
  passages: readonly FoundPassage[],
) => Promise<FoundPassage[] | null>

/**
 * Asks a server for the order of passages. One that fails is left alone for some seconds, so that it delays few answers.
 * @param failed called once for each time that the server is left alone
 * @param now in milliseconds, from any beginning
 */
export function reranksPassages(
  reranker: Reranker,
  failed: (error: unknown) => void,
  now: () => number = () => performance.now(),
): RerankPassages {
  let restsUntil = Number.NEGATIVE_INFINITY

  return async (question, passages) => {
    // One passage has no order.
    if (passages.length < 2 || now() < restsUntil) return null
    const asked = startOfQuestion(question)
    try {
      const scores = await reranker.rank(asked, passages.map(textOf), { timeoutMs: TIMEOUT_MS })
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
 * The score of each becomes the server's, which is comparable with no threshold. So whether the documents hold an answer
 * stays as it was: what stands first keeps the confidence of what stood there before.
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
