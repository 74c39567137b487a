import { type Kysely, sql } from 'kysely'
import { type ParamOf, type Prepared, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { PASSAGE_COLUMNS } from './read-passages.ts'
import type { WordWeights } from './word-weights.ts'

/** The maximum number of a question's words that are looked up, and of those used for ranking, the weightiest first. */
export const WORDS_LOOKED_UP = 64
export const WORDS_RANKED = 16

/** A statement has one slot per word. The smallest statement with enough slots is used. */
const LOOK_UP_SIZES = [8, WORDS_LOOKED_UP]
const RANK_SIZES = [4, 8, WORDS_RANKED]

type WordSlots = { agentId: number } & Record<`word${number}`, string>

interface LookedUp {
  /** The number of the agent's passages, and of the words that they contain in all. */
  passages: number
  words: number
  /** The confidence that an answer needs; null: there was too little to measure it on. */
  threshold: number | null
  word: string | null
  having: number | null
}

const lookUps = new Map(
  LOOK_UP_SIZES.map((size) => [
    size,
    prepared<WordSlots, LookedUp>((db, param) =>
      db
        .selectFrom('knowledge_totals as totals')
        .leftJoin('knowledge_vocabulary as vocabulary', (join) =>
          join.onRef('vocabulary.agent_id', '=', 'totals.agent_id').on(
            'vocabulary.word',
            'in',
            slots(size).map((slot) => param(`word${slot}`)),
          ),
        )
        .leftJoin('knowledge_calibrations as calibration', 'calibration.agent_id', 'totals.agent_id')
        .select([
          'totals.passages',
          'totals.words',
          'calibration.threshold',
          'vocabulary.word',
          'vocabulary.passages as having',
        ])
        .where('totals.agent_id', '=', param('agentId')),
    ),
  ]),
)

/** The totals of an agent's index. */
export interface IndexTotals {
  /** The number of its passages. */
  passages: number
  /** The mean number of words of a passage. */
  meanLength: number
  /** The confidence that an answer needs; null: there was too little to measure it on. */
  threshold: number | null
}

/**
 * Looks up the totals of an agent's index, and how many passages have each of the given words, at most WORDS_LOOKED_UP.
 * Words that no passage has are missing from the counts.
 * @param without ids of passages that are treated as if they were not there
 */
export async function lookUpWords(
  db: Kysely<Tables>,
  agentId: number,
  words: readonly string[],
  without: readonly number[],
): Promise<IndexTotals & { counts: Map<string, number> }> {
  const size = sizeFor(LOOK_UP_SIZES, words.length)
  const values: WordSlots = { agentId }
  for (const slot of slots(size)) values[`word${slot}`] = words[slot] ?? NO_WORD
  const rows = (await lookUps.get(size)?.(db, values)) ?? []
  const counts = new Map<string, number>()
  for (const { word, having } of rows) if (word !== null && having !== null) counts.set(word, having)
  await takeAway(db, agentId, counts, without)
  const { passages = 0, words: length = 0, threshold = null } = rows[0] ?? {}
  const found = passages - without.length
  return { passages: found, meanLength: length / found, threshold, counts }
}

/** Counts the passages that have each of any number of words. Words that none has are missing. */
export async function countWords(
  db: Kysely<Tables>,
  agentId: number,
  words: readonly string[],
  without: readonly number[],
): Promise<Map<string, number>> {
  const parts = Array.from({ length: Math.ceil(words.length / WORDS_LOOKED_UP) }, (_, at) =>
    words.slice(at * WORDS_LOOKED_UP, (at + 1) * WORDS_LOOKED_UP),
  )
  const found = await Promise.all(parts.map((part) => lookUpWords(db, agentId, part, without)))
  return new Map(found.flatMap(({ counts }) => [...counts]))
}

/** The maximum number of words with the same beginning that are read. */
const WORDS_ALIKE = 400

const selectAlike = prepared<
  { agentId: number; from: string; to: string },
  { word: string; passages: number }
>((db, param) =>
  db
    .selectFrom('knowledge_vocabulary')
    .select(['word', 'passages'])
    .where('agent_id', '=', param('agentId'))
    .where('word', '>=', param('from'))
    .where('word', '<', param('to'))
    .orderBy('word')
    .limit(WORDS_ALIKE),
)

/** Reads the words that begin with some letters, and how many passages have each. */
export async function wordsBeginningWith(
  db: Kysely<Tables>,
  agentId: number,
  beginning: string,
  without: readonly number[],
): Promise<{ word: string; passages: number }[]> {
  const rows = await selectAlike(db, { agentId, from: beginning, to: `${beginning}\u{10ffff}` })
  const counts = new Map(rows.map(({ word, passages }) => [word, passages]))
  await takeAway(db, agentId, counts, without)
  return Array.from(counts, ([word, passages]) => ({ word, passages }))
}

/** Subtracts some passages from the counts of words. */
async function takeAway(
  db: Kysely<Tables>,
  agentId: number,
  counts: Map<string, number>,
  without: readonly number[],
): Promise<void> {
  if (without.length === 0 || counts.size === 0) return
  const rows = await db
    .selectFrom('knowledge_words')
    .select(({ fn }) => ['word', fn.countAll<number>().as('having')])
    .where('agent_id', '=', agentId)
    .where('word', 'in', [...counts.keys()])
    .where('passage_id', 'in', without)
    .groupBy('word')
    .execute()
  for (const { word, having } of rows) {
    const left = (counts.get(word) ?? 0) - Number(having)
    if (left > 0) counts.set(word, left)
    else counts.delete(word)
  }
}

export interface RankedWord extends WordWeights {
  word: string
  /** The number of passages that contain it. */
  passages: number
}

interface Ranking {
  agentId: number
  /** Words of which a candidate passage contains at least one. */
  words: readonly RankedWord[]
  /**
   * Words in very many passages. They find no candidates and only rank the best of them. Together with `words`, there
   * are at most WORDS_RANKED.
   */
  frequent: readonly RankedWord[]
  /** Parts of BM25: k1 * (1 - b), and k1 * b / average length. */
  base: number
  perWord: number
  limit: number
}

interface RankedPassage {
  id: number
  source: string
  title: string
  url: string | null
  heading: string
  anchor: string
  text: string
  /** The score in millionths, like the weights. */
  score: number
  /** The sum of the evidence of the words that the passage contains. */
  found: number
}

/** The number of candidates that are ranked by the frequent words too. */
const PASSAGES_RERANKED = 64

type RankSlots = Record<'agentId' | 'base' | 'perWord' | 'found' | 'limit', number> &
  Record<`word${number}` | `frequent${number}`, string> &
  Record<`${'weight' | 'evidence' | 'frequentWeight' | 'frequentEvidence'}${number}`, number>

const number = (value: unknown) => sql<number>`cast(${value} as double precision)`

type Param = ParamOf<RankSlots>

/** Makes a table of a question's words, with rows of word, weight and evidence. */
function asked(param: Param, size: number, kind: 'word' | 'frequent') {
  const [weight, evidence] = kind === 'word' ? WORD_COLUMNS : FREQUENT_COLUMNS
  const rows = slots(size).map(
    (slot) =>
      sql`(cast(${param(`${kind}${slot}`)} as text), ${number(param(`${weight}${slot}`))}, ${number(param(`${evidence}${slot}`))})`,
  )
  return sql<{ column1: string; column2: number; column3: number }>`(values ${sql.join(rows)})`
}

const WORD_COLUMNS = ['weight', 'evidence'] as const
const FREQUENT_COLUMNS = ['frequentWeight', 'frequentEvidence'] as const

/**
 * Computes what one word adds to a passage's score. It is rounded to a whole number first, so that the sum is exact in
 * any order and both engines agree to the last digit.
 */
function part(param: Param, weight: string, count: string, length: string) {
  return sql<number>`floor(${sql.ref(weight)} * ${sql.ref(count)} / (${sql.ref(count)} + ${number(param('base'))} + ${number(param('perWord'))} * ${sql.ref(length)}) + cast(0.5 as double precision))`
}

/** Selects the passages that contain one of the words, best first. */
function findPassages(db: Kysely<Tables>, param: Param, size: number) {
  return (
    db
      // A cross join makes SQLite look the words up in the order in which they are written.
      .selectFrom(asked(param, size, 'word').as('asked'))
      .crossJoin('knowledge_words as words')
      .select(({ fn }) => [
        'words.passage_id',
        fn.max('words.length').as('length'),
        fn.sum<number>(part(param, 'asked.column2', 'words.count', 'words.length')).as('score'),
        fn.sum<number>(sql.ref('asked.column3')).as('found'),
      ])
      .where('words.agent_id', '=', param('agentId'))
      .whereRef('words.word', '=', 'asked.column1')
      .where('words.passage_id', 'not in', ({ selectFrom }) =>
        selectFrom('knowledge_hidden').select('passage_id').where('agent_id', '=', param('agentId')),
      )
      .groupBy('words.passage_id')
      .orderBy('score', 'desc')
      .orderBy('words.passage_id')
      .limit(param('found'))
  )
}

/** Selects the best of the candidates when the frequent words count too. */
function rerankPassages(db: Kysely<Tables>, param: Param, size: number, frequent: number) {
  const pairs = db
    .selectFrom(findPassages(db, param, size).as('found'))
    .leftJoin(asked(param, frequent, 'frequent').as('asked'), (join) =>
      join.on('asked.column1', '!=', NO_WORD),
    )
    .select(({ selectFrom }) => [
      'found.passage_id',
      'found.length',
      'found.score',
      'found.found',
      'asked.column2 as weight',
      'asked.column3 as evidence',
      // A subquery looks up each pair by itself. Left to choose, PostgreSQL reads all entries of a frequent word.
      selectFrom('knowledge_words as words')
        .select('words.count')
        .where('words.agent_id', '=', param('agentId'))
        .whereRef('words.word', '=', 'asked.column1')
        .whereRef('words.passage_id', '=', 'found.passage_id')
        .as('count'),
    ])
  const foundInAll = sql<number>`pairs.found + coalesce(sum(case when count is null then 0 else evidence end), 0)`
  return (
    db
      // Materialized, because PostgreSQL would otherwise look each count up wherever it is named.
      .with(
        (name) => name('pairs').materialized(),
        () => pairs,
      )
      .selectFrom('pairs')
      .select([
        'passage_id',
        sql<number>`score + coalesce(sum(${part(param, 'weight', 'count', 'length')}), 0)`.as('score'),
        foundInAll.as('found'),
      ])
      .groupBy(['passage_id', 'pairs.score', 'pairs.found'])
      .orderBy(sql`2`, 'desc')
      .orderBy('passage_id')
      .limit(param('limit'))
  )
}

const rankings = new Map(
  RANK_SIZES.flatMap((size) =>
    [0, ...RANK_SIZES].map((frequent): [string, Prepared<RankSlots, RankedPassage>] => [
      `${size} ${frequent}`,
      prepared((db, param) =>
        db
          .selectFrom(
            frequent === 0
              ? findPassages(db, param, size).as('best')
              : rerankPassages(db, param, size, frequent).as('best'),
          )
          .innerJoin('knowledge_passages as passage', 'passage.id', 'best.passage_id')
          .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
          .select([...PASSAGE_COLUMNS, 'best.score', 'best.found'])
          .orderBy('best.score', 'desc')
          .orderBy('passage.id'),
      ),
    ]),
  ),
)

/** Finds the best passages by BM25, best first. */
export async function rankPassages(
  db: Kysely<Tables>,
  { words, frequent, ...ranking }: Ranking,
): Promise<RankedPassage[]> {
  const size = sizeFor(RANK_SIZES, words.length)
  const frequentSize = frequent.length === 0 ? 0 : sizeFor(RANK_SIZES, frequent.length)
  const found = frequentSize === 0 ? ranking.limit : Math.max(ranking.limit, PASSAGES_RERANKED)
  const values: RankSlots = { ...ranking, found }
  for (const slot of slots(size)) {
    values[`word${slot}`] = words[slot]?.word ?? NO_WORD
    values[`weight${slot}`] = words[slot]?.weight ?? 0
    values[`evidence${slot}`] = words[slot]?.evidence ?? 0
  }
  for (const slot of slots(frequentSize)) {
    values[`frequent${slot}`] = frequent[slot]?.word ?? NO_WORD
    values[`frequentWeight${slot}`] = frequent[slot]?.weight ?? 0
    values[`frequentEvidence${slot}`] = frequent[slot]?.evidence ?? 0
  }
  return (await rankings.get(`${size} ${frequentSize}`)?.(db, values)) ?? []
}

/** The word in slots that are not needed. */
const NO_WORD = ''

function slots(count: number): number[] {
  return Array.from({ length: count }, (_, slot) => slot)
}

function sizeFor(sizes: readonly number[], count: number): number {
  return sizes.find((size) => size >= count) ?? Number(sizes.at(-1))
}
