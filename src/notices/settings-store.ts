import type { Kysely } from 'kysely'
import { byOperator } from '../operators/by-operator.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { queueOf } from '../work/queue.ts'
import { ANEW, begunAnew } from '../work/work-columns.ts'
import type { NoticeSettingsRow } from './tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for digests at another time. */
export const DIGESTS = 'digests of notices'

/** The settings of people are the queue of their digests. */
export const digestQueue = queueOf('notice_settings', byOperator)

export async function selectSettings(db: Db, people: readonly number[]): Promise<NoticeSettingsRow[]> {
  if (people.length === 0) return []
  return db.selectFrom('notice_settings').selectAll().where('operator_id', 'in', people).execute()
}

type Chosen = Pick<
  NoticeSettingsRow,
  'operator_id' | 'choices' | 'after_minutes' | 'details' | 'digest_at' | 'time_zone'
>

/** @param digest set when it comes at another time: a worker that has the row loses it */
export async function upsertSettings(
  db: Db,
  row: Chosen,
  digest: Partial<Pick<NoticeSettingsRow, 'due_at' | 'digested_until'>>,
): Promise<void> {
  await db
    .insertInto('notice_settings')
    .values({ ...row, ...ANEW, sending_since: null, ...digest })
    .onConflict((conflict) =>
      conflict.column('operator_id').doUpdateSet({
        ...row,
        ...digest,
        ...('due_at' in digest
          ? { ...begunAnew('notice_settings', digest.due_at), sending_since: null }
          : {}),
      }),
    )
    .execute()
  wake(db, DIGESTS)
}

export async function updateDigest(
  db: Db,
  id: number,
  values: Partial<Pick<NoticeSettingsRow, 'due_at' | 'digested_until' | 'sending_since'>>,
): Promise<void> {
  await db.updateTable('notice_settings').set(values).where('id', '=', id).execute()
}
