import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { raise } from '../events/raise.ts'
import type { FileLinks } from '../files/file-links.ts'
import type { FilePlaces } from '../files/places/file-place.ts'
import { timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { updateItems } from '../mailboxes/items.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemState } from '../mailboxes/tables.ts'
import { PlatformError, type Sent } from '../platforms/platform.ts'
import type { ForgetCopies } from '../privacy/forget-copies.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import type { TurnDependencies } from '../turns/turn-dependencies.ts'
import { TryAgain } from '../work/retry.ts'
import type { Channel } from './channel.ts'
import type { StopLinks } from './continued/stop-links.ts'
import type { Channels } from './find-channel.ts'

/** The dependencies of the work of channels. */
export interface ChannelWork extends TurnDependencies {
  engine: Engine
  channels: Pick<Channels, 'byId'>
  outbound: Pick<Outbound, 'of'>
  logger: FastifyBaseLogger
  forgetCopies: ForgetCopies
  /** Keeps the bytes of files. */
  places: FilePlaces
  links: Pick<FileLinks, 'linkTo'>
  stopLinks: Pick<StopLinks, 'linkTo'>
  /** The public address of the API; ends in /api/v1. */
  baseUrl: () => string
  /** Counts a call that sent a message. @param reason why it failed; empty when it was sent */
  sent?: (platform: string, outcome: 'sent' | PlatformError['outcome'], reason: string) => void
}

/** Waits for a call that sends a message, and counts it. @throws what the call throws */
export async function counted(
  { sent }: ChannelWork,
  { platform }: Channel,
  call: Promise<Sent>,
): Promise<Sent> {
  try {
    const answer = await call
    sent?.(platform.kind, 'sent', '')
    return answer
  } catch (error) {
    if (error instanceof PlatformError) sent?.(platform.kind, error.outcome, error.reason)
    throw error
  }
}

/** Returns the failure after which work is tried again, at the time for which the platform asks. */
export function tryAgainAfter(error: PlatformError): TryAgain {
  return new TryAgain(error.message, { after: error.retryAfterMs, code: error.reason, cause: error })
}

/** Updates the items of a batch. */
export async function updateBatch(
  { lease, items }: Batch,
  values: Parameters<typeof updateItems>[2],
): Promise<void> {
  const ids = items.map(({ id }) => id)
  await lease.transaction((db) => updateItems(db, ids, values))
}

/** Finishes the items of a batch and erases their payload. @param db a transaction that holds the lease */
export async function finish(
  db: Kysely<Tables>,
  { items, attempt }: Pick<Batch, 'items'> & Partial<Batch>,
  state: MailboxItemState,
  now: string,
  error: string | null = null,
): Promise<void> {
  const ids = items.map(({ id }) => id)
  const tried = error === null || attempt === undefined ? {} : { attempts: attempt }
  await updateItems(db, ids, { state, error, ...tried, payload: null, finished_at: now })
}

/**
 * Finishes items that failed for good, with an `error` event and a line in the log. Their conversation waits for a
 * person.
 */
export async function finishFailed(
  { clock, logger }: Pick<ChannelWork, 'clock' | 'logger'>,
  batch: Batch,
  failure: { state: 'failed' | 'parked'; code: string; reason: string; status?: number | null },
): Promise<void> {
  const { agent_id, channel_id, conversation_id } = batch.mailbox
  const now = timestamp(clock())
  await batch.lease.transaction(async (db) => {
    await finish(db, batch, failure.state, now, failure.reason)
    if (conversation_id) await waitForPerson(db, conversation_id, 'failed', now)
    await raise(db, {
      key: 'error',
      agent_id,
      occurred_at: now,
      ...(conversation_id ? { conversation_id } : {}),
      data: {
        code: failure.code,
        reason: failure.reason,
        ...(failure.status ? { status: failure.status } : {}),
        channel_id,
      },
    })
  })
  const { code, reason, status } = failure
  logger.warn(
    { channel_id, conversation_id, code, reason, status: status ?? undefined },
    'channel work failed',
  )
}
