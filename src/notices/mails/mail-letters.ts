import type { Kysely } from 'kysely'
import { includes } from '../../http/rights.ts'
import type { Letter, Mailer } from '../../lib/mail.ts'
import { readOperator } from '../../operators/find-operator.ts'
import type { Operator } from '../../operators/operator.ts'
import type { Tables } from '../../storage/tables.ts'
import type { QueueDependencies } from '../../work/run-queue.ts'
import { kinds } from '../kinds.ts'
import { presentNotices } from '../present-notices.ts'
import type { NoticeRow } from '../tables.ts'
import type { NoticeStopLinks } from './stop-links.ts'
import { writeNotices } from './write-notices.ts'

export interface NoticeMailDependencies extends QueueDependencies {
  mailer: Mailer
  /** The address under which people reach the service. */
  publicUrl: () => string
  stopLinks: NoticeStopLinks
}

/** Reads a person who may still get notices; null: they are gone or inactive. */
export async function recipient(db: Kysely<Tables>, id: number): Promise<Operator | null> {
  const operator = await readOperator(db, id)
  return operator?.active ? operator : null
}

/** Returns the notices for which a person has the right now. */
export function allowed(notices: readonly NoticeRow[], { right }: Operator): NoticeRow[] {
  return notices.filter(({ kind }) => includes(right, kinds[kind]))
}

/** Writes the letter with some notices to a person. */
export async function letterWith(
  db: Kysely<Tables>,
  { publicUrl, stopLinks }: NoticeMailDependencies,
  to: Operator,
  notices: readonly NoticeRow[],
  { details, why }: { details: boolean; why: string },
): Promise<Letter> {
  return writeNotices(to, {
    notices: await presentNotices(db, notices),
    ...{ details, why, publicUrl: publicUrl(), stopUrl: stopLinks.linkTo(to.id) },
  })
}
