import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, invalidField } from '../errors.ts'
import { changed } from '../events/changes.ts'
import type { Caller } from '../http/member.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { plainWords } from '../language/words/words.ts'
import { addressesOfUser } from '../mailboxes/continuations.ts'
import type { Tables } from '../storage/tables.ts'
import { presentConversation } from '../transcripts/conversations/present.ts'
import { selectById } from '../transcripts/conversations/store.ts'
import { thoseInScope } from '../transcripts/doors/by-filter.ts'
import { conversationsOfUser, countOfUser, lastPagesOfUser } from '../transcripts/doors/of-user.ts'
import { lockUser, readAttributes, selectUser, writeProfile } from '../users/profile-store.ts'
import type { UserAnswer } from '../users/schemas.ts'
import type { UserRow } from '../users/tables.ts'
import { readUserKey, type UserKey } from '../users/user-key.ts'
import { MOST_ATTRIBUTES, type ProfilePatch } from './schemas.ts'

type Db = Kysely<Tables>
type Attributes = UserAnswer['attributes']

const COUNTED = 10_000
const CONVERSATIONS_SHOWN = 10
const PAGES_SHOWN = 10
const PROMPTS_LOOKED_AT = 100
const LARGEST_ATTRIBUTES = 16_384
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

function profileVersion({ name, attributes }: UserRow): string {
  return versionOf(name, readAttributes(attributes))
}

/**
 * Reads an end user with counts and the newest conversations, as far as a caller may see them.
 * @throws ApiError user_not_found
 */
export async function readProfile(db: Db, owner: Pick<Caller, 'agentId' | 'scope'>, id: UserKey) {
  const { agentId } = owner
  const user = await selectUser(db, agentId, id)
  if (!user) throw new ApiError('user_not_found')
  const ids = await conversationsOfUser(db, owner, id, CONVERSATIONS_SHOWN)
  const rows = await Promise.all(ids.map((id) => selectById(db, { agent_id: agentId, id })))
  return {
    ...presentUser(user),
    version: profileVersion(user),
    counts: {
      conversations: await countOfUser(db, 'conversations', owner, id, COUNTED),
      completions: await countOfUser(db, 'completions', owner, id, COUNTED),
    },
    conversations: rows.flat().map(presentConversation),
    pages: await pagesOfUser(db, owner, id),
    mail: await mailOfUser(db, owner, id),
  }
}

/** Changes the name and attributes of an end user. @throws ApiError user_not_found, invalid_request, version_outdated */
export async function changeProfile(
  db: Db,
  agentId: number,
  id: UserKey,
  { version, ...patch }: ProfilePatch,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const user = await lockUser(db, agentId, id)
    if (!user) throw new ApiError('user_not_found')
    refuseOutdated(version, profileVersion(user))
    const name = patch.name === undefined ? user.name : patch.name?.trim() || null
    const attributes = mergeAttributes(readAttributes(user.attributes), patch.attributes ?? {})
    const stored = Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
    await writeProfile(db, agentId, id, { name, attributes: stored }, wordsOf(name, attributes))
    const fields = Object.keys(patch)
    const context = { agentId, at: now, target: `user ${id}` }
    await record(db, { ...by, ...context, action: 'user.changed', details: { changed: fields } })
    for (const conversation_id of await conversationsOfUser(db, { agentId }, id, CONVERSATIONS_SHOWN))
      changed(db, { type: 'conversation', agent_id: agentId, conversation_id, fields: ['user'] })
  })
}

/** Returns the pages on which an end user wrote last, the newest first. */
async function pagesOfUser(
  db: Db,
  owner: Pick<Caller, 'agentId' | 'scope'>,
  id: UserKey,
): Promise<{ url: string; at: string }[]> {
  const visited = new Map<string, string>()
  for (const { page_url, created_at } of await lastPagesOfUser(db, owner, id, PROMPTS_LOOKED_AT))
    if (page_url !== null && !visited.has(page_url)) visited.set(page_url, created_at)
  return [...visited].slice(0, PAGES_SHOWN).map(([url, at]) => ({ url, at }))
}

/** Returns the addresses that an end user has left in conversations that the caller may see. */
async function mailOfUser(db: Db, owner: Pick<Caller, 'agentId' | 'scope'>, id: UserKey) {
  const all = await addressesOfUser(db, owner.agentId, id)
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
 * Forgets name and attributes of an end user. Both are about the person, so that no part of them may stay. Returns 1 if
 * there were any, otherwise 0.
 */
export async function forgetProfile(db: Db, agentId: number, id: UserKey): Promise<number> {
  const user = await lockUser(db, agentId, id)
  await writeProfile(db, agentId, id, { name: null, attributes: null }, [])
  return (user?.name ?? user?.attributes ?? null) === null ? 0 : 1
}
