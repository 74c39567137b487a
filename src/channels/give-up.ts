import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow, MailboxItemState } from '../mailboxes/tables.ts'
import type { DeliveryReason } from '../platforms/platform.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening } from '../transcripts/conversations/happenings.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { markDelivery } from '../transcripts/messages/mark-delivery.ts'
import { readOutgoing } from '../transcripts/messages/read-outgoing.ts'
import { type ChannelWork, finish } from './channel-work.ts'

/** The codes of messages that are not sent for a reason of Parley's own. */
export const unsentCodes = ['channel_inactive', 'channel_deleted'] as const

/** The reason why a message was not sent. */
export interface SendFailure {
  /** `unknown` when the person may have got it. */
  delivery: 'failed' | 'unknown'
  reason: DeliveryReason
  /** HTTP status of the platform's answer. */
  status?: number | null
  /** The reported code in place of `reason`, when the platform is not at fault. */
  code?: (typeof unsentCodes)[number]
}

/**
 * Stops trying to send a message. It is parked, so that a person can see it and have it sent again. Its row, an `error`
 * event and the log give the reason.
 * @param state `failed` when it can never be sent, for example because its channel was deleted
 */
export async function giveUp(
  { clock, logger }: Pick<ChannelWork, 'clock' | 'logger'>,
  batch: Batch,
  failure: SendFailure,
  state: MailboxItemState = 'parked',
): Promise<void> {
  const item = batch.items[0] as MailboxItemRow
  const now = timestamp(clock())
  const completionId = await batch.lease.transaction(async (db) => {
    await finish(db, batch, state, now, failure.code ?? failure.reason)
    return tellUnsent(db, batch.mailbox, item.message_id, failure, now)
  })
  const { channel_id, conversation_id } = batch.mailbox
  const { delivery, reason, status } = failure
  logger.warn(
    {
      channel_id,
      conversation_id,
      completion_id: completionId,
      delivery,
      reason,
      status: status ?? undefined,
    },
    'a message was not delivered',
  )
}

/**
 * Marks a message as not delivered and raises an `error` event. Its conversation waits for a person.
 * @returns the message's completion
 */
export async function tellUnsent(
  db: Kysely<Tables>,
  place: { agent_id: number; channel_id: number; conversation_id: string | null },
  messageId: number | null,
  { delivery, reason, status, code }: SendFailure,
  now: string,
  more: { platform_code?: string } = {},
): Promise<string | null> {
  const message = messageId === null ? undefined : await readOutgoing(db, messageId)
  const completionId = message?.completion_id ?? null
  const { agent_id, channel_id, conversation_id } = place
  const failure = {
    code: 'channel_send_failed',
    reason: code ?? reason,
    delivery,
    ...(status ? { status } : {}),
    ...more,
    channel_id,
  }
  if (conversation_id) {
    const context = { agent_id, conversation_id, completion_id: completionId }
    const details = message ? { ...failure, message_id: message.id } : failure
    await addHappening(db, { ...context, kind: 'failed', by: bySystem.actor, at: now, details })
    await waitForPerson(db, conversation_id, 'failed', now)
  }
  if (message) await markDelivery(db, message.id, delivery, reason)
  await raise(db, {
    key: 'error',
    agent_id,
    occurred_at: now,
    ...(conversation_id ? { conversation_id } : {}),
    ...(completionId ? { completion_id: completionId } : {}),
    data: failure,
  })
  return completionId
}
