import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { isUuid } from '../lib/ids.ts'
import type { ConversationRow, Tables } from '../storage/tables.ts'
import { selectByExternalId, selectById } from './store.ts'

/** Whose conversations are looked at. */
export interface Owner {
  agentId: number
  teamId: number
}

/**
 * The agent's conversation of this UUID or external id.
 * @throws ApiError conversation_not_found, also for another agent's.
 */
export async function findConversation(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
): Promise<ConversationRow> {
  const found = (await findById(db, owner, id)) ?? (await findByExternalId(db, owner, id))
  if (!found || found.agent_id !== owner.agentId) throw new ApiError('conversation_not_found')
  return found
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
