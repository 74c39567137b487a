import { type Kysely, sql } from 'kysely'
import { prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import type { WordWeights } from './word-weights.ts'

/** How many words of a question are looked up, and how many of them, the weightiest, are ranked by. */
export const WORDS_LOOKED_UP = 64
export const WORDS_RANKED = 16
export const PASSAGES_RERANKED = 64

type WordSlots = { agentId: number } & Record<`word${number}`, string>

interface LookedUp {
  /** How many passages the agent has, and how many words there are in them. */
  passages: number
  words: number
  word: string | null
  having: number | null
}

const lookUpBySlots = prepared<WordSlots, LookedUp>((db, param) =>
  db
    .selectFrom('knowledge_totals as totals')
    .leftJoin('knowledge_vocabulary as vocabulary', (join) =>
      join.onRef('vocabulary.agent_id', '=', 'totals.agent_id').on(
        'vocabulary.word',
        'in',
        slots(WORDS_LOOKED_UP).map((slot) => param(`word${slot}`)),
      ),
    )
    .select(['totals.passages', 'totals.words', 'vocabulary.word', 'vocabulary.passages as having'])
    .where('totals.agent_id', '=', param('agentId')),
)

/** How many passages an agent has, with how many words, and how many have each of some words; those in none are missing. */
export async function lookUpWords(db: Kysely<Tables>, agentId: number, words: readonly string[]) {
  const values: WordSlots = { agentId }
  for (const slot of slots(WORDS_LOOKED_UP)) values[`word${slot}`] = words[slot] ?? NO_WORD
  const rows = await lookUpBySlots(db, values)
  const counts = new Map<string, number>()
  for (const { word, having } of rows) if (word !== null && having !== null) counts.set(word, having)
  return { passages: rows[0]?.passages ?? 0, words: rows[0]?.words ?? 0, counts }
}

export interface RankedWord extends WordWeights {
  word: string
  /** In how many passages it stands. */
  passages: number
}

export interface Ranking {
  agentId: number
  /** At most WORDS_RANKED. */
  words: readonly RankedWord[]
  /** BM25's k1 * (1 - b), and k1 * b / average length. */
  base: number
  perWord: number
  limit: number
}

export interface RankedPassage {
  id: number
  title: string
  url: string | null
  heading: string
  anchor: string
  text: string
  /** In millionths, as are the weights. */
  score: number
  /** Sum of the evidence of the words that stand in it. */
  found: number
}

type RankSlots = { agentId: number; base: number; perWord: number; limit: number } & WordSlots &
  Record<`weight${number}` | `evidence${number}`, number>

/**
 * Each word's part of a score is rounded to a whole number before it is added, so that the sum is exact in any
 * order, and both engines agree to the last digit.
 */
const rankBySlots = prepared<RankSlots, RankedPassage>((db, param) => {
  const number = (name: keyof RankSlots & string) => sql<number>`cast(${param(name)} as double precision)`
  const asked = sql<{ column1: string; column2: number; column3: number }>`(values ${sql.join(
    slots(WORDS_RANKED).map(
      (slot) =>
        sql`(cast(${param(`word${slot}`)} as text), ${number(`weight${slot}`)}, ${number(`evidence${slot}`)})`,
    ),
  )})`
  const part = sql<number>`floor(asked.column2 * words.count / (words.count + ${number('base')} + ${number('perWord')} * words.length) + cast(0.5 as double precision))`
  const best = db
    // Crossed, not joined: SQLite then looks the words up in the order they are written.
    .selectFrom(asked.as('asked'))
    .crossJoin('knowledge_words as words')
    .select(({ fn }) => [
      'words.passage_id',
      fn.sum<number>(part).as('score'),
      fn.sum<number>(sql.ref('asked.column3')).as('found'),
    ])
    .where('words.agent_id', '=', param('agentId'))
    .whereRef('words.word', '=', 'asked.column1')
    .groupBy('words.passage_id')
    .orderBy('score', 'desc')
    .orderBy('words.passage_id')
    .limit(param('limit'))
  return db
    .selectFrom(best.as('best'))
    .innerJoin('knowledge_passages as passage', 'passage.id', 'best.passage_id')
    .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
    .select([
      'passage.id',
      'document.title',
      'document.url',
      'passage.heading',
      'passage.anchor',
      'passage.text',
      'best.score',
      'best.found',
    ])
    .orderBy('best.score', 'desc')
    .orderBy('passage.id')
})

/** The best passages by BM25, best first. */
export async function rankPassages(
  db: Kysely<Tables>,
  { words, ...ranking }: Ranking,
): Promise<RankedPassage[]> {
  const values: RankSlots = { ...ranking }
  for (const slot of slots(WORDS_RANKED)) {
    values[`word${slot}`] = words[slot]?.word ?? NO_WORD
    values[`weight${slot}`] = words[slot]?.weight ?? 0
    values[`evidence${slot}`] = words[slot]?.evidence ?? 0
  }
  return rankBySlots(db, values)
}

export interface Occurrence {
  passage_id: number
  word: string
  /** Null where the word does not stand in the passage. */
  count: number | null
  length: number
}

type OccurrenceSlots = WordSlots & Record<`passage${number}`, number>

/** Looks each pair up by itself: left to choose, PostgreSQL reads all entries of a frequent word. */
const findOccurrencesBySlots = prepared<OccurrenceSlots, Occurrence>((db, param) =>
  db
    .selectFrom(
      sql<{ column1: string }>`(values ${sql.join(
        slots(WORDS_RANKED).map((slot) => sql`(cast(${param(`word${slot}`)} as text))`),
      )})`.as('asked'),
    )
    .crossJoin('knowledge_passages as passage')
    .select(({ selectFrom }) => [
      'passage.id as passage_id',
      'passage.length',
      'asked.column1 as word',
      selectFrom('knowledge_words as words')
        .select('words.count')
        .where('words.agent_id', '=', param('agentId'))
        .whereRef('words.word', '=', 'asked.column1')
        .whereRef('words.passage_id', '=', 'passage.id')
        .as('count'),
    ])
    .where('asked.column1', '!=', NO_WORD)
    .where(
      'passage.id',
      'in',
      slots(PASSAGES_RERANKED).map((slot) => param(`passage${slot}`)),
    ),
)

/** How often each of some words stands in each of some passages, WORDS_RANKED and PASSAGES_RERANKED at most. */
export async function findOccurrences(
  db: Kysely<Tables>,
  agentId: number,
  words: readonly string[],
  passages: readonly number[],
): Promise<Occurrence[]> {
  const values: OccurrenceSlots = { agentId }
  for (const slot of slots(WORDS_RANKED)) values[`word${slot}`] = words[slot] ?? NO_WORD
  for (const slot of slots(PASSAGES_RERANKED)) values[`passage${slot}`] = passages[slot] ?? NO_PASSAGE
  return findOccurrencesBySlots(db, values)
}

/** Stand in slots that are not needed. */
const NO_PASSAGE = 0
const NO_WORD = ''

function slots(count: number): number[] {
  return Array.from({ length: count }, (_, slot) => slot)
}
