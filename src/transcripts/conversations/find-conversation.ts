import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import type { Right } from '../../http/rights.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { selectByExternalId, selectById } from './store.ts'

/** Whose conversations are looked at. */
export interface Owner {
  readonly agentId: number
  readonly teamId: number
  /** The caller's; absent: the service itself works on a channel. */
  readonly right?: Right
}

/**
 * The agent's conversation of this UUID or external id.
 * @throws ApiError conversation_not_found, also for another agent's and one that is hidden from the caller.
 */
export async function findConversation(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
): Promise<ConversationRow> {
  const found = (await findById(db, owner, id)) ?? (await findByExternalId(db, owner, id))
  if (!found || found.agent_id !== owner.agentId || isHidden(found, owner))
    throw new ApiError('conversation_not_found')
  return found
}

/** A web site's own server has its visitors before it, and none of those who write on a platform. */
export function isHidden({ channel_id }: Pick<ConversationRow, 'channel_id'>, { right }: Owner): boolean {
  return right === 'chat' && channel_id !== null
}

/** The agent's conversation of this UUID, in either case of its letters. */
export async function findById(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
): Promise<ConversationRow | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await selectById(db, { agent_id: owner.agentId, id: id.toLowerCase() })
  return row
}

/** The team's conversation of this external id, whichever agent it is of. */
export async function findByExternalId(
  db: Kysely<Tables>,
  owner: Owner,
  externalId: string,
): Promise<ConversationRow | undefined> {
  const [row] = await selectByExternalId(db, { team_id: owner.teamId, external_id: externalId })
  return row
}
