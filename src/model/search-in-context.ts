import { askedIn } from '../language/queries-of.ts'
import { smallTalk } from '../language/small-talk.ts'
import { tellingness } from '../language/words/common-words.ts'
import { indexWords } from '../language/words/words.ts'
import { CONFIDENCE_NEEDED, type Findings, type FoundPassage } from './findings.ts'

/** Searches for a message of one or more sentences, or for what stands in its place. */
export type KnowledgeSearch = (question: string | readonly string[]) => Promise<Findings>

/** A section with this many times the measured threshold answers, whatever its headings are. */
const NEAR = 1.25
/** With less, a section answers if its title and headings name this share of the question's words, by their weight. */
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
/** The same share where meanings were compared: passages about something else are alike to a degree, too. */
const MAY_HELP_BY_MEANING = 0.9

/** The outcomes of a search: a passage answers the question, some pages may help, or nothing is known about it. */
type Verdict = 'answer' | 'may_help' | 'unknown'

/** Judges what was found. @param needed the confidence that an answer needs; null: the measured threshold */
export function verdictOf(findings: Findings, needed: number | null): Verdict {
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
interface FoundInContext {
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
  return { alone, together, hasSubject: namesSubject([...words]) }
}

/** Tells whether one of some words is not common. */
function namesSubject(words: readonly string[]): boolean {
  return words.some((word) => tellingness(word) === 1)
}

/**
 * Returns what the same person asked before, as far as a question can follow it: the last question that has a subject.
 * Greetings, thanks and the like are passed over, and so are questions that followed another, such as "is it free?".
 * @param asked what they wrote, without the question itself
 */
export function askedBefore(asked: readonly string[]): string | undefined {
  const questions = asked.filter((text) => smallTalk(text) === null)
  return questions.findLast((text) => namesSubject(indexWords(text))) ?? questions.at(-1)
}

/**
 * Chooses between what was found for a question and for it together with what was asked before. If the later question
 * has a subject of its own, passages that match only the earlier one are dropped.
 */
export function bestInContext(
  { alone, together, hasSubject }: FoundInContext,
  question: string,
  needed: number | null = null,
): Findings {
  if (!together) return alone
  const words = new Set(indexWords(question))
  const [here, there] = [matched(together, words), matched(alone, words)]
  if (hasSubject) {
    const isSame = together.passages[0]?.id === alone.passages[0]?.id && isEvidence(alone, needed)
    const isLikely = GOES_ON.test(question) || here >= there
    const follows = isEvidence(together, needed) && here > 0 && isLikely && !isSame
    return follows ? aboutQuestion(together, words) : alone
  }
  const standsAlone = words.size > 1 && there >= here
  // "What are your opening hours?" has common words alone, too, and a passage that has them all.
  if (standsAlone && there > here && isEvidence(alone, needed) && hasAll(alone, words)) return alone
  // "What is your phone number?" refers to nothing before it, and the passage of the earlier question does not answer it.
  if (standsAlone && !REFERS.test(question) && !hasAll(together, words)) return alone
  return here > 0 ? together : withAskedFirst(together, words, needed)
}

/** Matches the beginning of a question that has only what differs from the one before: "and for a used one?" */
const GOES_ON = new RegExp(
  [
    '^[^\\p{L}]*(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar) (?:for|with|without|from|in|on|at|to|if|für|mit|ohne',
    '|bei|von|aus|im|am|an|auf|wenn|pour|avec|sans|chez|dans|à|au|si|para|con|sin|de|por|per|senza|da|su|se|com|sem|voor|met',
    '|zonder|bij|van|als)(?!\\p{L})',
  ].join(''),
  'iu',
)

/** Matches words by which a question refers to what was said before. */
const REFERS =
  /(?<!\p{L})(?:it|its|that|this|these|those|they|them|their|one|ones|there|and|also|too|else|more|much|many|long|often|es|er|sie|das|die|dies|davon|dazu|dafür|damit|und|auch|noch|ça|cela|elle|il|ils|et|aussi|eso|esto|ese|esa|y|también|questo|quello|anche|e|isso|isto|também|het|dat|dit|en|ook)(?!\p{L})|[^\p{Script=Latin}\P{L}]/iu

/** Keeps the best passage, and others that have asked words it lacks or cover the question at least as well. */
function aboutQuestion(findings: Findings, asked: ReadonlySet<string>): Findings {
  const [best, ...others] = findings.passages
  if (!best) return findings
  const there = wordsOf(best)
  const lacking = new Set([...asked].filter((word) => !there.has(word)))
  const most = matchedBy(best, findings, asked)
  const kept = others.filter(
    (other) => matchedBy(other, findings, lacking) > 0 || matchedBy(other, findings, asked) >= most,
  )
  return { ...findings, passages: [best, ...kept] }
}

/** Puts first the best passage that fits and has a word of the question. */
function withAskedFirst(findings: Findings, asked: ReadonlySet<string>, needed: number | null): Findings {
  const { passages } = findings
  const first = passages.find(
    (passage) =>
      matchedBy(passage, findings, asked) > 0 && isEvidence({ ...findings, passages: [passage] }, needed),
  )
  return first ? { ...findings, passages: [first, ...passages.filter((one) => one !== first)] } : findings
}

function hasAll(findings: Findings, asked: ReadonlySet<string>): boolean {
  const all = findings.words.reduce((sum, { word, weight }) => (asked.has(word) ? sum + weight : sum), 0)
  return matched(findings, asked) >= all
}

/** The weight of the asked words that the best passage contains. */
function matched(findings: Findings, asked: ReadonlySet<string>): number {
  const [best] = findings.passages
  return best ? matchedBy(best, findings, asked) : 0
}

/** The weight of the asked words that a passage contains. */
function matchedBy(passage: FoundPassage, { words }: Findings, asked: ReadonlySet<string>): number {
  const there = wordsOf(passage)
  return words.reduce((sum, { word, weight }) => (asked.has(word) && there.has(word) ? sum + weight : sum), 0)
}

function wordsOf({ title, heading, text }: FoundPassage): Set<string> {
  return new Set(indexWords(`${title} ${heading} ${text}`))
}
