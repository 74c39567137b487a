import { type Kysely, type SqlBool, sql } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { wantedAt } from '../../work/work-columns.ts'
import type { NoticeKind } from '../kinds.ts'
import { isSeenBy, type Noticed } from '../store.ts'
import type { NoticeMailRow, NoticeRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for mails with notices. */
export const NOTICE_MAILS = 'mails with notices'

/** The most notices of a mail. */
const MOST_IN_MAIL = 100

export const noticeMailQueue = queueOf('notice_mails', byAgent)

/**
 * Has an agent's unread notices mailed to a person at a time, unless a mail is due earlier. The row stays locked until
 * the transaction ends, so that a mail that is just being settled does not miss the notice.
 */
export async function askForMail(
  db: Db,
  mail: Pick<NoticeMailRow, 'agent_id' | 'operator_id' | 'due_at'>,
): Promise<void> {
  await db
    .insertInto('notice_mails')
    .values({ ...mail, leased_until: null, sending_since: null })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'operator_id']).doUpdateSet(wantedAt('notice_mails', mail.due_at)),
    )
    .execute()
  wake(db, NOTICE_MAILS)
}

export async function updateMail(
  db: Db,
  id: number,
  values: Partial<Pick<NoticeMailRow, 'due_at' | 'sending_since'>>,
): Promise<void> {
  await db.updateTable('notice_mails').set(values).where('id', '=', id).execute()
}

export async function deleteMail(db: Db, id: number): Promise<void> {
  await db.deleteFrom('notice_mails').where('id', '=', id).execute()
}

/** The notices that a mail may tell of. */
interface Mailable extends Noticed {
  kinds: readonly NoticeKind[]
  /** The agent; absent: all. */
  agentId?: number
}

/** Reads the unread notices that no mail has told of, the newest first. */
export async function unmailed(
  db: Db,
  { operatorId, scope, kinds, agentId }: Mailable,
): Promise<NoticeRow[]> {
  if (kinds.length === 0) return []
  return db
    .selectFrom('notices')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .where('unread', '=', 1)
    .where('mailed_at', 'is', null)
    .where('kind', 'in', kinds)
    .where(isSeenBy({ scope }))
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId as number))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_IN_MAIL)
    .execute()
}

/** Reads what is unread of all agents and happened since a time, the newest first. */
export async function unreadSince(
  db: Db,
  { operatorId, scope, kinds }: Mailable,
  since: string,
): Promise<NoticeRow[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .where(sql<SqlBool>`on_page = 1 and unread = 1`)
    .where('at', '>', since)
    .where('kind', 'in', kinds)
    .where(isSeenBy({ scope }))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_IN_MAIL)
    .execute()
}

/** Notes that a mail has not left: the notices in it are mailed with the next try. */
export async function takeBack(db: Db, id: number): Promise<void> {
  const mailed = await db
    .selectFrom('notices')
    .innerJoin('notice_mails', (join) =>
      join
        .onRef('notices.operator_id', '=', 'notice_mails.operator_id')
        .onRef('notices.agent_id', '=', 'notice_mails.agent_id')
        .onRef('notices.mailed_at', '=', 'notice_mails.sending_since'),
    )
    .select('notices.id')
    .where('notice_mails.id', '=', id)
    .orderBy('notices.id')
    .forNoKeyUpdate(['notices'])
    .execute()
  await markMailed(
    db,
    mailed.map((notice) => notice.id),
    null,
  )
  await updateMail(db, id, { sending_since: null })
}

/** Notes that a mail has told of notices, or may have. @param at null: none has */
export async function markMailed(db: Db, ids: readonly number[], at: string | null): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('notices').set({ mailed_at: at }).where('id', 'in', ids).execute()
}
