import type { Kysely } from 'kysely'
import { includes } from '../../http/rights.ts'
import type { Letter, Mailer } from '../../lib/mail.ts'
import { readOperator, scopeOfOperator } from '../../operators/find-operator.ts'
import type { Operator } from '../../operators/operator.ts'
import type { Tables } from '../../storage/tables.ts'
import type { QueueDependencies } from '../../work/run-queue.ts'
import { kindNames, kinds, type NoticeKind } from '../kinds.ts'
import { presentNotices } from '../present-notices.ts'
import type { Noticed } from '../store.ts'
import type { NoticeRow } from '../tables.ts'
import type { NoticeStopLinks } from './stop-links.ts'
import { writeNotices } from './write-notices.ts'

export interface NoticeMailDependencies extends QueueDependencies {
  mailer: Mailer
  /** The address under which people reach the service. */
  publicUrl: () => string
  stopLinks: NoticeStopLinks
}

/** A person who gets notices, and those that they may get now. */
export interface Recipient extends Noticed {
  person: Operator
  /** The kinds for which they have the right. */
  kinds: readonly NoticeKind[]
}

/** Reads a person who may still get notices; null: they are gone or inactive. */
export async function recipient(db: Kysely<Tables>, id: number): Promise<Recipient | null> {
  const person = await readOperator(db, id)
  if (!person?.active) return null
  const allowed = kindNames.filter((kind) => includes(person.right, kinds[kind]))
  return { person, operatorId: id, scope: await scopeOfOperator(db, id), kinds: allowed }
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
    ...{ details, why, publicUrl: publicUrl(), stopUrl: stopLinks.linkTo(person.id) },
  })
}
