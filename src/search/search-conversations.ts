import type { Kysely } from 'kysely'
import { findUsers } from '../profiles/list-users.ts'
import type { Tables } from '../storage/tables.ts'
import { findByExternalId, findById, type Owner } from '../transcripts/conversations/find-conversation.ts'
import { thoseInScope } from '../transcripts/doors/by-filter.ts'
import { conversationsOfMessages } from '../transcripts/doors/found-messages.ts'
import { conversationsOfUser } from '../transcripts/doors/of-user.ts'
import { keysOfPerson } from '../users/person-store.ts'
import { rankMatches } from './index/rank-matches.ts'
import { MESSAGES } from './index/searched-texts.ts'
import { readQuery } from './index/terms.ts'
import { matchesOf } from './search-texts.ts'

/** The most conversations that are found, unless the caller says otherwise. */
const CONVERSATIONS_FOUND = 1000
/** The most end users whose conversations are found because their id, name or attributes match. */
const USERS_NAMED = 100
/** The number of matches looked up at once. */
const LOOKED_UP = 500

/**
 * Returns the ids of the conversations that fit a text in a search box, each once: first those whose UUID,
 * external id or end user the text names, then those whose messages have all its words, the one with the newest such
 * message first. An empty text finds none.
 */
export async function searchConversations(
  db: Kysely<Tables>,
  owner: Owner,
  q: string,
  limit = CONVERSATIONS_FOUND,
): Promise<string[]> {
  const found = new Set(await conversationsNamed(db, owner, q, limit))
  const words = readQuery(q)
  if (words.length === 0) return [...found]
  const matches = await matchesOf(db, { ...WHOLE, agentId: owner.agentId, q }, words)
  // Equal scores leave the order by age.
  const newestFirst = rankMatches(
    db,
    matches.map((match) => ({ ...match, score: 1 })),
    null,
  )
  let ids: number[] = []
  const add = async () => {
    const spoken = await conversationsOfMessages(db, owner.agentId, ids)
    for (const id of await thoseInScope(db, owner, spoken)) found.add(id)
    ids = []
  }
  for await (const { id } of newestFirst) {
    if (found.size >= limit) break
    if (ids.push(id) === LOOKED_UP) await add()
  }
  await add()
  return [...found].slice(0, limit)
}

const WHOLE = {
  kind: MESSAGES,
  conversationId: null,
  person: null,
  channelId: null,
  from: null,
  to: null,
} as const

/**
 * Returns the conversations that a text names: by UUID, by external id, or by their end user's id, name or attributes.
 */
export async function conversationsNamed(
  db: Kysely<Tables>,
  owner: Owner,
  q: string,
  limit: number,
): Promise<string[]> {
  const name = q.trim().slice(0, 255)
  if (name === '' || name.includes('\u0000')) return []
  const byExternalId = await findByExternalId(db, owner, name)
  const named = [
    await findById(db, owner, name),
    byExternalId?.agent_id === owner.agentId ? byExternalId : undefined,
  ]
  const found = new Set(named.flatMap((conversation) => conversation?.id ?? []))
  const users = (await findUsers(db, owner.agentId, name)).map(({ id }) => id)
  for (const user of users.slice(0, USERS_NAMED)) {
    if (found.size >= limit) break
    const keys = await keysOfPerson(db, owner.agentId, user)
    for (const id of await conversationsOfUser(db, owner, keys, limit - found.size)) found.add(id)
  }
  return [...(await thoseInScope(db, owner, [...found]))]
}
