import type { Kysely } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import type { NoticePushRow, NoticeRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for notices that are to be pushed. */
export const NOTICE_PUSHES = 'pushes of notices'

export const noticePushQueue = queueOf('notice_pushes', byAgent)

/**
 * Has a notice pushed to some browsers, to each once: a notice that counts up before it is read is not pushed again.
 */
export async function askForPushes(
  db: Db,
  notice: Pick<NoticeRow, 'id' | 'agent_id' | 'at'>,
  browsers: readonly number[],
): Promise<void> {
  if (browsers.length === 0) return
  const { id: notice_id, agent_id, at: due_at } = notice
  await db
    .insertInto('notice_pushes')
    .values(
      browsers.map((browser_id) => ({
        notice_id,
        agent_id,
        browser_id,
        due_at,
        shown_at: null,
        sending_since: null,
        leased_until: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['notice_id', 'browser_id']).doNothing())
    .execute()
  wake(db, NOTICE_PUSHES)
}

export async function updatePush(
  db: Db,
  id: number,
  values: Partial<Pick<NoticePushRow, 'due_at' | 'shown_at' | 'sending_since'>>,
): Promise<void> {
  await db.updateTable('notice_pushes').set(values).where('id', '=', id).execute()
}

export async function deletePush(db: Db, id: number): Promise<void> {
  await db.deleteFrom('notice_pushes').where('id', '=', id).execute()
}

/** Locks the notice of a push, before the push itself, as whoever reads the notice does. */
export async function lockNotice(db: Db, { notice_id }: NoticePushRow): Promise<NoticeRow | undefined> {
  return db.selectFrom('notices').selectAll().where('id', '=', notice_id).forNoKeyUpdate().executeTakeFirst()
}
