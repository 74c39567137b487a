import type { Kysely } from 'kysely'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { type Posting, packPosting, readIds, readPostings, writePostings } from './postings.ts'
import { insertWords, lockIndex, markReplaced, partsBetween, takeWords } from './store.ts'
import type { SearchKind } from './tables.ts'
import { termsOf } from './terms.ts'

/** A text that has been replaced by another. */
export interface ReplacedText {
  id: number
  before: string
  after: string
}

const WORDS_TAKEN = 500

/**
 * Has the index find texts by what stands in their place, and by nothing that stood there before: within the
 * transaction that replaces them.
 */
export async function replaceTexts(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock'>,
  agentId: number,
  kind: SearchKind,
  replaced: readonly ReplacedText[],
): Promise<void> {
  if (replaced.length === 0) return
  await lockIndex(db, engine, agentId)
  const ids = replaced.map(({ id }) => id)
  const waiting = new Set(await markReplaced(db, agentId, kind, ids))
  const indexed = new Map(replaced.filter(({ id }) => !waiting.has(id)).map((text) => [text.id, text]))
  if (indexed.size === 0) return
  const [least = 0, most = 0] = [Math.min(...indexed.keys()), Math.max(...indexed.keys())]
  for await (const { block_id, part, ids } of partsBetween(db, agentId, kind, least, most)) {
    const changes = new Map<string, Map<number, number>>()
    for (const [place, id] of readIds(ids).entries()) {
      const text = indexed.get(id)
      if (!text) continue
      addChanges(changes, place, text)
      indexed.delete(id)
    }
    await changePart(db, block_id, part, changes)
    if (indexed.size === 0) return
  }
}

/** Adds to a part's changes which words of a text came and went: word, place and impact, 0 for a word that is gone. */
function addChanges(
  changes: Map<string, Map<number, number>>,
  place: number,
  { before, after }: ReplacedText,
): void {
  const old = termsOf(before)
  const fresh = termsOf(after)
  const change = (word: string, impact: number) => {
    const places = changes.get(word) ?? new Map<number, number>()
    changes.set(word, places.set(place, impact))
  }
  for (const word of old.keys()) if (!fresh.has(word)) change(word, 0)
  for (const [word, impact] of fresh) if (!old.has(word)) change(word, impact)
}

async function changePart(
  db: Kysely<Tables>,
  blockId: number,
  part: number,
  changes: Map<string, Map<number, number>>,
): Promise<void> {
  const words = [...changes.keys()].sort()
  for (let from = 0; from < words.length; from += WORDS_TAKEN) {
    const some = words.slice(from, from + WORDS_TAKEN)
    const taken = new Map(
      (await takeWords(db, blockId, part, some)).map(({ word, postings }) => [word, readPostings(postings)]),
    )
    const rows = some.flatMap((word) => {
      const postings = changePostings(taken.get(word) ?? [], changes.get(word) ?? new Map())
      return postings.length > 0 ? [{ block_id: blockId, word, part, postings: writePostings(postings) }] : []
    })
    await insertWords(db, rows)
  }
}

/** A word's packed postings after these changes. */
function changePostings(postings: readonly Posting[], changes: ReadonlyMap<number, number>): number[] {
  const kept = postings.filter(({ place }) => !changes.has(place))
  const added = Array.from(changes, ([place, impact]) => ({ place, impact })).filter(
    ({ impact }) => impact > 0,
  )
  return [...kept, ...added].map(({ place, impact }) => packPosting(place, impact)).sort((a, b) => a - b)
}
