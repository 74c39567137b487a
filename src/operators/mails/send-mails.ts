import type { FastifyBaseLogger } from 'fastify'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { describeFailure } from '../../lib/describe-failure.ts'
import { type Mailer, MailFailure } from '../../lib/mail.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { Database } from '../../storage/opened-database.ts'
import { LeaseLost } from '../../work/lease.ts'
import { nextAttemptAt, TryAgain } from '../../work/retry.ts'
import { type RunningWork, runWork, type Stop } from '../../work/run-work.ts'
import { isGoodLink, joinUrl } from '../links.ts'
import { selectOperatorById } from '../store.ts'
import type { OperatorMailRow, OperatorRow } from '../tables.ts'
import { claimMails, deleteMail, MAILS, mailLeases, nextMailDue, postponeMail, tokenPlace } from './store.ts'
import { writeLetter } from './write-letter.ts'

export interface MailDependencies {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps' | 'engine'>
  box: SecretBox
  clock: Clock
  logger: FastifyBaseLogger
  mailer: Mailer
  /** The address under which people reach the service. */
  publicUrl: () => string
}

const AT_ONCE = 4
const MINUTE_MS = 60_000
const LONGEST_PAUSE_MS = 60 * MINUTE_MS

/**
 * Mails the links that people are waiting for. A mail that fails, for whatever reason, is tried again, after a minute and
 * then ever more rarely, for as long as its link is valid: a mail server may be down for hours, or put off those whom it
 * does not know.
 */
export function sendMails(dependencies: MailDependencies): RunningWork {
  const { database, clock } = dependencies
  const { db, presence } = database
  return runWork<OperatorMailRow>(
    {
      name: 'mails',
      topics: [MAILS],
      atOnce: AT_ONCE,
      claim: (limit) =>
        claimMails(db, { holder: presence.id, now: timestamp(clock()), nowMs: clock(), limit }),
      work: (mail, stop) => sendMail(dependencies, mail, stop),
      nextDue: () => nextMailDue(db),
      about: ({ operator_id }) => ({ operator_id }),
    },
    dependencies,
  )
}

async function sendMail(
  { database: { db, engine }, box, clock, logger, mailer, publicUrl }: MailDependencies,
  mail: OperatorMailRow,
  stop: Stop,
): Promise<void> {
  using lease = mailLeases.take(db, mail, clock, stop.asked)
  const about = { operator_id: mail.operator_id, attempts: mail.attempts + 1 }
  try {
    const token = box.open(mail.token, tokenPlace(mail.id))
    const operator = await selectOperatorById(db, mail.operator_id)
    if (operator && (await isGoodLink(db, token, clock()))) {
      const failure = await send(operator, joinUrl(publicUrl(), token))
      if (failure) logger.warn({ ...about, code: failure.code }, `a mail was not sent: ${failure.message}`)
      if (failure && !failure.isFinal) return await postpone()
    }
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      await deleteMail(db, mail.id)
    })
  } catch (error) {
    if (error instanceof LeaseLost || stop.forced.aborted || engine.isUnavailable(error)) throw error
    // It makes room for those behind it.
    logger.error({ ...about, error: describeFailure(error as Error) }, 'a mail could not be written')
    await postpone()
  }

  async function send(to: OperatorRow, url: string): Promise<MailFailure | null> {
    try {
      await mailer.send(writeLetter(mail.kind, to, url), stop.forced)
      return null
    } catch (error) {
      if (error instanceof MailFailure && !stop.forced.aborted) return error
      throw error
    }
  }

  async function postpone(): Promise<void> {
    const { attempts } = about
    const after = Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** Math.min(attempts - 1, 10))
    const due_at = nextAttemptAt(new TryAgain('', { after }), attempts, clock())
    await db.transaction().execute(async (db) => {
      await lease.free(db)
      await postponeMail(db, mail.id, { attempts, due_at })
    })
  }
}
