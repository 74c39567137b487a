import type { Kysely } from 'kysely'
import type { Letter, Mailer } from '../../lib/mail.ts'
import type { Tables } from '../../storage/tables.ts'
import type { QueueDependencies } from '../../work/run-queue.ts'
import { presentNotices } from '../present-notices.ts'
import type { Recipient } from '../recipient.ts'
import type { NoticeRow } from '../tables.ts'
import type { NoticeStopLinks } from './stop-links.ts'
import { writeNotices } from './write-notices.ts'

export interface NoticeMailDependencies extends QueueDependencies {
  mailer: Mailer
  /** The address under which people reach the service. */
  publicUrl: () => string
  stopLinks: NoticeStopLinks
}

/** Writes the letter with some notices to a person. */
export async function letterWith(
  db: Kysely<Tables>,
  { publicUrl, stopLinks }: NoticeMailDependencies,
  { person }: Recipient,
  notices: readonly NoticeRow[],
  { details, why }: { details: boolean; why: string },
): Promise<Letter> {
  return writeNotices(person, {
    notices: await presentNotices(db, notices),
    details,
    why,
    publicUrl: publicUrl(),
    stopUrl: stopLinks.linkTo(person.id),
  })
}
