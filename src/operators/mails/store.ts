import type { Kysely } from 'kysely'
import type { KeptPlace } from '../../lib/secrets/sealed-places.ts'
import type { Tables } from '../../storage/tables.ts'
import { queueOf } from '../../work/queue.ts'
import { byOperator } from '../by-operator.ts'
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

export const mailQueue = queueOf('operator_mails', byOperator)

export async function deleteMail(db: Db, id: number): Promise<void> {
  await db.deleteFrom('operator_mails').where('id', '=', id).execute()
}
