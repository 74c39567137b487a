import { removeGivenUp } from '../files/remove-files.ts'
import { timestamp } from '../lib/clock.ts'
import { selectMessageItem, selectWithdrawn, updateItems } from '../mailboxes/items.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { MailboxItemRow } from '../mailboxes/tables.ts'
import type { Inbound } from '../platforms/platform.ts'
import { inTurnOfRedactions } from '../privacy/in-turn-of-redactions.ts'
import { replaceMessage } from '../privacy/replace-message.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { readMessage } from './inbound-message.ts'
import type { Payload } from './payload.ts'
import { TAKEN } from './taken.ts'

type Edited = Payload<Extract<Inbound, { type: 'edited' }>>
type Withdrawn = Payload<Extract<Inbound, { type: 'withdrawn' }>>

/**
 * Changes a message that the person edited, or redacts one that the person withdrew. A message that still waits is
 * answered in its new form, or not at all.
 */
export async function changeMessage(
  { db, engine, clock, places, forgetCopies }: ChannelWork,
  { id: channelId, agentId }: Channel,
  batch: Batch,
): Promise<void> {
  const item = batch.items[0] as MailboxItemRow
  const change = JSON.parse(item.payload ?? '{}') as Edited | Withdrawn
  const now = timestamp(clock())
  await inTurnOfRedactions(db, engine, agentId, async (db) => {
    await batch.lease.hold(db)
    const original = await selectMessageItem(db, channelId, change.platformMessageId)
    if (original?.message_id != null)
      await replaceMessage(
        db,
        engine,
        agentId,
        original.message_id,
        'text' in change ? change.text : null,
        forgetCopies,
        now,
      )
    else if (original?.payload != null) {
      const values =
        'text' in change
          ? { payload: JSON.stringify({ ...readMessage(original.payload), ...saidOf(change) }) }
          : { state: 'done' as const, payload: null, finished_at: now }
      await updateItems(db, [original.id], values)
    }
    await finish(db, batch, 'done', now)
  })
  await removeGivenUp({ db, places }, agentId, now)
  await engine.eraseOverwritten()
}

/**
 * Takes out of a batch the messages of which the platform has said before that the person took them back: not all
 * platforms keep the order.
 * @returns true if any were taken out, so that the remaining items must be chosen anew
 */
export async function dropWithdrawn(
  { db, engine, clock }: ChannelWork,
  { id: channelId }: Channel,
  { items, lease }: Batch,
): Promise<boolean> {
  const named = items.flatMap(({ platform_message_id }) => platform_message_id ?? [])
  const withdrawn = named.length === 0 ? [] : await selectWithdrawn(db, channelId, named)
  if (withdrawn.length === 0) return false
  const dropped = items.filter(({ platform_message_id }) => withdrawn.includes(platform_message_id))
  const ids = dropped.map(({ id }) => id)
  await lease.transaction((db) => updateItems(db, ids, { ...TAKEN, finished_at: timestamp(clock()) }))
  await engine.eraseOverwritten()
  return true
}

function saidOf({ text, kind, isPrompt }: Edited) {
  return { text, kind, isPrompt }
}
