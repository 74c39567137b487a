import { stem } from '../../language/words/stemming/stem.ts'
import { plainWords } from '../../language/words/words.ts'
import { memo } from '../../lib/memo.ts'

/** Groups of words and phrases that mean the same to an agent's users. */
export type Synonyms = readonly (readonly string[])[]

/**
 * Returns a question in its own words, then with words and phrases replaced by their synonyms: first the ways with
 * fewest replacements and those that stand first in their groups.
 */
export type WaysToAsk = (question: string) => [string, ...string[]]

/** The maximum number of ways in which a question is searched for, its own words included. */
const MOST_WAYS = 8
/** The maximum number of a question's phrases that are replaced. Further ones are searched for as they are. */
const MOST_MATCHES = 3
/** The maximum number of phrases that replace one, when several groups name it. */
const MOST_OTHERS = 9
const AGENTS = 500

const ownWords: WaysToAsk = (question) => [question]

/** Returns a function that keeps the prepared synonyms of recent agents: a list may have hundreds of groups. */
export function keepSynonyms(): (agentId: number, synonyms: Synonyms) => WaysToAsk {
  const cached = memo<number, WaysToAsk>(AGENTS)
  return (agentId, synonyms) =>
    synonyms.length === 0 ? ownWords : cached(agentId, JSON.stringify(synonyms), () => readSynonyms(synonyms))
}

/** A word or phrase of a group, and the others of the group. */
interface Phrase {
  stems: string[]
  others: string[][]
}

/** A place in a question where a phrase stands. */
interface Match {
  start: number
  length: number
  /** The words that stand there, then the phrases that mean the same. */
  phrases: string[][]
}

export function readSynonyms(synonyms: Synonyms): WaysToAsk {
  const phrases = synonyms.flatMap(phrasesOf)
  const byFirst = Map.groupBy(phrases, ({ stems: [first] }) => first as string)
  return (question) => {
    const words = plainWords(question)
    const matches = findMatches(words, byFirst)
    const choices = matches.reduce<number[][]>(
      (all, { phrases }) => all.flatMap((chosen) => phrases.map((_, at) => [...chosen, at])),
      [[]],
    )
    const others = choices
      .sort((a, b) => sum(a) - sum(b))
      .slice(1, MOST_WAYS)
      .map((chosen) => replaced(words, matches, chosen).join(' '))
    return [question, ...new Set(others)]
  }
}

function phrasesOf(group: readonly string[]): Phrase[] {
  const all = group.map(plainWords).filter((words) => words.length > 0)
  return all.map((words) => {
    const stems = words.map(stem)
    const isSame = (others: string[]) => others.map(stem).join(' ') === stems.join(' ')
    return { stems, others: all.filter((other) => !isSame(other)) }
  })
}

/** Finds the places where phrases stand in a question, the longest phrase at each place. */
function findMatches(words: readonly string[], byFirst: ReadonlyMap<string, readonly Phrase[]>): Match[] {
  const stems = words.map(stem)
  const matches: Match[] = []
  for (let start = 0; start < stems.length && matches.length < MOST_MATCHES; ) {
    const here = (byFirst.get(stems[start] ?? '') ?? []).filter((phrase) =>
      phrase.stems.every((word, at) => stems[start + at] === word),
    )
    const length = Math.max(0, ...here.map((phrase) => phrase.stems.length))
    const others = here.filter((phrase) => phrase.stems.length === length).flatMap((phrase) => phrase.others)
    if (others.length > 0)
      matches.push({
        start,
        length,
        phrases: [words.slice(start, start + length), ...others.slice(0, MOST_OTHERS)],
      })
    start += Math.max(1, length)
  }
  return matches
}

function replaced(words: readonly string[], matches: readonly Match[], chosen: readonly number[]): string[] {
  const result: string[] = []
  let from = 0
  for (const [at, { start, length, phrases }] of matches.entries()) {
    result.push(...words.slice(from, start), ...(phrases[chosen[at] ?? 0] ?? []))
    from = start + length
  }
  return [...result, ...words.slice(from)]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
