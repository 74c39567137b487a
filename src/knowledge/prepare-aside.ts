import { once } from 'node:events'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { invalidField } from '../errors.ts'
import { atMost } from '../lib/at-most.ts'
import { takeTurns } from '../lib/take-turns.ts'
import { type PreparedDocument, prepareDocument, type UnpreparedDocument } from './prepare-document.ts'
import type { PassageRecord } from './store.ts'

/** A prepared document whose batches may take a while to arrive. */
export type PreparedAside = Omit<PreparedDocument, 'batches'> & { batches: AsyncIterable<PassageRecord[]> }

/**
 * Longer documents are read in a thread of their own. 20,000 characters take some milliseconds, whatever they contain.
 */
const LONGEST_HERE = 20_000
/** How many threads may run at once. */
const MOST_THREADS = 2
const MOST_MEGABYTES = 512
/** A document that takes longer was made to be slow. */
const READING_LIMIT_MS = 60_000

const withThread = atMost(MOST_THREADS)

/**
 * Prepares a document without blocking the event loop, and passes it to `use`.
 * @throws ApiError invalid_request when reading it takes too long or too much memory
 */
export async function prepareAside<Result>(
  document: UnpreparedDocument,
  use: (prepared: PreparedAside) => Promise<Result>,
): Promise<Result> {
  const length = document.questions.reduce((sum, { length }) => sum + length, document.content.length)
  return length <= LONGEST_HERE
    ? use(prepareHere(document))
    : withThread(() => prepareInThread(document, use))
}

function prepareHere(document: UnpreparedDocument): PreparedAside {
  const { batches, ...head } = prepareDocument(document)
  return { ...head, batches: inTurns(batches) }
}

async function* inTurns(batches: Iterable<PassageRecord[]>): AsyncGenerator<PassageRecord[]> {
  const pause = takeTurns()
  for (const batch of batches) {
    yield batch
    await pause()
  }
}

async function prepareInThread<Result>(
  document: UnpreparedDocument,
  use: (prepared: PreparedAside) => Promise<Result>,
): Promise<Result> {
  const worker = new Worker(join(import.meta.dirname, `prepare-worker${extname(import.meta.filename)}`), {
    workerData: document,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  // An error between two requests is not lost: the next request fails with it.
  worker.on('error', () => {})
  try {
    const head: Omit<PreparedDocument, 'batches'> = await answerOf(worker)
    return await use({ ...head, batches: batchesOf(worker) })
  } finally {
    await worker.terminate()
  }
}

async function* batchesOf(worker: Worker): AsyncGenerator<PassageRecord[]> {
  for (;;) {
    const answer = answerOf<PassageRecord[] | null>(worker)
    worker.postMessage('next')
    const batch = await answer
    if (batch === null) return
    yield batch
  }
}

/** Waits for the next message of a thread. */
async function answerOf<Answer>(worker: Worker): Promise<Answer> {
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(READING_LIMIT_MS) })
    return answer
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException
    if (name === 'AbortError') throw invalidField('content', 'it takes too long to read.')
    if (code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw invalidField('content', 'it takes too much memory to read.')
    throw error
  }
}
