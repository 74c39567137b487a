import { parentPort, workerData } from 'node:worker_threads'
import { prepareDocument, type UnpreparedDocument } from './prepare-document.ts'

/** Runs in a thread of its own: prepares one document, and sends its passages a batch at a time, on request. */
const { batches, ...head } = prepareDocument(workerData as UnpreparedDocument)
const iterator = batches[Symbol.iterator]()
parentPort?.on('message', () => parentPort?.postMessage(iterator.next().value ?? null))
parentPort?.postMessage(head)
