import type { FastifyBaseLogger } from 'fastify'
import { type Letter, type Mailer, MailFailure } from '../lib/mail.ts'
import { patientAttemptAt } from '../lib/pacing/patience.ts'

/**
 * Sends a letter as a piece of work. A final refusal ends it, and so does a server that got the whole letter and gave no
 * reply: it may have taken the letter, and nobody wants it twice. The log tells of both.
 * @param about fields of the log that say which letter it is
 * @param notSent undoes what was stored when the letter was about to leave; also called when the process stops
 * @throws MailFailure for a letter that was not sent and may be tried again
 */
export async function sendLetter(
  { mailer, logger }: { mailer: Mailer; logger: FastifyBaseLogger },
  letter: Letter,
  signal: AbortSignal,
  about: Record<string, unknown>,
  notSent: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await mailer.send(letter, signal)
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    const { code, outcome, message } = error
    if (outcome === 'not_sent') await notSent()
    if (signal.aborted) throw error
    const what = outcome === 'unknown' ? 'a mail may not have been sent' : 'a mail was not sent'
    logger.warn({ ...about, code, outcome }, `${what}: ${message}`)
    if (outcome === 'not_sent') throw error
  }
}

/** Returns when a mail server that refuses for now is asked again; null for another failure. */
export function letterDue(error: Error, attempts: number, nowMs: number): string | null {
  return error instanceof MailFailure ? patientAttemptAt(attempts, nowMs) : null
}
