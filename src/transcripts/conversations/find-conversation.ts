import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import type { Right } from '../../http/rights.ts'
import type { Scope } from '../../http/scope.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { type Assignment, isInScope } from './in-scope.ts'
import { isExternalIdOfChat } from './prompt-origin.ts'
import { selectByChat, selectByExternalId, selectById } from './store.ts'

/** The agent whose conversations are read, with the right and the scope of the caller. */
export interface Owner {
  readonly agentId: number
  readonly teamId: number
  /** The caller's right; absent: the service itself works on a channel. */
  readonly right?: Right
  /** The conversations that the caller may see; null or absent: all. */
  readonly scope?: Scope | null
}

/**
 * Finds the agent's conversation by UUID or external id.
 * @throws ApiError conversation_not_found, also if it is another agent's or hidden from the caller
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

/**
 * Tells whether a conversation is hidden from the caller. A web site's server may see only conversations without a
 * channel, a person only those of their scope.
 */
export function isHidden(
  conversation: Pick<ConversationRow, 'channel_id'> & Assignment,
  { right, scope }: Owner,
): boolean {
  return (right === 'chat' && conversation.channel_id !== null) || !isInScope(conversation, scope)
}

/** Finds the agent's conversation with this UUID, in upper or lower case. */
export async function findById(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
): Promise<ConversationRow | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await selectById(db, { agent_id: owner.agentId, id: id.toLowerCase() })
  return row
}

/** Finds the team's conversation with this external id, of any agent. A chat also has the one of its channel. */
export async function findByExternalId(
  db: Kysely<Tables>,
  owner: Owner,
  externalId: string,
): Promise<ConversationRow | undefined> {
  const { teamId: team_id } = owner
  const [row] = await selectByExternalId(db, { team_id, external_id: externalId })
  if (row || !isExternalIdOfChat(externalId)) return row
  const [chat] = await selectByChat(db, { team_id, chat: externalId })
  return chat
}
