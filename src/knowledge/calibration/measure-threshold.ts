import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { questionWords } from '../../lib/words/words.ts'
import type { Tables } from '../../storage/tables.ts'
import { searchKnowledge } from '../search.ts'
import { selectPassages } from '../vectors/vector-store.ts'
import { visibleAfter } from './calibration-store.ts'
import { thresholdOf } from './threshold.ts'

/** How many entries are asked for at most. */
const ASKED = 200
const READ_AT_ONCE = 1000
/** A document of more passages is about many things: only what stands under one heading is taken out of it. */
const FEW_PASSAGES = 3

export interface Measured {
  /** Null: there are too few entries to tell. */
  threshold: number | null
  /** How many entries were asked for. */
  asked: number
}

/**
 * Measures which confidence passages have that do not answer a question: each of some entries is asked for in its own
 * words while it is taken out, so that the rest cannot answer.
 */
export async function measureThreshold(
  db: Kysely<Tables>,
  agentId: number,
  signal: AbortSignal,
): Promise<Measured> {
  const confidences = await measureOwn(db, agentId, signal)
  return { threshold: thresholdOf(confidences), asked: confidences.length }
}

/** The confidences of the best of the other passages, for each of some entries. */
export async function measureOwn(
  db: Kysely<Tables>,
  agentId: number,
  signal: AbortSignal,
): Promise<number[]> {
  const entries = spread(await readEntries(db, agentId, signal), ASKED)
  const confidences: number[] = []
  for (const [at, passageIds] of entries.entries()) {
    signal.throwIfAborted()
    const question = await questionOf(db, passageIds, at)
    if (question === null) continue
    const { passages } = await searchKnowledge(db, agentId, question, 1, 0, passageIds)
    confidences.push(passages[0]?.confidence ?? 0)
    await nextTurn()
  }
  return confidences
}

/** The passages of each entry: of a short document, or under one heading of a long one. */
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

/** So many passages under one heading are no entry. */
const MOST_PASSAGES = 20

/** The words in which an entry is asked for: one of the other ways to ask, its title and heading, or its first sentence. */
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

/** Fewer words say too little to be a question. */
const FEWEST_WORDS = 3

function isQuestion(text: string): boolean {
  return new Set(questionWords(text)).size >= FEWEST_WORDS
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.slice(0, 300).split(/(?<=[.!?。])\s/u, 1)
  return sentence
}

/** Some of a list, evenly spread. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item)
}
