import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { teamOfAgent } from '../../agents/team-of-agent.ts'
import type { Team } from '../../lib/pacing/turns-by-team.ts'
import type { Tables } from '../../storage/tables.ts'
import { allocate, bufferOf, numbersOf, type SharedMemory } from './memory.ts'
import { nearest } from './nearest.ts'
import { type Space, vectorIdsAfter, vectorsAfter } from './vector-store.ts'

/** The version of an agent's vectors according to its row: their space, and how often passages have changed. */
interface VectorsVersion extends Space {
  agentId: number
  changes: number
}

export interface NearPassage {
  passageId: number
  similarity: number
}

/** The vectors of agents in memory, read from the database when they are first needed. */
interface KeptVectors {
  /**
   * Finds the passages most similar to a question, best first. Some may have been removed since: the caller reads them.
   * @param waitMs the time to wait for vectors that are not read yet
   * @returns null when they are not read in time, or are too many to be kept
   */
  nearest(
    version: VectorsVersion,
    question: Float32Array,
    most: number,
    waitMs: number,
  ): Promise<NearPassage[] | null>
}

interface Kept {
  /** The agent's team; undefined before it is first read. */
  team: Team | undefined
  version: VectorsVersion
  /** Its vectors, one after another. */
  memory: SharedMemory
  /** The passage of each vector; 0: it is gone. */
  passages: number[]
  places: Map<number, number>
  /** The id of the newest vector that was read. */
  lastId: number
  usedAt: number
  reading: Promise<void> | null
}

/** The memory for the vectors of all agents together. */
const MOST_BYTES = 1024 ** 3
/** The share of it that the agents of one team may have. */
const SHARE = 0.75
const NUMBERS_AT_ONCE = 200_000
const IDS_AT_ONCE = 5000

/**
 * Keeps vectors in memory.
 * @param mostBytes the memory that all vectors may take. The least recently used make room: those of the same team
 * while it has more than its share, otherwise those of all
 */
export function keepVectors(db: Kysely<Tables>, mostBytes: number = MOST_BYTES): KeptVectors {
  const agents = new Map<number, Kept>()
  const tooMany = new Map<number, string>()

  function keptOf(version: VectorsVersion): Kept {
    const { agentId, model, dimension } = version
    const kept = agents.get(agentId)
    if (kept?.version.model === model && kept.version.dimension === dimension) return kept
    const fresh: Kept = {
      team: undefined,
      version: { ...version, changes: -1 },
      memory: allocate(0),
      passages: [],
      places: new Map(),
      lastId: 0,
      usedAt: 0,
      reading: null,
    }
    agents.set(agentId, fresh)
    return fresh
  }

  async function bringUpToDate(kept: Kept, version: VectorsVersion): Promise<void> {
    const { agentId, model, dimension, changes } = version
    const limit = Math.max(1, Math.floor(NUMBERS_AT_ONCE / dimension))
    if (kept.team === undefined) kept.team = await teamOfAgent(db, agentId)
    for (;;) {
      const rows = await vectorsAfter(db, { agentId, model, dimension, after: kept.lastId, limit })
      makeRoom(kept, rows.length)
      for (const row of rows) append(kept, row)
      if (rows.length < limit) break
      await nextTurn()
    }
    if (kept.version.changes !== changes) await dropRemoved(kept)
    kept.version = version
  }

  async function readAfter(kept: Kept, version: VectorsVersion): Promise<void> {
    await kept.reading
    kept.reading ??= bringUpToDate(kept, version)
      .catch((error: unknown) => {
        agents.delete(version.agentId)
        if (!(error instanceof TooMany)) throw error
        tooMany.set(version.agentId, keyOf(version))
      })
      .finally(() => {
        kept.reading = null
      })
    await kept.reading
  }

  async function dropRemoved(kept: Kept): Promise<void> {
    const { agentId, model, dimension } = kept.version
    const upTo = kept.lastId
    const present = new Set<number>()
    for (let after = 0; ; ) {
      const rows = await vectorIdsAfter(db, { agentId, model, dimension, after, limit: IDS_AT_ONCE })
      for (const { id, passage_id } of rows) if (id <= upTo) present.add(passage_id)
      after = rows.at(-1)?.id ?? after
      if (rows.length < IDS_AT_ONCE || after >= upTo) break
      await nextTurn()
    }
    for (const [passage, place] of kept.places) {
      if (present.has(passage)) continue
      kept.places.delete(passage)
      kept.passages[place] = 0
    }
    const { passages, places } = kept
    if (places.size < passages.length / 2) compact(kept)
  }

  /** Grows an agent's memory, and forgets other agents to make room. @throws TooMany */
  function makeRoom(kept: Kept, more: number): void {
    const { dimension, agentId } = kept.version
    const needed = (kept.passages.length + more) * dimension
    const present = numbersOf(kept.memory)
    if (needed > present.length) {
      const wanted = Math.max(needed, Math.ceil(present.length * 1.5))
      if (wanted * 4 > mostBytes * SHARE) throw new TooMany()
      const grown = allocate(wanted)
      numbersOf(grown).set(present.subarray(0, kept.passages.length * dimension))
      kept.memory = grown
    }
    forgetOldest(agents, agentId, mostBytes * SHARE, ({ team }) => team === kept.team)
    forgetOldest(agents, agentId, mostBytes, () => true)
  }

  return {
    async nearest(version, question, most, waitMs) {
      const { agentId, dimension } = version
      if (question.length !== dimension) return null
      const key = keyOf(version)
      if (tooMany.get(agentId) === key) return null
      const kept = keptOf(version)
      kept.usedAt = performance.now()
      // A read begun for another search may miss passages that this one should find.
      const wasRead = await inTime(readAfter(kept, version), waitMs)
      // Vectors that are being read for the first time are incomplete.
      if (tooMany.get(agentId) === key || (!wasRead && kept.version.changes === -1)) return null
      // A read that continues replaces this memory, or changes it only by adding at its end.
      const { memory, passages } = kept
      const found = await nearest(
        kept.team ?? null,
        { memory, dimension, count: passages.length },
        question,
        most,
      )
      return found.flatMap(({ at, similarity }) => {
        const passageId = passages[at]
        return passageId ? [{ passageId, similarity }] : []
      })
    },
  }
}

