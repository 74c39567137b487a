import { setImmediate as letOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import { prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { channelTerm } from './index-pending.ts'
import { forEachPosting, PART_SIZE, readIds } from './postings.ts'
import type { SearchedText, SearchedTexts, SearchKind } from './searched-texts.ts'
import { blocksOf, idsOf, partsWithin, pendingOf } from './store.ts'
import { type SearchedWord, scoreOf, scoreTerms, termsOf } from './terms.ts'

/** The number of newest matches that are ranked. */
export const MATCHES_RANKED = 10_000
const TEXTS_READ = 200

/** The channel and the period to which a search is limited. `from` is inclusive, `to` exclusive. */
export interface SearchBounds {
  channelId: number | null
  from: string | null
  to: string | null
}

/** A text that contains all words of a query. */
export interface Match {
  score: number
  /** The text's place in the index; null if it still waits to be indexed or was read directly. */
  place: IndexPlace | null
  /** The id of the message or note; null if it must be looked up in its part. */
  id: number | null
}

/** Block number, part, place in the part, and the block's id. A higher place is newer. */
type IndexPlace = readonly [block: number, part: number, place: number, blockId: number]

interface SearchOptions {
  agentId: number
  kind: SearchKind
  words: readonly SearchedWord[]
  bounds: SearchBounds
}

/** Finds the newest matches among an agent's texts, in any order. */
export async function findMatches(
  db: Kysely<Tables>,
  texts: SearchedTexts,
  options: SearchOptions,
): Promise<Match[]> {
  const { agentId, kind, bounds } = options
  // Waiting texts are read first: a text indexed meanwhile is found twice rather than missed.
  const waiting = await pendingOf(db, agentId, kind).orderBy('id', 'desc').limit(MATCHES_RANKED).execute()
  const ids = waiting.map(({ id }) => id)
  const matches = await matchTexts(db, texts, options, ids)
  const most = MATCHES_RANKED - matches.length
  const parts =
    bounds.from === null && bounds.to === null
      ? null
      : await partsWithin(db, agentId, kind, bounds.from, bounds.to)
  const inside = parts && new Set(parts.filter(({ isInside }) => isInside).map(partKey))
  const indexed = await matchIndex(db, options, inside, most)
  // Entries hold no times: a part that is only partly within the bounds is read text by text.
  for (const part of parts?.filter(({ isInside }) => !isInside) ?? [])
    indexed.push(...(await matchPart(db, texts, options, part)))
  const newest = indexed.length > most ? indexed.sort(byPlace).slice(0, most) : indexed
  return [...matches, ...newest]
}

/** Orders matches by their places, the newest first. */
export function byPlace({ place: a }: Match, { place: b }: Match): number {
  return a && b ? b[0] - a[0] || b[1] - a[1] || b[2] - a[2] : 0
}

async function matchPart(
  db: Kysely<Tables>,
  texts: SearchedTexts,
  options: SearchOptions,
  { block_id, part, number }: { block_id: number; part: number; number: number },
): Promise<Match[]> {
  const ids = readIds((await idsOf(db, block_id, part)) ?? new Uint8Array())
  const places = new Map(ids.map((id, place) => [id, place]))
  const matches = await matchTexts(db, texts, options, ids)
  return matches.map((match) => ({
    ...match,
    place: [number, part, places.get(match.id ?? 0) ?? 0, block_id],
  }))
}

/** Finds matches among texts that are read directly, in the order of the given ids. */
export async function matchTexts(
  db: Kysely<Tables>,
  texts: SearchedTexts,
  { agentId, kind, words, bounds }: SearchOptions,
  ids: readonly number[],
): Promise<Match[]> {
  const matches: Match[] = []
  const othersTurn = takeTurns()
  for (let from = 0; from < ids.length && matches.length < MATCHES_RANKED; from += TEXTS_READ) {
    const some = ids.slice(from, from + TEXTS_READ)
    const read = new Map((await texts.read(db, agentId, kind, some)).map((text) => [text.id, text]))
    for (const id of some) {
      const text = read.get(id)
      if (!text || !isWithin(text, bounds)) continue
      const score = scoreTerms(termsOf(text.text), words)
      if (score > 0) matches.push({ score, place: null, id })
      await othersTurn()
    }
  }
  return matches
}

function isWithin({ at, channelId }: SearchedText, { from, to, channelId: wanted }: SearchBounds): boolean {
  return (
    (from === null || at >= from) && (to === null || at < to) && (wanted === null || wanted === channelId)
  )
}

/** The numbers of blocks that may be read together: more where few entries are found. */
const STRIDES = [1, 2, 4, 8, 16, 32, 64] as const
/** The number of entries in a stride above which the next stride is shorter. */
const MANY_ENTRIES = 4000

/** Finds matches through the index, the newest first. */
async function matchIndex(
  db: Kysely<Tables>,
  { agentId, kind, words, bounds }: SearchOptions,
  inside: ReadonlySet<string> | null,
  most: number,
): Promise<Match[]> {
  const blocks = await blocksOf(db, agentId, kind)
  const wanted = bounds.channelId === null ? words : [...words, wordOfChannel(bounds.channelId)]
  const matches: Match[] = []
  let size = 1
  for (let at = 0; at < blocks.length && matches.length < most; ) {
    const stride = blocks.slice(at, at + (STRIDES[size] ?? 1))
    const numbers = new Map(stride.map(({ id, number }) => [id, number]))
    const { parts, entries } = await matchStride(db, [...numbers.keys()], wanted, inside)
    for (const { blockId, part, scores } of parts) {
      const number = numbers.get(blockId) ?? 0
      // A plain loop: an iterator would cost as much as everything else here.
      for (let place = 0; place < PART_SIZE; place++) {
        const score = scores[place] ?? 0
        if (score > 0) matches.push({ score, place: [number, part, place, blockId], id: null })
      }
    }
    at += stride.length
    size = entries > MANY_ENTRIES ? Math.max(0, size - 1) : Math.min(STRIDES.length - 1, size + 1)
    // Stop where enough matches will have been found.
    const blocksLeft = ((most - matches.length) * at) / matches.length
    while (size > 0 && (STRIDES[size] ?? 1) > blocksLeft) size--
    await letOthers()
  }
  return matches
}

/** Returns a word that limits matches to a channel's texts. It adds the same amount to each score. */
function wordOfChannel(channelId: number): SearchedWord {
  const term = channelTerm(channelId)
  return { beginnings: [term], grade: (word) => (word === term ? 0 : null) }
}

interface PartMatches {
  blockId: number
  part: number
  /** The score so far, for each place. */
  scores: Uint16Array
  /** The number of words found so far for each place, and the score that the last of them added. */
  found: Uint8Array
  last: Uint8Array
}

/** Finds the texts in some blocks that contain all words. */
async function matchStride(
  db: Kysely<Tables>,
  blocks: readonly number[],
  words: readonly SearchedWord[],
  inside: ReadonlySet<string> | null,
): Promise<{ parts: PartMatches[]; entries: number }> {
  let parts = new Map<string, PartMatches>()
  let entries = 0
  for (const [index, word] of words.entries()) {
    const left = index === 0 ? blocks : [...new Set(Array.from(parts.values(), ({ blockId }) => blockId))]
    if (left.length === 0) break
    for (const beginning of word.beginnings) {
      for (const row of await readEntries(db, left, beginning)) {
        entries++
        const grade = word.grade(row.word)
        if (grade === null) continue
        const key = partKey(row)
        if (inside && !inside.has(key)) continue
        let part = parts.get(key)
        if (!part) {
          if (index > 0) continue
          part = newPart(row)
          parts.set(key, part)
        }
        addPostings(part, row.postings, index, grade)
      }
    }
    parts = new Map([...parts].filter(([, part]) => keepThose(part, index + 1)))
  }
  return { parts: [...parts.values()], entries }
}

function newPart({ block_id, part }: { block_id: number; part: number }): PartMatches {
  return {
    blockId: block_id,
    part,
    scores: new Uint16Array(PART_SIZE),
    found: new Uint8Array(PART_SIZE),
    last: new Uint8Array(PART_SIZE),
  }
}

/** Adds a word's score to the texts that contain all earlier words; of several forms of a word, the best counts. */
function addPostings(
  { scores, found, last }: PartMatches,
  postings: Uint8Array,
  index: number,
  grade: 0 | 1 | 2,
): void {
  forEachPosting(postings, (place, impact) => {
    const score = scoreOf(impact, grade)
    if (found[place] === index) {
      found[place] = index + 1
      last[place] = score
      scores[place] = (scores[place] ?? 0) + score
    } else if (found[place] === index + 1 && score > (last[place] ?? 0)) {
      scores[place] = (scores[place] ?? 0) + score - (last[place] ?? 0)
      last[place] = score
    }
  })
}

/** Drops the texts of a part that lack one of the words so far. Returns false when none is left. */
function keepThose({ scores, found }: PartMatches, count: number): boolean {
  let isAny = false
  for (let place = 0; place < PART_SIZE; place++) {
    if (found[place] === count) isAny = true
    else scores[place] = 0
  }
  return isAny
}

function partKey({ block_id, part }: { block_id: number; part: number }): string {
  return `${block_id} ${part}`
}

type EntrySlots = { least: string; most: string } & Record<`block${number}`, number>

const entriesOf = new Map(
  STRIDES.map((size) => [
    size as number,
    prepared<EntrySlots, { block_id: number; word: string; part: number; postings: Uint8Array }>(
      (db, param) =>
        db
          .selectFrom('search_words')
          .select(['block_id', 'word', 'part', 'postings'])
          .where(
            'block_id',
            'in',
            Array.from({ length: size }, (_, slot) => param(`block${slot}`)),
          )
          .where('word', '>=', param('least'))
          .where('word', '<', param('most')),
    ),
  ]),
)

/** Sorts after everything that begins with the word before it. */
const LAST_CHARACTER = '\u{10ffff}'

/** Reads the entries in some blocks of all words with a given beginning. */
async function readEntries(db: Kysely<Tables>, blocks: readonly number[], beginning: string) {
  const size = STRIDES.find((stride) => stride >= blocks.length) ?? Number(STRIDES.at(-1))
  const values: EntrySlots = { least: beginning, most: beginning + LAST_CHARACTER }
  for (let slot = 0; slot < size; slot++) values[`block${slot}`] = blocks[slot] ?? NO_BLOCK
  return (await entriesOf.get(size)?.(db, values)) ?? []
}

const NO_BLOCK = -1
