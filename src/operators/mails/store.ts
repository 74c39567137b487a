import type { Kysely } from 'kysely'
import type { KeptPlace } from '../../lib/secrets/sealed-places.ts'
import type { Tables } from '../../storage/tables.ts'
import { leasesOf } from '../../work/lease.ts'
import type { OperatorMailRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for mails. */
export const MAILS = 'operator mails'

export function tokenPlace(id: number): KeptPlace {
  return `operator_mails|${id}|token`
}

/** @param seal seals the token for the row's place */
export async function insertMail(
  db: Db,
  row: Pick<OperatorMailRow, 'link_hash' | 'operator_id' | 'kind' | 'due_at'>,
  seal: (id: number) => string,
): Promise<void> {
  const { id } = await db
    .insertInto('operator_mails')
    .values({ ...row, token: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('operator_mails')
    .set({ token: seal(id) })
    .where('id', '=', id)
    .execute()
}

export const mailLeases = leasesOf('operator_mails')

export function claimMails(
  db: Db,
  { now, ...claim }: { holder: string; now: string; nowMs: number; limit: number },
): Promise<OperatorMailRow[]> {
  const due = db.selectFrom('operator_mails').select('id').where('due_at', '<=', now)
  return mailLeases.claim(db, due.orderBy('due_at').orderBy('id'), claim)
}

/** When the next mail is to be tried. */
export async function nextMailDue(db: Db): Promise<string | null> {
  const next = await db
    .selectFrom('operator_mails')
    .select('due_at')
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return next?.due_at ?? null
}

export async function postponeMail(
  db: Db,
  id: number,
  values: { attempts: number; due_at: string },
): Promise<void> {
  await db.updateTable('operator_mails').set(values).where('id', '=', id).execute()
}

export async function deleteMail(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operator_mails').where('id', '=', id).execute()
}
