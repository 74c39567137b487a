import { memo } from '../lib/memo.ts'
import { indexWords } from '../lib/words/words.ts'

/** Words or phrases that mean the same to an agent's users, a list a group. */
export type Synonyms = readonly (readonly string[])[]

/** Words that may stand in passages in the place of words of a question. */
export interface Variant {
  /** Words of the question. */
  of: readonly string[]
  /** Words that mean the same together. */
  words: readonly string[]
}

/** Finds the variants of a question's words, as they are indexed. */
export type VariantsOf = (asked: readonly string[]) => Variant[]

/** An agent without synonyms costs its questions nothing. */
export const noVariants: VariantsOf = () => []

const AGENTS = 500

/** Keeps the synonyms of the newest agents as they are indexed: a list may have hundreds of groups. */
export function keepSynonyms(): (agentId: number, synonyms: Synonyms) => VariantsOf {
  const kept = memo<number, VariantsOf>(AGENTS)
  return (agentId, synonyms) =>
    synonyms.length === 0 ? noVariants : kept(agentId, JSON.stringify(synonyms), () => readSynonyms(synonyms))
}

export function readSynonyms(synonyms: Synonyms): VariantsOf {
  const groups = synonyms.map((group) =>
    group.map((member) => [...new Set(indexWords(member))]).filter((words) => words.length > 0),
  )
  /** The members that begin with a word. */
  const begun = Map.groupBy(
    groups.flatMap((group) => group.map((words) => ({ words, group }))),
    ({ words: [first] }) => first as string,
  )
  return (asked) => {
    const all = new Set(asked)
    return asked.flatMap((word) =>
      (begun.get(word) ?? [])
        .filter(({ words }) => words.every((one) => all.has(one)))
        .flatMap(({ words: of, group }) =>
          group
            .filter((words) => words !== of && words.some((one) => !all.has(one)))
            .map((words) => ({ of, words })),
        ),
    )
  }
}