function keyOf({ model, dimension, changes }: VectorsVersion): string {
  return `${model} ${dimension} ${changes}`
}

class TooMany extends Error {}

/** Forgets the least recently used of some agents, except `spared`, until these agents take at most `most` bytes. */
function forgetOldest(
  agents: Map<number, Kept>,
  spared: number,
  most: number,
  isMeant: (kept: Kept) => boolean,
): void {
  const meant = [...agents].filter(([, kept]) => isMeant(kept)).sort(([, a], [, b]) => a.usedAt - b.usedAt)
  let bytes = meant.reduce((sum, [, { memory }]) => sum + bufferOf(memory).byteLength, 0)
  for (const [id, { memory }] of meant) {
    if (bytes <= most) return
    if (id === spared) continue
    agents.delete(id)
    bytes -= bufferOf(memory).byteLength
  }
}

function append(
  kept: Kept,
  { id, passage_id, vector }: { id: number; passage_id: number; vector: Uint8Array },
): void {
  kept.lastId = id
  const { dimension } = kept.version
  // The server refused the text of the passage.
  if (vector.byteLength !== dimension * 4) return
  const place = kept.passages.length
  new Uint8Array(bufferOf(kept.memory), place * dimension * 4, dimension * 4).set(vector)
  kept.passages.push(passage_id)
  kept.places.set(passage_id, place)
}

function compact(kept: Kept): void {
  const { dimension } = kept.version
  const present = numbersOf(kept.memory)
  const memory = allocate(kept.places.size * dimension)
  const numbers = numbersOf(memory)
  const passages: number[] = []
  for (const [passage, place] of [...kept.places]) {
    numbers.set(present.subarray(place * dimension, (place + 1) * dimension), passages.length * dimension)
    kept.places.set(passage, passages.length)
    passages.push(passage)
  }
  kept.memory = memory
  kept.passages = passages
}

/** Tells whether work is done within a time; throws if it fails. */
async function inTime(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(false)), limitMs)
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
