import type { FastifyBaseLogger } from 'fastify'
import type { Kysely, Selectable } from 'kysely'
import { describeFailure } from '../../lib/describe-failure.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { SearchPendingTable } from '../tables.ts'
import { PART_SIZE, packPosting, writeIds, writePostings } from './postings.ts'
import { KINDS, type SearchedText, type SearchedTexts, type SearchKind } from './searched-texts.ts'
import {
  addBlock,
  addPart,
  blockAtEnd,
  insertWords,
  lockIndex,
  pendingOf,
  readBackfill,
  takePending,
} from './store.ts'
import { termsOf } from './terms.ts'

/**
 * The number of an agent's waiting texts at which they are indexed. A lower one makes more entries; a higher one slows
 * searches.
 */
export const MOST_WAITING = 512
const LEAST_AT_ONCE = MOST_WAITING / 2
/** The maximum number of texts in a block. */
const BLOCK_SIZE = 4096
const TEXTS_READ = 128

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'lock' | 'isAway' | 'isLocked'>
  texts: SearchedTexts
  logger: Pick<FastifyBaseLogger, 'warn'>
}

type Pending = Selectable<SearchPendingTable>

/** Rolls back a transaction whose texts were replaced or indexed by another process after they were read. */
class ChangedMeanwhile extends Error {}

/**
 * Indexes an agent's waiting texts until few are left. Texts that are replaced meanwhile are read again.
 * @param least kinds with fewer waiting texts are left waiting
 */
export async function indexPending(
  dependencies: Dependencies,
  agentId: number,
  signal: AbortSignal,
  least = LEAST_AT_ONCE,
): Promise<void> {
  const passedOver = new Set<string>()
  while (await indexPart(dependencies, agentId, signal, passedOver, least)) {
    // The next part.
  }
}

/**
 * Indexes one part of an agent's waiting texts. Returns false when too few wait.
 * @param passedOver the texts that cannot be indexed: they stay waiting until they are replaced, and searches read them
 */
export async function indexPart(
  dependencies: Dependencies,
  agentId: number,
  signal: AbortSignal,
  passedOver: Set<string>,
  least = LEAST_AT_ONCE,
): Promise<boolean> {
  for (const kind of KINDS)
    if (!signal.aborted && (await indexSome(dependencies, agentId, kind, passedOver, least))) return true
  return false
}

/** Indexes one part of a kind. Returns false when too few texts wait. */
async function indexSome(
  dependencies: Dependencies,
  agentId: number,
  kind: SearchKind,
  passedOver: Set<string>,
  least: number,
): Promise<boolean> {
  const { db } = dependencies
  const own = [...passedOver].filter((name) => name.startsWith(`${agentId} ${kind} `))
  const limit = PART_SIZE + own.length
  const rows = await pendingOf(db, agentId, kind).orderBy('id').limit(limit).execute()
  const waiting = rows.filter((row) => !passedOver.has(nameOf(row))).slice(0, PART_SIZE)
  // Those that were replaced or deleted are forgotten.
  const names = new Set(rows.map(nameOf))
  for (const name of own) if (!names.has(name)) passedOver.delete(name)
  if (waiting.length < least) return false
  const untilOld = (await readBackfill(db)).find((row) => row.kind === kind)?.until_id ?? 0
  const isOld = (waiting[0]?.id ?? 0) <= untilOld
  const batch = waiting.filter(({ id }) => id <= untilOld === isOld)
  await indexBatch(dependencies, batch, isOld, passedOver)
  return true
}

/** Names a text as it is now: replaced, it has another version. */
function nameOf({ agent_id, kind, id, version }: Pending): string {
  return `${agent_id} ${kind} ${id} ${version}`
}

/** Indexes texts together. When that fails, each half is indexed by itself, until the text that cannot be is found. */
async function indexBatch(
  dependencies: Dependencies,
  batch: readonly Pending[],
  isOld: boolean,
  passedOver: Set<string>,
): Promise<void> {
  const { engine, logger } = dependencies
  const [first] = batch
  if (!first) return
  try {
    await indexTogether(dependencies, first, batch, isOld)
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return
    if (engine.isAway(error) || engine.isLocked(error)) throw error
    if (batch.length === 1) {
      passedOver.add(nameOf(first))
      const { agent_id, kind, id } = first
      logger.warn({ agent_id, kind, id, error: describeFailure(error) }, 'a text cannot be indexed')
      return
    }
    const half = batch.length >> 1
    await indexBatch(dependencies, batch.slice(0, half), isOld, passedOver)
    await indexBatch(dependencies, batch.slice(half), isOld, passedOver)
  }
}

