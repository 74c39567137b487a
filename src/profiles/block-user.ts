import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { closeConversation } from '../desk/pause-conversation.ts'
import { ApiError } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { conversationsOfUser } from '../transcripts/doors/of-user.ts'
import { lockUser, setBlocked } from '../users/profile-store.ts'
import type { UserKey } from '../users/user-key.ts'

/** The most conversations that one transaction ends. */
const AT_ONCE = 100

/**
 * Blocks an end user, whom nobody answers from now on, or unblocks them. The conversations of a blocked user are ended
 * and stay so: what they write is kept there. A request that died before all had ended can be sent again.
 * @throws ApiError user_not_found
 */
export async function blockUser(
  db: Kysely<Tables>,
  agentId: number,
  id: UserKey,
  blocked: boolean,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const user = await lockUser(db, agentId, id)
    if (!user) throw new ApiError('user_not_found')
    if ((user.blocked_at !== null) === blocked) return
    await setBlocked(db, agentId, id, blocked ? now : null)
    const action = blocked ? 'user.blocked' : 'user.unblocked'
    await record(db, { ...by, agentId, at: now, action, target: `user ${id}` })
  })
  for (let left = blocked; left; ) {
    left = await db.transaction().execute(async (db) => {
      const open = await conversationsOfUser(db, { agentId }, id, AT_ONCE, 'open')
      for (const conversation of open) await closeConversation(db, conversation, now, by)
      return open.length === AT_ONCE
    })
  }
}
