import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr, invalidField } from '../errors.ts'
import { changed } from '../events/changes.ts'
import type { Caller } from '../http/member.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { plainWords } from '../language/words/words.ts'
import { timestamp } from '../lib/clock.ts'
import { addressesOfUser } from '../mailboxes/continuations.ts'
import type { Tables } from '../storage/tables.ts'
import { presentConversation } from '../transcripts/conversations/present.ts'
import { selectById } from '../transcripts/conversations/store.ts'
import { thoseInScope } from '../transcripts/doors/by-filter.ts'
import { conversationsOfUser, countOfUser, lastPagesOfUser } from '../transcripts/doors/of-user.ts'
import { lockUser, readAttributes, selectUser, writeProfile } from '../users/known-users.ts'
import { keysOfPerson, lockPerson, othersOf, type PersonKeys, setMerged } from '../users/person-store.ts'
import type { UserAnswer } from '../users/schemas.ts'
import type { UserRow } from '../users/tables.ts'
import { readUserKey, type UserKey, writeSourcedId } from '../users/user-key.ts'
import { stillAdopted } from './adopted.ts'
import {
  CONVERSATIONS_SHOWN,
  COUNTED,
  LARGEST_ATTRIBUTES,
  MOST_ATTRIBUTES,
  type ProfilePatch,
} from './schemas.ts'
import { undoUntil } from './undo-until.ts'

type Db = Kysely<Tables>
type Attributes = UserAnswer['attributes']

const PAGES_SHOWN = 10
const PROMPTS_LOOKED_AT = 100
/** The most words by which a profile is found. */
const MOST_WORDS = 200

export function presentUser({ id, proof, name, attributes, first_seen_at, blocked_at }: UserRow): UserAnswer {
  return {
    ...readUserKey(id),
    proof: proof ?? 'none',
    name,
    attributes: readAttributes(attributes),
    first_seen_at,
    blocked_at,
  }
}

/** Presents one of the end users who are a person. */
function presentIdentity({ id, proof, first_seen_at, merged_into, merged_at }: UserRow, nowMs: number) {
  const until = undoUntil(merged_at, nowMs)
  return {
    ...readUserKey(id),
    proof: proof ?? 'none',
    first_seen_at,
    merged_into: merged_into && writeSourcedId(readUserKey(merged_into)),
    undo_until: until === null ? null : timestamp(until),
  }
}

function profileVersion({ name, attributes }: UserRow): string {
  return versionOf(name, readAttributes(attributes))
}

/**
 * Reads an end user with counts and the newest conversations, as far as a caller may see them.
 * @throws ApiError user_not_found
 */
export async function readProfile(
  db: Db,
  owner: Pick<Caller, 'agentId' | 'scope'>,
  id: UserKey,
  nowMs: number,
) {
  const { agentId } = owner
  const user = foundOr(await selectUser(db, agentId, id), 'user_not_found')
  const others = await othersOf(db, agentId, id)
  const keys: PersonKeys = [id, ...others.map(({ id }) => id)]
  const ids = await conversationsOfUser(db, owner, keys, CONVERSATIONS_SHOWN)
  const rows = await Promise.all(ids.map((id) => selectById(db, { agent_id: agentId, id })))
  return {
    ...presentUser(user),
    version: profileVersion(user),
    counts: {
      conversations: await countOfUser(db, 'conversations', owner, keys, COUNTED),
      completions: await countOfUser(db, 'completions', owner, keys, COUNTED),
    },
    conversations: rows.flat().map(presentConversation),
    pages: await pagesOfUser(db, owner, keys),
    mail: await mailOfUser(db, owner, keys),
    identities: [user, ...others].map((one) => presentIdentity(one, nowMs)),
  }
}

/** Changes the name and attributes of an end user. @throws ApiError user_not_found, invalid_request, version_outdated */
export async function changeProfile(
  db: Db,
  agentId: number,
  named: UserKey,
  { version, ...patch }: ProfilePatch,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const user = foundOr(await lockPerson(db, agentId, named), 'user_not_found')
    const { id } = user
    refuseOutdated(version, profileVersion(user))
    const { profile, words } = patchProfile(user, await othersOf(db, agentId, id), patch)
    await writeProfile(db, agentId, id, profile, words)
    const fields = Object.keys(patch)
    const context = { agentId, at: now, target: `user ${id}` }
    await record(db, { ...by, ...context, action: 'user.changed', details: { changed: fields } })
    await tellOfPerson(db, agentId, await keysOfPerson(db, agentId, id))
  })
}

