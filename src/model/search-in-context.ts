import { askedIn } from '../lib/language/queries-of.ts'
import { smallTalk } from '../lib/language/small-talk.ts'
import { tellingness } from '../lib/words/common-words.ts'
import { indexWords } from '../lib/words/words.ts'
import { CONFIDENCE_NEEDED, type Findings } from './findings.ts'

/** Searches for a message of one or more sentences, or for what stands in its place. */
export type KnowledgeSearch = (question: string | readonly string[]) => Promise<Findings>

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
const SHORT_QUESTION = 4

/** The findings for a question. */
export interface FoundInContext {
  /** For the question as it stands. */
  alone: Findings
  /** For the question together with what was asked before; null: it does not follow that. */
  together: Findings | null
  /** False of a question of common words alone, such as "is it free?". */
  hasSubject: boolean
}

/**
 * Searches for a question. When it is short and follows another one, also searches for both together.
 * @param before what the same person asked before
 */
export async function searchInContext(
  search: KnowledgeSearch,
  question: string,
  before: string | undefined,
): Promise<FoundInContext> {
  const words = new Set(indexWords(question))
  const follows = before !== undefined && words.size <= SHORT_QUESTION
  const [alone, together] = await Promise.all([
    search(question),
    follows ? search([`${askedIn(before)} ${question}`]) : null,
  ])
  return { alone, together, hasSubject: [...words].some((word) => tellingness(word) === 1) }
}

/**
 * Returns what the same person asked before, as far as a question can follow it: greetings, thanks and the like are
 * passed over.
 * @param asked what they wrote, without the question itself
 */
export function askedBefore(asked: readonly string[]): string | undefined {
  return asked.findLast((text) => smallTalk(text) === null)
}

/** Chooses between what was found for a question and for it together with what was asked before. */
export function bestInContext(
  { alone, together, hasSubject }: FoundInContext,
  question: string,
  needed: number | null = null,
): Findings {
  if (!together) return alone
  const words = new Set(indexWords(question))
  const [here, there] = [matched(together, words), matched(alone, words)]
  if (hasSubject) return isEvidence(together, needed) && here > 0 && here >= there ? together : alone
  // "What are your opening hours?" has common words alone, too, and a passage that has them all.
  const isAnswered = words.size > 1 && there > here && isEvidence(alone, needed) && hasAll(alone, words)
  return isAnswered ? alone : together
}

function hasAll(findings: Findings, asked: ReadonlySet<string>): boolean {
  const all = findings.words.reduce((sum, { word, weight }) => (asked.has(word) ? sum + weight : sum), 0)
  return matched(findings, asked) >= all
}

/** The weight of the asked words that the best passage contains. */
function matched({ words, passages: [best] }: Findings, asked: ReadonlySet<string>): number {
  if (!best) return 0
  const there = new Set(indexWords(`${best.title} ${best.heading} ${best.text}`))
  return words.reduce((sum, { word, weight }) => (asked.has(word) && there.has(word) ? sum + weight : sum), 0)
}
