import { invalidField } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import { openThreads, TaskTooSlow } from '../../lib/pacing/threads.ts'
import type { Team } from '../../lib/pacing/turns-by-team.ts'
import { type ReadPage, readPage } from '../formats/read-page.ts'
import { type ReadSitemap, readSitemap } from '../formats/read-sitemap.ts'
import type { PassageRecord } from '../passage-store.ts'
import { because } from '../reasons.ts'
import { prepareDocument, type UnpreparedDocument } from './prepare-document.ts'
import type { PreparedHead, prepareTasks } from './prepare-tasks.ts'

/** A prepared document whose batches may take a while to arrive. */
type PreparedAside = PreparedHead & { batches: AsyncIterable<PassageRecord[]> }

/**
 * The length in characters above which a document is read in another thread. 20,000 take some milliseconds, whatever
 * they contain.
 */
const LONGEST_HERE = 20_000
const threads = openThreads<typeof prepareTasks>(new URL('./prepare-thread', import.meta.url), {
  most: 3,
  ofTeam: 2,
  // A document that takes longer was made to be slow.
  milliseconds: 60_000,
  megabytes: 512,
})

/**
 * Prepares a document without blocking the event loop, and passes it to `use`.
 * @param team called only when the document needs a thread
 * @throws ApiError invalid_request when reading it takes too long or too much memory
 */
export async function prepareAside<Result>(
  team: () => Promise<Team>,
  document: UnpreparedDocument,
  use: (prepared: PreparedAside) => Promise<Result>,
): Promise<Result> {
  const length = document.questions.reduce((sum, { length }) => sum + length, document.content.length)
  return length <= LONGEST_HERE ? use(prepareHere(document)) : prepareInThread(await team(), document, use)
}

/** Reads an HTML page that came from an address. @returns the page, or why it cannot be read */
export async function readPageAside(
  team: Team,
  html: string,
  address: string,
): Promise<ReadPage | { refused: string }> {
  if (html.length <= LONGEST_HERE) return readPage(html, address)
  try {
    return await threads.run(team, 'page', html, address)
  } catch (error) {
    const refused = refusalOf(error)
    if (refused === null) throw error
    return { refused }
  }
}

/** Reads a sitemap; one that cannot be read lists nothing. */
export async function readSitemapAside(team: Team, text: string): Promise<ReadSitemap> {
  if (text.length <= LONGEST_HERE) return readSitemap(text)
  try {
    return await threads.run(team, 'sitemap', text)
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return { pages: [], sitemaps: [] }
  }
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
  team: Team,
  document: UnpreparedDocument,
  use: (prepared: PreparedAside) => Promise<Result>,
): Promise<Result> {
  const pieces = piecesOf(team, document)
  try {
    const { value: head } = await pieces.next()
    if (!head || Array.isArray(head)) throw new Error('a prepared document begins with its head')
    return await use({ ...head, batches: batchesOf(pieces) })
  } finally {
    await pieces.return(undefined)
  }
}

async function* piecesOf(
  team: Team,
  document: UnpreparedDocument,
): AsyncGenerator<PreparedHead | PassageRecord[]> {
  try {
    yield* threads.each(team, 'prepare', document)
  } catch (error) {
    const refused = refusalOf(error)
    throw refused === null ? error : invalidField('content', `${refused}.`)
  }
}

/** Returns the reason for which a thread gave up; null: it failed otherwise. */
function refusalOf(error: unknown): string | null {
  if (error instanceof TaskTooSlow) return because('too_slow')
  const isTooLarge = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
  return isTooLarge ? because('too_much_memory') : null
}

async function* batchesOf(
  pieces: AsyncGenerator<PreparedHead | PassageRecord[]>,
): AsyncGenerator<PassageRecord[]> {
  for await (const piece of pieces) if (Array.isArray(piece)) yield piece
}
