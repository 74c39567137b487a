import { EMBEDDING_SETTINGS } from '../../agents/update-agent.ts'
import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import { patientAttemptAt } from '../../lib/pacing/patience.ts'
import type { Embedder } from '../../model/embedder.ts'
import { describeModelError, ModelError } from '../../model/model.ts'
import { serverFailures } from '../../model/server-failures.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import type { KnowledgeEmbeddingsRow } from '../tables.ts'
import { DimensionChanged, embedPassages, hashOfServer } from './embed-passages.ts'
import { EMBEDDINGS, embeddingQueue, lookAtAll, settleDone, updateEmbedding } from './embedding-store.ts'

interface Dependencies extends QueueDependencies {
  /** Returns the embedder of an agent's passages; null: there is no server. */
  embedderOf: (agentId: number) => Promise<Embedder | null>
  /** Tells whether there is a server for any agent. */
  anyServerIsSet: () => Promise<boolean>
}

const AGENTS_AT_ONCE = 4
/** The pause after the first failure of a server. Until it is back, new passages are not found by their meaning. */
const FIRST_PAUSE_MS = 1000

/**
 * Makes the vectors of passages that have none. A server that fails is asked again after growing pauses, without end;
 * until then only words are searched for. When a process dies, another one continues where it stopped.
 */
export function runEmbedding({ embedderOf, anyServerIsSet, ...dependencies }: Dependencies): RunningWork {
  const { database, clock, logger } = dependencies
  const { db, wakeUps } = database
  let mustLookAtAll = true
  let mayHaveChanged = true
  let isAnySet = false
  const unlisten = wakeUps.listen(EMBEDDING_SETTINGS, () => {
    mayHaveChanged = true
  })

  async function isOn(): Promise<boolean> {
    if (mayHaveChanged) await readSettings()
    if (isAnySet && mustLookAtAll) {
      await lookAtAll(db, clock())
      mustLookAtAll = false
    }
    return isAnySet
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

  const running = runQueue<KnowledgeEmbeddingsRow>(
    {
      name: 'embeddings',
      queue: embeddingQueue,
      frequentTopics: [EMBEDDINGS],
      topics: [EMBEDDING_SETTINGS],
      atOnce: AGENTS_AT_ONCE,
      isOn,
      async work(row, lease) {
        const embedder = await embedderOf(row.agent_id)
        if (embedder && !isDone(row, embedder)) await embedPassages({ db, clock }, embedder, row, lease)
        await db.transaction().execute(async (db) => {
          await embeddingQueue.end(db, row)
          await settleDone(db, row)
        })
      },
      patience(error, attempts) {
        if (!isOfServer(error)) return null
        const asked = error instanceof ModelError ? error.retryAfterMs : null
        return patientAttemptAt(attempts, clock(), asked, FIRST_PAUSE_MS)
      },
      async failed(db, row, error) {
        await updateEmbedding(db, row.id, { error: inWords(error), failed_at: timestamp(clock()) })
        if (error instanceof ModelError)
          logger.warn(
            { agent_id: row.agent_id, ...describeModelError(error) },
            'passages could not be embedded',
          )
      },
      raise,
      about: ({ agent_id }) => ({ agent_id }),
    },
    dependencies,
  )
  return {
    ...running,
    async stop(limitMs) {
      unlisten()
      await running.stop(limitMs)
    },
  }
}

function isOfServer(error: Error): boolean {
  return error instanceof ModelError || error instanceof DimensionChanged
}

/** Tells whether all passages have vectors of the model that is set. */
function isDone(row: KnowledgeEmbeddingsRow, embedder: Embedder): boolean {
  const isSame = row.model === embedder.name && row.server === hashOfServer(embedder)
  return isSame && row.error === null && row.changes === row.embedded_changes
}

/** Describes a failure for people: the server's words come without credentials and texts. */
function inWords(failure: Error): string {
  if (failure instanceof DimensionChanged) return `${failure.message}.`
  if (!(failure instanceof ModelError)) return `${serverFailures.say('internal')}.`
  const { said } = failure
  return said?.message ? `${failure.message}: ${said.message}` : `${failure.message}.`
}
