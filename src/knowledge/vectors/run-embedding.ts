import type { FastifyBaseLogger } from 'fastify'
import { EMBEDDING_SETTINGS } from '../../agents/update-agent.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import type { Embedder } from '../../model/embedder.ts'
import { describeModelError, ModelError } from '../../model/model.ts'
import type { Database } from '../../storage/opened-database.ts'
import { nextAttemptAt } from '../../work/retry.ts'
import { type RunningWork, runWork } from '../../work/run-work.ts'
import type { KnowledgeEmbeddingsRow } from '../tables.ts'
import { DimensionChanged, embedPassages, hashOfServer } from './embed-passages.ts'
import {
  claimEmbeddings,
  EMBEDDINGS,
  embeddingLeases,
  lookAtAll,
  nextEmbeddingDue,
  settleDone,
  updateEmbedding,
} from './embedding-store.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
  /** What embeds an agent's passages; null: there is no server. */
  embedderOf: (agentId: number) => Promise<Embedder | null>
  /** Whether there is a server for any agent. */
  anyServerIsSet: () => Promise<boolean>
}

const AGENTS_AT_ONCE = 2

/**
 * Makes the vectors of passages that have none. A server that fails is asked again after growing pauses, for as long as it
 * takes: meanwhile words alone are searched for. When a process dies, another one goes on where it was.
 */
export function runEmbedding({
  database,
  clock,
  logger,
  embedderOf,
  anyServerIsSet,
}: Dependencies): RunningWork {
  const { db, presence, wakeUps } = database
  let mustLookAtAll = true
  let mayHaveChanged = true
  let isAnySet = false
  const unlisten = wakeUps.listen(EMBEDDING_SETTINGS, () => {
    mayHaveChanged = true
  })

  async function work(row: KnowledgeEmbeddingsRow, asked: AbortSignal): Promise<void> {
    using lease = embeddingLeases.take(db, row, clock, asked)
    try {
      const embedder = await embedderOf(row.agent_id)
      if (embedder && !isDone(row, embedder)) await embedPassages({ db, clock }, embedder, row, lease)
      await settle(null)
    } catch (error) {
      if (lease.signal.aborted) throw error
      const said = error instanceof ModelError ? describeModelError(error) : describeFailure(error as Error)
      logger.warn({ agent_id: row.agent_id, ...said }, 'passages could not be embedded')
      await settle(error as Error)
    }

    async function settle(failure: Error | null): Promise<void> {
      await db.transaction().execute(async (db) => {
        await lease.free(db)
        const now = timestamp(clock())
        if (failure)
          await updateEmbedding(db, row.id, {
            error: inWords(failure),
            failed_at: now,
            due_at: nextAttemptAt(failure, Math.max(1, row.attempts), clock()),
          })
        else await settleDone(db, row)
      })
    }
  }

  async function readSettings(): Promise<void> {
    mayHaveChanged = false
    try {
      isAnySet = await anyServerIsSet()
    } catch (error) {
      mayHaveChanged = true
      throw error
    }
  }

  const running = runWork<KnowledgeEmbeddingsRow>(
    {
      name: 'embeddings',
      frequentTopics: [EMBEDDINGS],
      topics: [EMBEDDING_SETTINGS],
      atOnce: AGENTS_AT_ONCE,
      async claim(limit) {
        if (mayHaveChanged) await readSettings()
        if (!isAnySet) return []
        if (mustLookAtAll) await lookAtAll(db, clock())
        mustLookAtAll = false
        return claimEmbeddings(db, { holder: presence.id, nowMs: clock(), limit })
      },
      nextDue: async () => (isAnySet ? nextEmbeddingDue(db) : null),
      work: (row, stop) => work(row, stop.asked),
      about: ({ agent_id }) => ({ agent_id }),
    },
    { database, clock, logger },
  )
  return {
    ...running,
    async stop(limitMs) {
      unlisten()
      await running.stop(limitMs)
    },
  }
}

/** Whether all passages have vectors of the model that is set. */
function isDone(row: KnowledgeEmbeddingsRow, embedder: Embedder): boolean {
  const isSame = row.model === embedder.name && row.server === hashOfServer(embedder)
  return isSame && row.error === null && row.changes === row.embedded_changes
}

/** For people: what the server said is without credentials and texts. */
function inWords(failure: Error): string {
  if (failure instanceof DimensionChanged) return `${failure.message}.`
  if (!(failure instanceof ModelError)) return 'An internal error; the log says more.'
  const { said } = failure
  return said?.message ? `${failure.message}: ${said.message}` : `${failure.message}.`
}
