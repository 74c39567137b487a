import { timestamp } from '../lib/clock.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import { PlatformError } from '../platforms/platform.ts'
import { TryAgain } from '../work/retry.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish, finishFailed } from './channel-work.ts'
import { setHandedOver } from './mailbox-store.ts'

/**
 * Gives a conversation to people on its platform, or takes it back. That Parley did so is stored before the platform
 * is asked, so that what it tells of the change is not taken for a person's doing.
 */
export async function changeHands(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { db, clock, http } = tools
  const { mailbox, lease, items } = batch
  const { platform, settings } = channel
  const isOver = items[0]?.kind === 'hand_over'
  await db.transaction().execute(async (db) => {
    await lease.hold(db)
    await setHandedOver(db, mailbox.id, isOver ? timestamp(clock()) : null)
  })
  try {
    if (channel.isActive)
      await (isOver ? platform.handOver : platform.handBack)?.(http, settings, mailbox.thread)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Setting a state twice is harmless.
    const { outcome, reason, status, retryAfterMs: after } = error
    if (outcome !== 'refused') throw new TryAgain(error.message, { after, code: reason, cause: error })
    // People do not have it: when they take it by themselves, that is a takeover.
    if (isOver)
      await db.transaction().execute(async (db) => {
        await lease.hold(db)
        await setHandedOver(db, mailbox.id, null)
      })
    return finishFailed(tools, batch, { state: 'parked', code: 'channel_hand_over_failed', reason, status })
  }
  await db.transaction().execute(async (db) => {
    await lease.hold(db)
    await finish(db, batch, 'done', timestamp(clock()))
  })
}
