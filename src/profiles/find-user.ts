import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../errors.ts'
import { channelsOfPerson } from '../mailboxes/channels-of-person.ts'
import type { Tables } from '../storage/tables.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { usersInScope } from '../transcripts/doors/of-user.ts'
import { keysOfGivenId } from '../users/profile-store.ts'
import {
  channelSource,
  readSourcedId,
  readUserKey,
  type UserKey,
  userKey,
  writeSourcedId,
} from '../users/user-key.ts'
import { giveSource } from './give-source.ts'

type Db = Kysely<Tables>
type Seer = Pick<Owner, 'agentId' | 'scope'>

/**
 * Finds the end user whom an address names: by `source:id`, or by only the id where one source has it. A channel's chat
 * counts even before any of its messages was processed.
 * @throws ApiError user_not_found, also if all of their conversations are hidden from the caller; user_ambiguous
 */
export async function findUser(db: Db, owner: Seer, named: string): Promise<UserKey> {
  const all = await keysNamed(db, owner.agentId, named)
  const [key, ...others] = owner.scope ? await usersInScope(db, owner, all) : all
  if (key === undefined) throw new ApiError('user_not_found')
  if (others.length > 0)
    throw new ApiError('user_ambiguous', {
      message: `Several sources have this id: ${whichOf([key, ...others])}.`,
    })
  return key
}

/**
 * Returns the end user to whom a list is narrowed, named in the same ways; undefined: the list is not narrowed.
 * @throws ApiError invalid_request when several sources have the id
 */
export async function userOfFilter(
  db: Db,
  agentId: number,
  named: string | undefined,
  param = 'user_id',
): Promise<UserKey | undefined> {
  if (named === undefined) return undefined
  const [key, ...others] = await keysNamed(db, agentId, named)
  if (key !== undefined && others.length > 0)
    throw invalidField(param, `several sources have this id: ${whichOf([key, ...others])}`)
  return key ?? userKey(readSourcedId(named) ?? { source: 'api', id: named })
}

/** Returns the keys of the existing end users whom a text names. */
async function keysNamed(db: Db, agentId: number, named: string): Promise<UserKey[]> {
  if (named.includes('\u0000')) return []
  const sourced = readSourcedId(named)
  const id = sourced?.id ?? named
  // An older version may have taken the whole text for an id.
  for (const old of new Set([id, named])) await giveSource(db, agentId, old)
  const channels = await channelsOfPerson(db, agentId, id)
  const keys = new Set([
    ...(await keysOfGivenId(db, agentId, id)),
    ...channels.map((channelId) => userKey({ source: channelSource(channelId), id })),
  ])
  return [...keys].filter((key) => sourced === null || key === userKey(sourced))
}

function whichOf(keys: readonly UserKey[]): string {
  const ways = keys.map((key) => `"${writeSourcedId(readUserKey(key))}"`)
  return `name one as ${ways.join(' or ')}`
}
