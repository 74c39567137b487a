import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { questionWords } from '../../language/words/words.ts'
import type { Tables } from '../../storage/tables.ts'
import { searchKnowledge } from '../search/search.ts'
import { selectPassages } from '../vectors/vector-store.ts'
import { visibleAfter } from './calibration-store.ts'
import { thresholdOf } from './threshold.ts'

/** The maximum number of entries that are asked for. */
const ASKED = 200
const READ_AT_ONCE = 1000
/**
 * The maximum number of passages of a document that is one entry. A longer one is about many things: each of its
 * headings is an entry.
 */
const FEW_PASSAGES = 3

interface Measured {
  /** The threshold; null: there are too few entries to tell. */
  threshold: number | null
  /** The number of entries that were asked for. */
  asked: number
}

/**
 * Measures the confidence of passages that do not answer a question. It asks for each of some entries in its own words
 * while the entry is taken out, so that the rest cannot answer.
 */
export async function measureThreshold(
  db: Kysely<Tables>,
  agentId: number,
  signal: AbortSignal,
): Promise<Measured> {
  const confidences = await measureOwn(db, agentId, signal)
  return { threshold: thresholdOf(confidences), asked: confidences.length }
}

/** Measures the confidence of the best of the other passages, for each of some entries. */
async function measureOwn(db: Kysely<Tables>, agentId: number, signal: AbortSignal): Promise<number[]> {
  const entries = spread(await readEntries(db, agentId, signal), ASKED)
  const confidences: number[] = []
  for (const [at, passageIds] of entries.entries()) {
    signal.throwIfAborted()
    const question = await questionOf(db, passageIds, at)
    if (question === null) continue
    const { passages } = await searchKnowledge(db, agentId, question, 1, passageIds)
    confidences.push(passages[0]?.confidence ?? 0)
    await nextTurn()
  }
  return confidences
}

/** Reads the passages of each entry: those of a short document, or under one heading of a long one. */
async function readEntries(db: Kysely<Tables>, agentId: number, signal: AbortSignal): Promise<number[][]> {
  const byDocument = new Map<number, Map<string, number[]>>()
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const rows = await visibleAfter(db, agentId, after, READ_AT_ONCE)
    for (const { id, document_id, heading } of rows) {
      const headings = byDocument.get(document_id) ?? new Map<string, number[]>()
      byDocument.set(document_id, headings)
      headings.set(heading, [...(headings.get(heading) ?? []), id])
    }
    if (rows.length < READ_AT_ONCE) break
    after = rows.at(-1)?.id ?? after
    await nextTurn()
  }
  return [...byDocument.values()].flatMap((headings) => {
    const parts = [...headings.values()]
    const all = parts.flat()
    return all.length <= FEW_PASSAGES ? [all] : parts.filter((ids) => ids.length <= MOST_PASSAGES)
  })
}

/** The maximum number of passages under a heading that make an entry. */
const MOST_PASSAGES = 20

/**
 * Returns the words in which an entry is asked for: its heading, its title or another way to ask, with its first
 * sentence where that is too short.
 */
async function questionOf(db: Kysely<Tables>, ids: readonly number[], at: number): Promise<string | null> {
  const [passage] = await selectPassages(db, ids.slice(0, 1))
  if (!passage) return null
  const { title, heading, text, questions } = passage
  const last = heading.split(' › ').at(-1) ?? ''
  const asked = last === '' || last === title ? title : last
  const ways = [asked, ...questions]
  const way = ways[at % ways.length] ?? asked
  return isQuestion(way) ? way : `${way} ${firstSentence(text)}`
}

/** The minimum number of words in a question. Fewer say too little. */
const FEWEST_WORDS = 3

function isQuestion(text: string): boolean {
  return new Set(questionWords(text)).size >= FEWEST_WORDS
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.slice(0, 300).split(/(?<=[.!?。])\s/u, 1)
  return sentence
}

/** Picks at most `most` items of a list, evenly spread. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item)
}
