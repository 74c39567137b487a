import { indexWords } from '../lib/words/words.ts'
import type { Findings } from './findings.ts'

export type KnowledgeSearch = (query: string) => Promise<Findings>

/**
 * Tells whether the best passage is about the question.
 * @param needed the confidence that it needs; null: the measured threshold
 */
export function isEvidence({ passages: [best], threshold }: Findings, needed: number | null = null): boolean {
  return best !== undefined && best.confidence >= (needed ?? threshold)
}

/** The most words of a question that may depend on the question before. */
const SHORT_QUESTION = 2

/**
 * Searches for a question. When it is short and follows another question, also searches for both together.
 * @param before what the same person asked before
 * @returns null for a question that contains no word and follows no other
 */
export async function searchInContext(
  search: KnowledgeSearch,
  question: string,
  before: string | undefined,
  needed: number | null = null,
): Promise<Findings | null> {
  const words = new Set(indexWords(question))
  if (words.size === 0) return before === undefined ? null : search(`${question}\n${before}`)
  if (before === undefined || words.size > SHORT_QUESTION) return search(question)
  const [alone, together] = await Promise.all([search(question), search(`${question}\n${before}`)])
  const here = matched(together, words)
  return isEvidence(together, needed) && here > 0 && here >= matched(alone, words) ? together : alone
}

/** The weight of the asked words that the best passage contains. */
function matched({ words, passages: [best] }: Findings, asked: ReadonlySet<string>): number {
  if (!best) return 0
  const there = new Set(indexWords(`${best.title} ${best.heading} ${best.text}`))
  return words.reduce((sum, { word, weight }) => (asked.has(word) && there.has(word) ? sum + weight : sum), 0)
}
