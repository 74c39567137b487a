import { timestamp } from '../lib/clock.ts'
import { setHandedOver } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import { PlatformError } from '../platforms/platform.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish, finishFailed, tryAgainAfter } from './channel-work.ts'

/**
 * Gives a conversation to people on its platform, or takes it back. Parley stores this before it asks the platform, so
 * that the platform's report of the change is not taken for a takeover by people.
 */
export async function changeHands(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { clock, outbound } = tools
  const { mailbox, lease, items } = batch
  const { platform, settings } = channel
  const isOver = items[0]?.kind === 'hand_over'
  await lease.transaction((db) => setHandedOver(db, mailbox.id, isOver ? timestamp(clock()) : null))
  try {
    if (channel.isActive)
      await (isOver ? platform.handOver : platform.handBack)?.(
        outbound.of(channel.teamId),
        settings,
        mailbox.thread,
      )
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // After an unknown outcome it tries again: setting the state twice is harmless.
    const { outcome, reason, status } = error
    if (outcome !== 'refused') throw tryAgainAfter(error)
    // The hand-over was refused. If people now take the conversation themselves, it is a takeover.
    if (isOver) await lease.transaction((db) => setHandedOver(db, mailbox.id, null))
    return finishFailed(tools, batch, { state: 'parked', code: 'channel_hand_over_failed', reason, status })
  }
  await lease.transaction((db) => finish(db, batch, 'done', timestamp(clock())))
}
