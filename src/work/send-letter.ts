import type { FastifyBaseLogger } from 'fastify'
import { type Letter, type Mailer, MailFailure } from '../lib/mail.ts'
import { patientAttemptAt } from './retry.ts'

/**
 * Sends a letter as a piece of work. A final refusal is logged and ends it.
 * @param about fields of the log that say which letter it is
 * @throws MailFailure for a refusal after which the letter may be tried again
 */
export async function sendLetter(
  { mailer, logger }: { mailer: Mailer; logger: FastifyBaseLogger },
  letter: Letter,
  signal: AbortSignal,
  about: Record<string, unknown>,
): Promise<void> {
  try {
    await mailer.send(letter, signal)
  } catch (error) {
    if (!(error instanceof MailFailure) || signal.aborted) throw error
    logger.warn({ ...about, code: error.code }, `a mail was not sent: ${error.message}`)
    if (!error.isFinal) throw error
  }
}

/** Returns when a mail server that refuses for now is asked again; null for another failure. */
export function letterDue(error: Error, attempts: number, nowMs: number): string | null {
  return error instanceof MailFailure ? patientAttemptAt(attempts, nowMs) : null
}
