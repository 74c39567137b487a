import type { Kysely } from 'kysely'
import { raise } from '../../events/raise.ts'
import { MINUTE_MS, timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Lease } from '../../work/lease.ts'
import { runQueue } from '../../work/run-queue.ts'
import type { RunningWork, Stop } from '../../work/run-work.ts'
import { letterDue, sendLetter } from '../../work/send-letter.ts'
import { recipient } from '../recipient.ts'
import { settingsOf } from '../settings.ts'
import type { NoticeMailRow } from '../tables.ts'
import { letterWith, type NoticeMailDependencies } from './mail-letters.ts'
import {
  deleteMail,
  markMailed,
  NOTICE_MAILS,
  noticeMailQueue,
  takeBack,
  unmailed,
  updateMail,
} from './store.ts'

const AT_ONCE = 8

/**
 * Mails people the notices of an agent that they have not read for as long as they chose: all of them in one mail, each
 * once. What was read meanwhile is not mailed. The row says that a mail leaves before it does, and a mail that may have
 * left is not sent again, by this process or the next.
 */
export function mailUnread(dependencies: NoticeMailDependencies): RunningWork {
  return runQueue<NoticeMailRow>(
    {
      name: 'notice_mails',
      queue: noticeMailQueue,
      topics: [NOTICE_MAILS],
      atOnce: AT_ONCE,
      endsAt: 'forced',
      work: (mail, lease, stop) => mailTo(dependencies, mail, lease, stop),
      patience: (error, attempts) => letterDue(error, attempts, dependencies.clock()),
      raise,
      about: ({ agent_id, operator_id }) => ({ agent_id, operator_id }),
    },
    dependencies,
  )
}

async function mailTo(
  dependencies: NoticeMailDependencies,
  mail: NoticeMailRow,
  lease: Lease,
  stop: Stop,
): Promise<void> {
  const { clock } = dependencies
  const { id, operator_id: operatorId, sending_since } = mail
  const letter = sending_since === null ? await begin() : null
  if (letter) await sendLetter(dependencies, letter, stop.forced, { operator_id: operatorId }, notSent)
  if (letter || sending_since !== null) await end()

  /** Reads the notices to mail and stores that the mail leaves; null: there are none now, and the row is settled. */
  async function begin() {
    return lease.transaction(async (db) => {
      const due = await dueTo(db, mail)
      const now = timestamp(clock())
      if (due === null || due.dueAt > now) {
        // Its notices have been read meanwhile, or are due later.
        await settle(db, mail, due)
        return null
      }
      const { to, notices, details, after_minutes } = due
      await updateMail(db, id, { sending_since: now })
      await markMailed(
        db,
        notices.map(({ id }) => id),
        now,
      )
      const why = `You get this mail because they stayed unread for ${minutes(after_minutes)}.`
      return letterWith(db, dependencies, to, notices, { details, why })
    })
  }

  async function notSent(): Promise<void> {
    await lease.transaction((db) => takeBack(db, id))
  }

  /** Settles the row: notices that have come meanwhile are mailed when they are due. */
  async function end(): Promise<void> {
    await lease.transaction(async (db) => settle(db, mail, await dueTo(db, mail)))
  }
}

/** Reads the notices that are to be mailed to a person, and when; null: there are none. */
async function dueTo(db: Kysely<Tables>, { agent_id: agentId, operator_id: operatorId }: NoticeMailRow) {
  const to = await recipient(db, operatorId)
  if (!to) return null
  const { kinds, details, after_minutes } = (await settingsOf(db, [operatorId]))(operatorId)
  const mailed = to.kinds.filter((kind) => kinds[kind].mail)
  const notices = await unmailed(db, { ...to, agentId, kinds: mailed })
  const oldest = notices.at(-1)
  if (!oldest) return null
  const dueAt = timestamp(Date.parse(oldest.at) + after_minutes * MINUTE_MS)
  return { to, notices, details, after_minutes, dueAt }
}

/** Sets when the next mail is due; deletes the row if there is nothing to mail. */
async function settle(db: Kysely<Tables>, mail: NoticeMailRow, due: { dueAt: string } | null): Promise<void> {
  if (due === null) return deleteMail(db, mail.id)
  await updateMail(db, mail.id, { due_at: due.dueAt, sending_since: null })
  await noticeMailQueue.end(db, mail)
}

function minutes(count: number): string {
  return count === 1 ? 'a minute' : `${count} minutes`
}
