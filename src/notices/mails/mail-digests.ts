import type { Kysely } from 'kysely'
import { acrossAgents } from '../../lib/agent-scope.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Lease } from '../../work/lease.ts'
import { runQueue } from '../../work/run-queue.ts'
import type { RunningWork, Stop } from '../../work/run-work.ts'
import { letterDue, sendLetter } from '../../work/send-letter.ts'
import { recipient } from '../recipient.ts'
import { nextDigest, settingsOf } from '../settings.ts'
import { DIGESTS, digestQueue, updateDigest } from '../settings-store.ts'
import type { NoticeSettingsRow } from '../tables.ts'
import { letterWith, type NoticeMailDependencies } from './mail-letters.ts'
import { unreadSince } from './store.ts'

const AT_ONCE = 4

/**
 * Mails people once a day what they have not read since the last time; nothing if there is nothing. A digest that may
 * have left is not sent again, by this process or the next.
 */
export function mailDigests(dependencies: NoticeMailDependencies): RunningWork {
  return runQueue<NoticeSettingsRow>(
    {
      name: 'digests',
      queue: digestQueue,
      topics: [DIGESTS],
      atOnce: AT_ONCE,
      endsAt: 'forced',
      work: (row, lease, stop) =>
        acrossAgents('a digest tells a person of all agents of their team', () =>
          digestTo(dependencies, row, lease, stop),
        ),
      patience: (error, attempts) => letterDue(error, attempts, dependencies.clock()),
      // The next digest tries again.
      parked: (db, { id, operator_id }) => waitForNext(db, id, operator_id, dependencies.clock()),
      about: ({ operator_id }) => ({ operator_id }),
    },
    dependencies,
  )
}

async function digestTo(
  dependencies: NoticeMailDependencies,
  row: NoticeSettingsRow,
  lease: Lease,
  stop: Stop,
): Promise<void> {
  const { clock } = dependencies
  const { id, operator_id: operatorId, digested_until, sending_since } = row
  const letter = sending_since === null ? await begin() : null
  if (letter) await sendLetter(dependencies, letter, stop.forced, { operator_id: operatorId }, notSent)
  await lease.transaction(async (db) => {
    await waitForNext(db, id, operatorId, clock())
    await digestQueue.end(db, row)
  })

  async function begin() {
    return lease.transaction(async (db) => {
      const now = timestamp(clock())
      const to = await recipient(db, operatorId)
      const notices = to ? await unreadSince(db, to, digested_until ?? '') : []
      await updateDigest(db, id, { digested_until: now, sending_since: now })
      if (!to || notices.length === 0) return null
      const { details } = (await settingsOf(db, [operatorId]))(operatorId)
      return letterWith(db, dependencies, to, notices, { details, why: 'This is your daily digest.' })
    })
  }

  async function notSent(): Promise<void> {
    await lease.transaction((db) => updateDigest(db, id, { digested_until, sending_since: null }))
  }
}

/** Makes a person's digest due at its next time; never, if they want none. */
async function waitForNext(db: Kysely<Tables>, id: number, operatorId: number, nowMs: number): Promise<void> {
  const { digest } = (await settingsOf(db, [operatorId]))(operatorId)
  await updateDigest(db, id, { due_at: digest && timestamp(nextDigest(digest, nowMs)), sending_since: null })
}
