import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { EMBEDDING_SERVER, type Embedder } from '../../model/embedder.ts'
import { serverFailures } from '../../model/server-failures.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Lease } from '../../work/lease.ts'
import { aboutPassage } from '../about-passage.ts'
import type { KnowledgeEmbeddingsRow } from '../tables.ts'
import { dimensionOf, embedTexts } from './embed-texts.ts'
import { embeddingQueue, updateEmbedding } from './embedding-store.ts'
import { measureUnlike } from './measure-unlike.ts'
import {
  deleteOtherVectors,
  insertVectors,
  passagesAfter,
  type Space,
  selectPassages,
  type UnembeddedPassage,
} from './vector-store.ts'

/** The number of passages embedded in one call. Servers accept this many. */
const EMBEDDED_AT_ONCE = 32
const LOOKED_AT = 1000
const DELETED_AT_ONCE = 500
/**
 * The maximum length of an embedded text in characters. Models read no more, and a longer passage is a table or code.
 */
const LONGEST_TEXT = 8000
const MOST_QUESTIONS = 10

/** Signals that the server gives vectors of another dimension than before under the same model name. */
export class DimensionChanged extends Error {
  constructor(before: number, now: number) {
    super(serverFailures.say('dimension_changed', { server: EMBEDDING_SERVER, now, before }))
    this.name = 'DimensionChanged'
  }
}

/**
 * Makes the missing vectors of an agent's passages, one batch per transaction. Vectors of another model serve until all
 * passages have one of the new model, and are deleted then.
 * @throws DimensionChanged, ModelError, LeaseLost
 */
export async function embedPassages(
  { db, clock }: { db: Kysely<Tables>; clock: Clock },
  embedder: Embedder,
  row: KnowledgeEmbeddingsRow,
  lease: Lease,
): Promise<void> {
  const space = await spaceOf(embedder, row, lease.signal)
  const { id, agent_id: agentId } = row
  let { tokens, skipped } = row
  const server = hashOfServer(embedder)
  // Another server may use the same name for another model.
  const hasMoved = row.server !== null && row.server !== server && row.model === space.model
  if (hasMoved) {
    await deleteOthers({ model: '', dimension: 0 })
    await store({ model: null, dimension: null, server })
  }
  const isServing = !hasMoved && row.model === space.model && row.dimension === space.dimension
  if (!isServing) skipped = 0
  await store({
    next_model: isServing ? null : space.model,
    next_dimension: isServing ? null : space.dimension,
  })
  let waiting: number[] = []
  /** Those that are still there: passages that were skipped once may be gone. */
  let stillSkipped = 0
  const all: number[] = []
  for (let after = 0; ; ) {
    const passages = await passagesAfter(db, agentId, space, after, LOOKED_AT)
    all.push(...passages.map(({ id }) => id))
    stillSkipped += passages.filter(({ isSkipped }) => isSkipped).length
    waiting.push(...passages.flatMap(({ id, isEmbedded }) => (isEmbedded ? [] : [id])))
    const isLast = passages.length < LOOKED_AT
    while (waiting.length >= EMBEDDED_AT_ONCE || (isLast && waiting.length > 0)) {
      await embedBatch(waiting.slice(0, EMBEDDED_AT_ONCE))
      waiting = waiting.slice(EMBEDDED_AT_ONCE)
    }
    if (isLast) break
    after = passages.at(-1)?.id ?? after
    await nextTurn()
  }
  skipped = stillSkipped
  const wasMeasured = isServing && isAbout(all.length, row.compared)
  const measured = wasMeasured
    ? {}
    : { unlike: await measureUnlike(db, embedder, agentId, space, all, lease.signal), compared: all.length }
  await store({
    ...fine(),
    ...space,
    ...measured,
    server,
    embedded_changes: row.changes,
    next_model: null,
    next_dimension: null,
  })
  await deleteOthers(space)

  /** Deletes the vectors of other spaces. */
  async function deleteOthers(space: Space): Promise<void> {
    for (let mayBeMore = true; mayBeMore; ) {
      mayBeMore = await lease.transaction(async (db) => {
        await embeddingQueue.progress(db, row)
        return deleteOtherVectors(db, agentId, space, DELETED_AT_ONCE)
      })
    }
  }

  async function embedBatch(ids: readonly number[]): Promise<void> {
    lease.signal.throwIfAborted()
    const passages = await selectPassages(db, ids)
    if (passages.length === 0) return
    const embedded = await embedTexts(embedder, passages.map(textOf), lease.signal)
    if (embedded.dimension !== space.dimension)
      throw new DimensionChanged(space.dimension, embedded.dimension)
    const vectors = passages.map(({ id }, at) => ({
      passageId: id,
      vector: bytesOf(embedded.vectors[at] ?? null),
    }))
    tokens = Number(tokens) + embedded.tokens
    const refused = embedded.vectors.filter((vector) => vector === null).length
    skipped += refused
    stillSkipped += refused
    // Every change of passages locks the row of the lease first, so that none is deleted before its vector is written.
    await lease.transaction(async (db) => {
      await insertVectors(db, agentId, space, vectors)
      await embeddingQueue.progress(db, row)
      await updateEmbedding(db, id, { ...fine(), tokens, skipped })
    })
  }

  async function store(values: Parameters<typeof updateEmbedding>[2]): Promise<void> {
    await lease.transaction((db) =>
      updateEmbedding(db, id, { skipped, updated_at: timestamp(clock()), ...values }),
    )
  }

  /** Returns the column values after a success. */
  function fine() {
    return { error: null, failed_at: null, updated_at: timestamp(clock()) }
  }
}

/** Tells whether the number of passages has changed little. */
function isAbout(count: number, before: number): boolean {
  return count <= before * 1.5 && count >= before / 1.5
}

/** Returns the space of the vectors to be made. Asks the server only for a model whose space is not known. */
async function spaceOf(embedder: Embedder, row: KnowledgeEmbeddingsRow, signal: AbortSignal): Promise<Space> {
  const isKnown =
    row.model === embedder.name && row.dimension !== null && row.server === hashOfServer(embedder)
  // After a failure the dimension may have changed.
  if (isKnown && row.error === null) return { model: embedder.name, dimension: Number(row.dimension) }
  return { model: embedder.name, dimension: await dimensionOf(embedder, signal) }
}

/** Hashes a server's address, to tell servers apart: the address may hold a password. */
export function hashOfServer({ url }: Embedder): string {
  return createHash('sha256').update(url).digest('base64url')
}

/** Returns the text of a passage to be embedded, with its title, headings and other ways to ask. */
function textOf({ text, questions, ...passage }: UnembeddedPassage): string {
  return [aboutPassage(passage), ...questions.slice(0, MOST_QUESTIONS), text]
    .join('\n')
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
}

function bytesOf(vector: Float32Array | null): Uint8Array {
  return vector === null ? Buffer.alloc(0) : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}
