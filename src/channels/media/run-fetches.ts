import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import { raise } from '../../events/raise.ts'
import {
  dropFetch,
  endFetch,
  FETCHES,
  fetchQueue,
  isToBeFetched,
  restFetch,
} from '../../files/fetches/store.ts'
import { kindOfType } from '../../files/file-type.ts'
import { keepBytes } from '../../files/keep-bytes.ts'
import type { FilePlace, PlacedFile } from '../../files/places/file-place.ts'
import { selectPlaced } from '../../files/store.ts'
import type { FileFetchRow } from '../../files/tables.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import { type FetchReason, type Media, MediaRefused, refusals } from '../../platforms/media.ts'
import { PlatformError } from '../../platforms/platform.ts'
import type { Tables } from '../../storage/tables.ts'
import { changeAttachment } from '../../transcripts/messages/change-attachments.ts'
import { type Lease, LeaseLost } from '../../work/lease.ts'
import { TryAgain } from '../../work/retry.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import type { Channel } from '../channel.ts'
import type { Channels } from '../find-channel.ts'
import { checkedMedia, fetchMedia, MediaUnavailable } from './fetch-media.ts'

interface FetchDependencies extends QueueDependencies {
  channels: Pick<Channels, 'byId'>
  outbound: Pick<Outbound, 'of'>
  places: FilePlace
  /** Bytes. */
  fileLimit: number
}

/** Each takes a few hundred kilobytes of memory. */
const AT_ONCE = 16
const LONGEST_WAIT_MS = 10 * 60_000

/**
 * Fetches the files of people's messages from the platforms of their channels. A file is stored in one transaction with
 * what its message says of it, unless it was deleted meanwhile. One that cannot be fetched says so on its message, and is
 * fetched again on request.
 */
export function runFetches(dependencies: FetchDependencies): RunningWork {
  const { database, channels, places } = dependencies
  const { db, engine } = database
  return runQueue<FileFetchRow>(
    {
      name: 'fetches',
      queue: fetchQueue,
      topics: [FETCHES],
      atOnce: AT_ONCE,
      async work(fetch, lease) {
        const file = await selectPlaced(db, fetch.file_id)
        if (!file) return await dropFetch(db, fetch.id)
        const channel = await channels.byId(fetch.channel_id)
        // An earlier attempt may have ended with its process.
        await places.remove(file)
        const error = await fetchFile(dependencies, channel, file, fetch, lease).catch(
          (error: Error) => error,
        )
        if (error === null) return
        // The answer to the commit may be all that was lost. If not, the next attempt removes the bytes.
        if (engine.isUnavailable(error)) throw error
        // Nobody else finds bytes that came after the file was deleted.
        if (!lease.isLost || !(await isToBeFetched(db, fetch.id))) await places.remove(file)
        const reason = reasonOf(error)
        if (reason === null || lease.signal.aborted) throw error
        if (mayCome(channel, fetch, reason))
          throw tryAgainAfter(error as MediaUnavailable | PlatformError, reason)
        await lease.transaction((db) => rest(db, fetch, reason))
      },
      // A file is no work to look at: its message says that it is missing, and offers to fetch it again.
      async giveUp(db, fetch, error) {
        if (!(error instanceof TryAgain)) return false
        await rest(db, fetch, error.code as FetchReason)
        return true
      },
      parked: (db, fetch) => markMissing(db, fetch, 'unreachable'),
      raise,
      about: ({ agent_id, conversation_id, file_id }) => ({ agent_id, conversation_id, file_id }),
    },
    dependencies,
  )
}

/**
 * Fetches a file and stores it.
 * @returns null, or an error if it was deleted meanwhile
 */
async function fetchFile(
  { outbound, places, fileLimit }: FetchDependencies,
  channel: Channel | null,
  file: PlacedFile,
  fetch: FileFetchRow,
  lease: Lease,
): Promise<Error | null> {
  if (!channel) throw new MediaUnavailable('channel_deleted')
  const { platform, settings, teamId } = channel
  const media = JSON.parse(fetch.media) as Omit<Media, 'name'>
  if ((media.bytes ?? 0) > fileLimit) throw new MediaRefused('too_large')
  const http = outbound.of(teamId)
  const { signal } = lease
  const found = await platform.media?.find(http, settings, media.source, signal)
  if (!found) throw new MediaUnavailable('gone')
  const bytes =
    'bytes' in found
      ? checkedMedia(found.bytes, fileLimit, media)
      : fetchMedia({ http, base: settings.api_base, limit: fileLimit, signal }, found, media)
  const kept = await keepBytes(places, file, teamId, bytes)
  const { type, width, height } = kept
  return lease.transaction(async (db) => {
    const known = { type, width, height, bytes: kept.bytes, kind: kindOfType(type, media.kind) }
    const state = { state: 'stored' } as const
    const isThere = await changeAttachment(db, fetch.message_id, fetch.file_id, { ...known, ...state })
    const isKept = await endFetch(db, fetch, kept.previewBytes)
    return isKept && isThere ? null : new LeaseLost()
  })
}

/** Tells whether a file may be there later that could not be fetched. */
function mayCome(channel: Channel | null, { attempts }: FileFetchRow, reason: FetchReason): boolean {
  if (reason === 'unreachable' || reason === 'damaged') return true
  // Its address may have run out since it was found.
  return reason === 'gone' && (attempts === 0 || channel?.platform.media?.comesLate === true)
}

function tryAgainAfter(error: MediaUnavailable | PlatformError, reason: FetchReason): TryAgain {
  const { retryAfterMs: wait } = error
  const after = wait === null ? null : Math.min(wait, LONGEST_WAIT_MS)
  return new TryAgain(`a file could not be fetched: ${reason}`, { after, code: reason, cause: error })
}

/** Returns the reason for which a file was not fetched; null for an error that says nothing about the file. */
function reasonOf(error: unknown): FetchReason | null {
  if (error instanceof MediaRefused || error instanceof MediaUnavailable) return error.reason
  if (error instanceof ApiError) return error.code === 'invalid_request' ? 'unreadable_picture' : null
  if (!(error instanceof PlatformError)) return null
  if (error.reason === 'unauthorized') return 'unauthorized'
  return error.outcome === 'refused' && error.reason === 'rejected' ? 'gone' : 'unreachable'
}

/** Has a file fetched again only on request, and says so on its message. */
async function rest(db: Kysely<Tables>, fetch: FileFetchRow, reason: FetchReason): Promise<void> {
  await restFetch(db, fetch.id)
  await markMissing(db, fetch, reason)
}

/** Says on the message why a file is not there. */
async function markMissing(
  db: Kysely<Tables>,
  { message_id, file_id }: FileFetchRow,
  reason: FetchReason,
): Promise<void> {
  const state = refusals.some((one) => one === reason) ? 'refused' : 'failed'
  await changeAttachment(db, message_id, file_id, { state, reason })
}
