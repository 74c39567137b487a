import { type Kysely, sql } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'

/** How many words of a question are looked up, and how many of them, the rarest, are ranked by. */
export const WORDS_LOOKED_UP = 64
export const WORDS_RANKED = 16
export const PASSAGES_RERANKED = 64

export const findTotals = prepared<{ agentId: number }, { passages: number; words: number }>((db, param) =>
  db.selectFrom('knowledge_totals').select(['passages', 'words']).where('agent_id', '=', param('agentId')),
)

type WordSlots = { agentId: number } & Record<`word${number}`, string>

const countPassagesBySlots = prepared<WordSlots, { word: string; passages: number }>((db, param) =>
  db
    .selectFrom('knowledge_vocabulary')
    .select(['word', 'passages'])
    .where('agent_id', '=', param('agentId'))
    .where(
      'word',
      'in',
      slots(WORDS_LOOKED_UP).map((slot) => param(`word${slot}`)),
    ),
)

/** In how many passages each word stands; words that stand nowhere are missing. */
export async function countPassages(db: Kysely<Tables>, agentId: number, words: readonly string[]) {
  const values: WordSlots = { agentId }
  for (const slot of slots(WORDS_LOOKED_UP)) values[`word${slot}`] = words[slot] ?? NO_WORD
  const rows = await countPassagesBySlots(db, values)
  return new Map(rows.map(({ word, passages }) => [word, passages]))
}

export interface RankedWord {
  word: string
  /** In how many passages it stands. */
  passages: number
  /** Inverse document frequency in whole millionths. */
  weight: number
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
  /** Sum of the weights of the words that stand in it. */
  found: number
}

type RankSlots = { agentId: number; base: number; perWord: number; limit: number } & WordSlots &
  Record<`weight${number}`, number>
type RerankSlots = RankSlots & Record<`passage${number}`, number>

/**
 * Each word's part of a score is rounded to a whole number before it is added, so that the sum is exact in any
 * order, and both engines agree to the last digit.
 */
function rankingQuery(db: Kysely<Tables>, param: ParamOf<RankSlots>, among: readonly number[] = []) {
  const number = (name: keyof RankSlots & string) => sql<number>`cast(${param(name)} as double precision)`
  const asked = sql<{ column1: string; column2: number }>`(values ${sql.join(
    slots(WORDS_RANKED).map(
      (slot) => sql`(cast(${param(`word${slot}`)} as text), ${number(`weight${slot}`)})`,
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
      fn.sum<number>(sql.ref('asked.column2')).as('found'),
    ])
    .where('words.agent_id', '=', param('agentId'))
    .whereRef('words.word', '=', 'asked.column1')
    .$if(among.length > 0, (query) => query.where('words.passage_id', 'in', among))
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
}

const rankBySlots = prepared<RankSlots, RankedPassage>((db, param) => rankingQuery(db, param))

const rerankBySlots = prepared<RerankSlots, RankedPassage>((db, param) =>
  rankingQuery(
    db,
    param,
    slots(PASSAGES_RERANKED).map((slot) => param(`passage${slot}`)),
  ),
)

/** The best passages by BM25, best first. */
export async function rankPassages(db: Kysely<Tables>, ranking: Ranking): Promise<RankedPassage[]> {
  return rankBySlots(db, slotsOf(ranking))
}

/** The same among some passages only, PASSAGES_RERANKED at most. */
export async function rerankPassages(
  db: Kysely<Tables>,
  ranking: Ranking,
  among: readonly number[],
): Promise<RankedPassage[]> {
  const values: RerankSlots = slotsOf(ranking)
  for (const slot of slots(PASSAGES_RERANKED)) values[`passage${slot}`] = among[slot] ?? NO_PASSAGE
  return rerankBySlots(db, values)
}

function slotsOf({ words, ...ranking }: Ranking): RankSlots {
  const values: RankSlots = { ...ranking }
  for (const slot of slots(WORDS_RANKED)) {
    values[`word${slot}`] = words[slot]?.word ?? NO_WORD
    values[`weight${slot}`] = words[slot]?.weight ?? 0
  }
  return values
}

/** Stand in slots that are not needed. */
const NO_PASSAGE = 0
const NO_WORD = ''

function slots(count: number): number[] {
  return Array.from({ length: count }, (_, slot) => slot)
}
