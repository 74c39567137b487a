import { indexWords } from '../lib/words/words.ts'
import { CONFIDENCE_NEEDED, type Findings } from './findings.ts'

export type KnowledgeSearch = (query: string) => Promise<Findings>

/** The share of the measured threshold with which a section answers, whatever its headings are. */
const NEAR = 1.25
/** The share of the question that the title and the headings of a section name when it answers with less. */
const NAMED = 0.3

/**
 * Tells whether the best passage answers the question. Among long texts, which have many words in common, a section
 * whose headings do not name what the question names is often a near miss: it needs more confidence.
 * @param needed the confidence that it needs; null: the measured threshold
 */
export function isEvidence(
  { words, passages: [best], threshold }: Findings,
  needed: number | null = null,
): boolean {
  if (best === undefined || best.confidence < (needed ?? threshold)) return false
  const isLong = needed === null && threshold > CONFIDENCE_NEEDED && best.heading !== ''
  if (!isLong || best.confidence >= NEAR * threshold) return true
  const named = new Set(indexWords(`${best.title} ${best.heading}`))
  const weigh = (of: Findings['words']) => of.reduce((sum, { weight }) => sum + weight, 0)
  return weigh(words.filter(({ word }) => named.has(word))) >= NAMED * weigh(words)
}

/** The confidence from which passages may help, and the share of the needed confidence that is enough for it. */
const MAY_HELP = 0.26
const MAY_HELP_SHARE = 0.55
/** That share where meanings were compared: passages about something else are alike to a degree, too. */
const MAY_HELP_BY_MEANING = 0.9

/** The outcomes of a search: a passage answers the question, some pages may help, or nothing is known about it. */
export type Verdict = 'answer' | 'may_help' | 'unknown'

/** Judges what was found. @param needed the confidence that an answer needs; null: the measured threshold */
export function verdictOf(findings: Findings, needed: number | null = null): Verdict {
  if (isEvidence(findings, needed)) return 'answer'
  const [best] = findings.passages
  if (!best) return 'unknown'
  const least = needed ?? findings.threshold
  const enough =
    best.similarity === null ? Math.min(MAY_HELP, MAY_HELP_SHARE * least) : MAY_HELP_BY_MEANING * least
  return best.confidence >= enough ? 'may_help' : 'unknown'
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