/**
 * Returns a profile with some fields set, and the words by which it is found.
 * @param others the end users who are one person with this one
 * @throws ApiError invalid_request
 */
export function patchProfile(
  user: Pick<UserRow, 'name' | 'attributes' | 'adopted'>,
  others: readonly UserRow[],
  patch: Omit<ProfilePatch, 'version'>,
) {
  const name = patch.name === undefined ? user.name : patch.name?.trim() || null
  const attributes = mergeAttributes(readAttributes(user.attributes), patch.attributes ?? {})
  const stored = Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
  const set = { ...patch, ...(patch.name === undefined ? {} : { name }) }
  const adopted = stillAdopted(user.adopted, set, others)
  return { profile: { name, attributes: stored, adopted }, words: wordsOf(name, attributes) }
}

/** Tells those who look at the newest conversations of a person that the person has changed. */
export async function tellOfPerson(db: Db, agentId: number, keys: PersonKeys): Promise<void> {
  for (const conversation_id of await conversationsOfUser(db, { agentId }, keys, CONVERSATIONS_SHOWN))
    changed(db, { type: 'conversation', agent_id: agentId, conversation_id, fields: ['user'] })
}

/** Returns the pages on which a person wrote last, the newest first. */
async function pagesOfUser(
  db: Db,
  owner: Pick<Caller, 'agentId' | 'scope'>,
  keys: PersonKeys,
): Promise<{ url: string; at: string }[]> {
  const visited = new Map<string, string>()
  for (const { page_url, created_at } of await lastPagesOfUser(db, owner, keys, PROMPTS_LOOKED_AT))
    if (page_url !== null && !visited.has(page_url)) visited.set(page_url, created_at)
  return [...visited].slice(0, PAGES_SHOWN).map(([url, at]) => ({ url, at }))
}

/** Returns the addresses that an end user has left in conversations that the caller may see. */
async function mailOfUser(db: Db, owner: Pick<Caller, 'agentId' | 'scope'>, keys: PersonKeys) {
  const all = await addressesOfUser(db, owner.agentId, keys)
  const ids = all.map(({ conversation_id }) => conversation_id)
  const seen = await thoseInScope(db, owner, ids)
  return all.filter(({ conversation_id }) => seen.includes(conversation_id))
}

function mergeAttributes(present: Attributes, patch: Record<string, Attributes[string] | null>): Attributes {
  const merged = new Map(Object.entries(present))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  if (merged.size > MOST_ATTRIBUTES)
    throw invalidField('attributes', `would hold more than ${MOST_ATTRIBUTES} attributes`)
  const attributes = Object.fromEntries(merged)
  if (JSON.stringify(attributes).length > LARGEST_ATTRIBUTES)
    throw invalidField('attributes', 'would be larger than 16 KiB')
  return attributes
}

/** Returns the words by which a profile is found. */
export function wordsOf(name: string | null, attributes: Attributes): string[] {
  const texts = [name ?? '', ...Object.values(attributes).map(String)]
  return [...new Set(plainWords(texts.join('\n')))].slice(0, MOST_WORDS)
}

/**
 * Forgets the profiles of a person, who stays one person for good. They are about the person, so that no part of them
 * may stay. Returns the number of profiles that held anything.
 * @throws ApiError unavailable when others are one with them, or no longer are, since the keys were read
 */
export async function forgetProfiles(db: Db, agentId: number, keys: PersonKeys): Promise<number> {
  await lockPerson(db, agentId, keys[0])
  const present = await keysOfPerson(db, agentId, keys[0])
  if (new Set([...keys, ...present]).size !== keys.length || present.length !== keys.length)
    throw new ApiError('unavailable')
  let held = 0
  for (const id of keys) {
    const user = await lockUser(db, agentId, id)
    await writeProfile(db, agentId, id, { name: null, attributes: null, adopted: null }, [])
    if (user && (user.name ?? user.attributes) !== null) held++
  }
  await setMerged(db, agentId, keys, { merged_at: null })
  return held
}
