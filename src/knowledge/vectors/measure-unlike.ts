import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Embedder } from '../../model/embedder.ts'
import type { Tables } from '../../storage/tables.ts'
import { embedTexts } from './embed-texts.ts'
import { product } from './products.ts'
import { type Space, selectPassages, vectorsOf } from './vector-store.ts'

/** The number of passages that are asked for, and the number they are compared with. */
const ASKED = 96
const AMONG = 4000
const ASKED_AT_ONCE = 32
const READ_AT_ONCE = 200
/** The number of questions compared with these before other work has its turn. */
const COMPARED_AT_ONCE = 8
/** The minimum number of documents. Fewer say nothing about what is unlike. */
const FEWEST = 8
/** The share of questions without an answer that should be recognised as such. */
const SHARE = 0.95

/**
 * Measures the similarity to a question of passages that do not answer it, since every model has its own scale. It asks
 * for each of some passages by its title, and takes the most similar passage of other documents, which answers
 * something else by construction.
 * @param ids the ids of all passages
 * @returns null when there are too few documents, or the dimension has changed
 */
export async function measureUnlike(
  db: Kysely<Tables>,
  embedder: Embedder,
  agentId: number,
  space: Space,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<number | null> {
  const questions: { documentId: number; vector: Float32Array; best: number }[] = []
  const asked = spread(ids, ASKED)
  for (let from = 0; from < asked.length; from += ASKED_AT_ONCE) {
    const passages = await selectPassages(db, asked.slice(from, from + ASKED_AT_ONCE))
    if (passages.length === 0) continue
    const { vectors, dimension } = await embedTexts(embedder, passages.map(titleOf), signal)
    if (dimension !== space.dimension) return null
    for (const [at, { document_id }] of passages.entries()) {
      const vector = vectors[at]
      if (vector) questions.push({ documentId: document_id, vector, best: -1 })
    }
  }
  if (new Set(questions.map(({ documentId }) => documentId)).size < FEWEST) return null
  const among = spread(ids, AMONG)
  for (let from = 0; from < among.length; from += READ_AT_ONCE) {
    const rows = await vectorsOf(db, agentId, space, among.slice(from, from + READ_AT_ONCE))
    for (const [at, question] of questions.entries()) {
      compare(question, rows, space.dimension)
      if (at % COMPARED_AT_ONCE === 0) await nextTurn()
    }
    await nextTurn()
  }
  const best = questions.map(({ best }) => best).sort((a, b) => a - b)
  return best[Math.floor(best.length * SHARE)] ?? null
}

function compare(
  question: { documentId: number; vector: Float32Array; best: number },
  rows: readonly { document_id: number; vector: Float32Array }[],
  dimension: number,
): void {
  for (const { document_id, vector } of rows) {
    if (document_id === question.documentId) continue
    const similarity = product(vector, 0, question.vector, dimension)
    if (similarity > question.best) question.best = similarity
  }
}

/** Returns the words in which somebody would ask for a passage. */
function titleOf({ title, heading }: { title: string; heading: string }): string {
  const last = heading.split(' › ').at(-1) ?? ''
  return last === '' || last === title ? title : `${title} ${last}`
}

/** Picks at most `most` items of a list, evenly spread. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item)
}
