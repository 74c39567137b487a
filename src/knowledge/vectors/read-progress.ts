import type { Kysely } from 'kysely'
import type { Why } from '../../lib/coded-sentences.ts'
import type { Embedder } from '../../model/embedder.ts'
import { serverFailures } from '../../model/server-failures.ts'
import type { Tables } from '../../storage/tables.ts'
import { countPassages } from '../passage-store.ts'
import { selectEmbedding } from './embedding-store.ts'
import { countVectors } from './vector-store.ts'

interface EmbeddingProgress {
  status: 'off' | 'working' | 'failing' | 'done'
  model: string | null
  dimension: number | null
  next_model: string | null
  next_dimension: number | null
  passages: number
  embedded: number
  skipped: number
  tokens: number
  error: string | null
  why: Why<(typeof serverFailures.codes)[number]>
  failed_at: string | null
  next_try_at: string | null
  updated_at: string | null
}

/** Reads the progress of an agent's vectors. @param embedder null: no server is set */
export async function readProgress(
  db: Kysely<Tables>,
  agentId: number,
  embedder: Embedder | null,
): Promise<EmbeddingProgress> {
  const [row] = await selectEmbedding(db, { agentId })
  const passages = await countPassages(db, agentId)
  if (!row || !embedder) {
    const status = embedder ? ('done' as const) : ('off' as const)
    return { ...NOTHING, status, passages }
  }
  const { model, dimension, next_model, next_dimension, error, failed_at, updated_at } = row
  const made = next_model === null ? { model, dimension } : { model: next_model, dimension: next_dimension }
  const embedded =
    made.model !== embedder.name || made.dimension === null
      ? 0
      : await countVectors(db, agentId, { model: made.model, dimension: made.dimension })
  const isDone = next_model === null && model === embedder.name && row.changes === row.embedded_changes
  return {
    status: error !== null ? 'failing' : isDone ? 'done' : 'working',
    model,
    dimension,
    next_model,
    next_dimension,
    passages,
    embedded: embedded - Math.min(embedded, row.skipped),
    skipped: row.skipped,
    tokens: Number(row.tokens),
    error,
    why: serverFailures.whyOf(error?.replace(/\.$/, '') ?? null),
    failed_at,
    next_try_at: error === null ? null : row.due_at,
    updated_at,
  }
}

const NOTHING = {
  model: null,
  dimension: null,
  next_model: null,
  next_dimension: null,
  embedded: 0,
  skipped: 0,
  tokens: 0,
  error: null,
  why: serverFailures.whyOf(null),
  failed_at: null,
  next_try_at: null,
  updated_at: null,
}
