import type { Kysely } from 'kysely'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Posting, packPosting, readIds, readPostings, writePostings } from './postings.ts'
import type { SearchKind } from './searched-texts.ts'
import { insertWords, lockIndex, markReplaced, partsBetween, takeWords } from './store.ts'
import { termsOf } from './terms.ts'

/** The words that were added to or removed from a text, each with its impact; 0 for a removed word. */
type WordChanges = ReadonlyMap<string, number>

/** A text that is replaced by another. */
export interface ReplacedText {
  id: number
  /** Returns the changes, computed on the first call, which takes a while for a long text. */
  changes(): WordChanges
}

export function replacedText(id: number, before: () => string, after: () => string): ReplacedText {
  let changes: WordChanges | undefined
  return {
    id,
    changes() {
      changes ??= changesBetween(termsOf(before()), termsOf(after()))
      return changes
    },
  }
}

function changesBetween(old: WordChanges, fresh: WordChanges): WordChanges {
  const gone = [...old.keys()].filter((word) => !fresh.has(word))
  const came = [...fresh].filter(([word]) => !old.has(word))
  return new Map([...gone.map((word): [string, number] => [word, 0]), ...came])
}

const WORDS_TAKEN = 500

/**
 * Computes the changes of the indexed texts before the transaction that replaces them: on SQLite, everyone else waits
 * for that transaction.
 */
export async function prepareReplaced(
  db: Kysely<Tables>,
  agentId: number,
  kind: SearchKind,
  replaced: readonly ReplacedText[],
): Promise<void> {
  const pause = takeTurns()
  for await (const { texts } of partsWith(db, agentId, kind, replaced))
    for (const text of texts.values()) {
      text.changes()
      await pause()
    }
}

/**
 * Updates the index so that texts are found by their new content and no longer by the old. Call it within the
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
  const indexed = replaced.filter(({ id }) => !waiting.has(id))
  for await (const { block_id, part, texts } of partsWith(db, agentId, kind, indexed)) {
    const changes = new Map<string, Map<number, number>>()
    for (const [place, text] of texts)
      for (const [word, impact] of text.changes()) {
        const places = changes.get(word) ?? new Map<number, number>()
        changes.set(word, places.set(place, impact))
      }
    await changePart(db, block_id, part, changes)
  }
}

/** Yields the parts of the index that hold some of these texts, each with the texts by their places in it. */
async function* partsWith(
  db: Kysely<Tables>,
  agentId: number,
  kind: SearchKind,
  replaced: readonly ReplacedText[],
) {
  const left = new Map(replaced.map((text) => [text.id, text]))
  if (left.size === 0) return
  const [least = 0, most = 0] = [Math.min(...left.keys()), Math.max(...left.keys())]
  for await (const { block_id, part, ids } of partsBetween(db, agentId, kind, least, most)) {
    const texts = new Map<number, ReplacedText>()
    for (const [place, id] of readIds(ids).entries()) {
      const text = left.get(id)
      if (!text) continue
      texts.set(place, text)
      left.delete(id)
    }
    yield { block_id, part, texts }
    if (left.size === 0) return
  }
}

/**
 * Changes the entries of a part.
 * @param changes for each word, the impact at each place; 0 where the word was removed
 */
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

/** Returns a word's packed postings after these changes. */
function changePostings(postings: readonly Posting[], changes: ReadonlyMap<number, number>): number[] {
  const kept = postings.filter(({ place }) => !changes.has(place))
  const added = Array.from(changes, ([place, impact]) => ({ place, impact })).filter(
    ({ impact }) => impact > 0,
  )
  return [...kept, ...added].map(({ place, impact }) => packPosting(place, impact)).sort((a, b) => a - b)
}
