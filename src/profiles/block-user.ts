import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { endWithoutRating } from '../desk/end-conversation.ts'
import { foundOr } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { conversationsOfUser } from '../transcripts/doors/of-user.ts'
import { setAdopted, setBlocked } from '../users/known-users.ts'
import { keysOfPerson, lockPerson, type PersonKeys } from '../users/person-store.ts'
import type { UserKey } from '../users/user-key.ts'
import { stillAdopted } from './adopted.ts'

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
  named: UserKey,
  blocked: boolean,
  now: string,
  by: TeamBy,
): Promise<void> {
  const keys = await db.transaction().execute(async (db) => {
    const user = foundOr(await lockPerson(db, agentId, named), 'user_not_found')
    const { id } = user
    const keys = await keysOfPerson(db, agentId, id)
    if ((user.blocked_at !== null) === blocked) return keys
    await setBlocked(db, agentId, keys, blocked ? now : null)
    await setAdopted(db, agentId, id, stillAdopted(user.adopted, { blocked }))
    const action = blocked ? 'user.blocked' : 'user.unblocked'
    await record(db, { ...by, agentId, at: now, action, target: `user ${id}` })
    return keys
  })
  if (blocked) await endConversations(db, agentId, keys, now, by)
}

/** Ends the open conversations of a person. */
export async function endConversations(
  db: Kysely<Tables>,
  agentId: number,
  keys: PersonKeys,
  now: string,
  by: TeamBy,
): Promise<void> {
  for (let left = true; left; ) {
    left = await db.transaction().execute(async (db) => {
      const open = await conversationsOfUser(db, { agentId }, keys, AT_ONCE, 'open')
      for (const conversation of open) await endWithoutRating(db, conversation, now, by)
      return open.length === AT_ONCE
    })
  }
}
