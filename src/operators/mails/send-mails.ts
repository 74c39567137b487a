import type { Mailer } from '../../lib/mail.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { Lease } from '../../work/lease.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork, Stop } from '../../work/run-work.ts'
import { letterDue, sendLetter } from '../../work/send-letter.ts'
import { joinUrl, readLink } from '../links.ts'
import { selectOperatorById } from '../store.ts'
import type { OperatorMailRow } from '../tables.ts'
import { deleteMail, MAILS, mailQueue, tokenPlace } from './store.ts'
import { writeLetter } from './write-letter.ts'

interface MailDependencies extends QueueDependencies {
  box: SecretBox
  mailer: Mailer
  /** The address under which people reach the service. */
  publicUrl: () => string
}

const AT_ONCE = 8

/**
 * Mails links. A mail that the server refuses for now is tried again, after a minute and then less and less often, for
 * as long as its link is valid: a mail server may be down for hours, or make unknown senders wait.
 */
export function sendMails(dependencies: MailDependencies): RunningWork {
  const { clock } = dependencies
  return runQueue<OperatorMailRow>(
    {
      name: 'mails',
      queue: mailQueue,
      topics: [MAILS],
      atOnce: AT_ONCE,
      endsAt: 'forced',
      work: (mail, lease, stop) => sendMail(dependencies, mail, lease, stop),
      patience: (error, attempts) => letterDue(error, attempts, clock()),
      about: ({ operator_id }) => ({ operator_id }),
    },
    dependencies,
  )
}

async function sendMail(
  dependencies: MailDependencies,
  mail: OperatorMailRow,
  lease: Lease,
  stop: Stop,
): Promise<void> {
  const { box, clock, publicUrl } = dependencies
  const { db } = dependencies.database
  const token = box.open(mail.token, tokenPlace(mail.id))
  const operator = await selectOperatorById(db, mail.operator_id)
  if (operator && (await readLink(db, token, clock())) !== null) {
    const letter = writeLetter(mail.kind, operator, joinUrl(publicUrl(), token))
    const about = { operator_id: mail.operator_id, attempts: mail.attempts + 1 }
    await sendLetter(dependencies, letter, stop.forced, about)
  }
  await lease.transaction((db) => deleteMail(db, mail.id))
}