async function indexTogether(
  { db, engine, texts }: Dependencies,
  { agent_id, kind }: Pending,
  batch: readonly Pending[],
  isOld: boolean,
): Promise<void> {
  const ids = batch.map(({ id }) => id)
  const prepared = await prepareWords(await readTexts(db, texts, agent_id, kind, ids))
  await db.transaction().execute(async (db) => {
    await lockIndex(db, engine, agent_id)
    const taken = new Map(
      (await takePending(db, agent_id, kind, ids)).map(({ id, version }) => [id, version]),
    )
    if (batch.some(({ id, version }) => taken.get(id) !== version)) throw new ChangedMeanwhile()
    if (prepared.texts.length > 0) await writePart(db, agent_id, kind, isOld, prepared)
  })
}

async function readTexts(
  db: Kysely<Tables>,
  texts: SearchedTexts,
  agentId: number,
  kind: SearchKind,
  ids: readonly number[],
): Promise<SearchedText[]> {
  const read: SearchedText[] = []
  for (let from = 0; from < ids.length; from += TEXTS_READ)
    read.push(...(await texts.read(db, agentId, kind, ids.slice(from, from + TEXTS_READ))))
  return read.sort((a, b) => a.id - b.id)
}

interface Prepared {
  texts: SearchedText[]
  /** The packed postings of each word. */
  words: Map<string, number[]>
}

/** Makes the entries of texts. Each text gets a place, except those without words. */
async function prepareWords(read: readonly SearchedText[]): Promise<Prepared> {
  const texts: SearchedText[] = []
  const words = new Map<string, number[]>()
  const othersTurn = takeTurns()
  for (const text of read) {
    const terms = termsOf(text.text)
    if (terms.size === 0) continue
    if (text.channelId !== null) terms.set(channelTerm(text.channelId), 1)
    const place = texts.push(text) - 1
    for (const [word, impact] of terms) {
      const postings = words.get(word)
      if (postings) postings.push(packPosting(place, impact))
      else words.set(word, [packPosting(place, impact)])
    }
    await othersTurn()
  }
  return { texts, words }
}

/** Returns the term under which a channel's texts are found. No text contains it as a word. */
export function channelTerm(channelId: number): string {
  return `#${channelId}`
}

async function writePart(
  db: Kysely<Tables>,
  agentId: number,
  kind: SearchKind,
  isOld: boolean,
  { texts, words }: Prepared,
): Promise<void> {
  const end = await blockAtEnd(db, agentId, kind, isOld ? 'oldest' : 'newest')
  // Texts older than the index go below all others; of the others, each block is newer than the one before.
  const isOwn = end !== undefined && (isOld ? end.number < 0 : end.number >= 0)
  const hasRoom = isOwn && Number(end.texts) + texts.length <= BLOCK_SIZE
  const next = isOld ? Math.min(end?.number ?? 0, 0) - 1 : Math.max(end?.number ?? -1, -1) + 1
  const blockId = hasRoom ? end.id : await addBlock(db, agentId, kind, next)
  const part = hasRoom ? Number(end.parts) : 0
  const ids = texts.map(({ id }) => id)
  const times = texts.map(({ at }) => at).sort()
  await addPart(db, {
    block_id: blockId,
    part,
    agent_id: agentId,
    kind,
    ids: writeIds(ids),
    texts: texts.length,
    least_id: ids[0] ?? 0,
    most_id: ids.at(-1) ?? 0,
    from_at: times[0] ?? '',
    to_at: times.at(-1) ?? '',
  })
  const rows = [...words].sort(([a], [b]) => (a < b ? -1 : 1))
  await insertWords(
    db,
    rows.map(([word, postings]) => ({ block_id: blockId, word, part, postings: writePostings(postings) })),
  )
}
