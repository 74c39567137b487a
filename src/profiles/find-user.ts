import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../errors.ts'
import { channelsOfPeople } from '../mailboxes/channels-of-person.ts'
import type { Tables } from '../storage/tables.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { usersInScope } from '../transcripts/doors/of-user.ts'
import { keysOfGivenIds } from '../users/known-users.ts'
import { keysOfPerson, type PersonKeys, personKeys } from '../users/person-store.ts'
import { unsourcedOf } from '../users/source-store.ts'
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
 * Finds the person whom an address names: by `source:id`, or by only the id where one source has it. A channel's chat
 * counts even before any of its messages was processed.
 * @returns the key of the person's profile
 * @throws ApiError user_not_found, also if all of their conversations are hidden from the caller; user_ambiguous
 */
export async function findUser(db: Db, owner: Seer, named: string): Promise<UserKey> {
  const { agentId } = owner
  return single(await seenBy(db, owner, await peopleOf(db, agentId, await keysNamed(db, agentId, named))))
}

/**
 * Finds the end user whom an address names as `findUser` does, and not the person into whom they were merged.
 * @throws ApiError user_not_found, user_ambiguous
 */
export async function findIdentity(db: Db, owner: Seer, named: string): Promise<UserKey> {
  return single(await seenBy(db, owner, await keysNamed(db, owner.agentId, named)))
}

/** Returns those of some end users whom a caller may see. */
async function seenBy(db: Db, owner: Seer, keys: readonly UserKey[]): Promise<readonly UserKey[]> {
  return owner.scope ? usersInScope(db, owner, keys) : keys
}

function single([key, ...others]: readonly UserKey[]): UserKey {
  if (key === undefined) throw new ApiError('user_not_found')
  if (others.length > 0)
    throw new ApiError('user_ambiguous', {
      message: `Several sources have this id: ${whichOf([key, ...others])}.`,
    })
  return key
}

/** Returns the keys of the profiles of end users, each once. */
async function peopleOf(db: Db, agentId: number, keys: readonly UserKey[]): Promise<UserKey[]> {
  const people = await personKeys(db, agentId, keys)
  return [...new Set(keys.map((key) => people.get(key) ?? key))]
}

/**
 * Returns the keys of the person to whom a list is narrowed, named in the same ways; undefined: the list is not
 * narrowed.
 * @throws ApiError invalid_request when several sources have the id, as far as the caller may see them
 */
export async function userOfFilter(
  db: Db,
  owner: Seer,
  named: string | undefined,
  param = 'user_id',
): Promise<PersonKeys | undefined> {
  if (named === undefined) return undefined
  const { agentId } = owner
  const people = await peopleOf(db, agentId, await keysNamed(db, agentId, named))
  const [key, ...others] = await seenBy(db, owner, people)
  if (key !== undefined && others.length > 0)
    throw invalidField(param, `several sources have this id: ${whichOf([key, ...others])}`)
  if (key === undefined) return [userKey(readSourcedId(named) ?? { source: 'api', id: named })]
  return keysOfPerson(db, agentId, key)
}

/** Returns the keys of the existing end users whom a text names. */
async function keysNamed(db: Db, agentId: number, named: string): Promise<UserKey[]> {
  return (await keysNamedEach(db, agentId, [named])).get(named) ?? []
}

/** Returns the keys of the existing end users whom each of some texts names. */
export async function keysNamedEach(
  db: Db,
  agentId: number,
  named: readonly string[],
): Promise<ReadonlyMap<string, UserKey[]>> {
  const texts = [...new Set(named)].filter((text) => !text.includes('\u0000'))
  const read = texts.map((text) => ({ text, sourced: readSourcedId(text) }))
  const ids = [...new Set(read.map(({ text, sourced }) => sourced?.id ?? text))]
  // An older version may have taken the whole text for an id.
  const old = [...new Set([...ids, ...texts])] as UserKey[]
  for (const id of await unsourcedOf(db, agentId, old)) await giveSource(db, agentId, id)
  const channels = Map.groupBy(await channelsOfPeople(db, agentId, ids), ({ id }) => id)
  const users = Map.groupBy(await keysOfGivenIds(db, agentId, ids), ({ given_id }) => given_id)
  const keysOf = (id: string) =>
    new Set([
      ...(users.get(id) ?? []).map((user) => user.id),
      ...(channels.get(id) ?? []).map(({ channelId }) => userKey({ source: channelSource(channelId), id })),
    ])
  return new Map(
    read.map(({ text, sourced }) => {
      const keys = [...keysOf(sourced?.id ?? text)]
      return [text, keys.filter((key) => sourced === null || key === userKey(sourced))]
    }),
  )
}

function whichOf(keys: readonly UserKey[]): string {
  return `name one as ${waysToName(keys)}`
}

/** Returns how to name each of some end users so that it is never ambiguous. */
export function waysToName(keys: readonly UserKey[]): string {
  return keys.map((key) => `"${writeSourcedId(readUserKey(key))}"`).join(' or ')
}
