import type { Kysely } from 'kysely'
import { invalidField } from '../errors.ts'
import type { Caller } from '../http/member.ts'
import { plainWords } from '../language/words/words.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { hasOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import { usersInScope } from '../transcripts/doors/of-user.ts'
import {
  allUsers,
  readAttributes,
  selectUsers,
  USER_KEY,
  usersById,
  usersByWord,
} from '../users/known-users.ts'
import type { UserRow } from '../users/tables.ts'
import { giveSource } from './give-source.ts'
import { wordsOf } from './profile.ts'

/** The most end users that a text finds. */
const FOUND = 1000
/** The number of characters of a text that are looked for. */
const LONGEST_QUERY = 255

/**
 * Reads a page of the end users whom a caller may see, the newest first.
 * @param q a text; only the end users that it finds are listed
 */
export async function listUsers(
  db: Kysely<Tables>,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
  q: string | undefined,
  request: PageRequest,
): Promise<Page<UserRow>> {
  const query = allUsers(db)
  const key = ['first_seen_at', 'id'] as const
  const filters = scopeFilter(scope, (scope) => hasOneInScope(scope, agentId, USER_KEY))
  if (q !== undefined) {
    const found = await findUsers(db, agentId, q)
    const ids = found.map(({ id }) => id)
    const seen = new Set(scope ? await usersInScope(db, { agentId, scope }, ids) : ids)
    return pageOf(
      found.filter(({ id }) => seen.has(id)),
      request,
    )
  }
  for (;;) {
    const page = await selectPage(
      db,
      { query, of: { agent_id: agentId }, key, texts: ['id'], order: 'desc', filters },
      request,
    )
    if (await areSourced(db, page.rows)) return page
  }
}

/** Gives sources to rows that older versions have stored; returns false when that changed rows. */
async function areSourced(db: Kysely<Tables>, rows: readonly UserRow[]): Promise<boolean> {
  const old = rows.filter(({ given_id }) => given_id === null)
  for (const { agent_id, id } of old) await giveSource(db, agent_id, id)
  return old.length === 0
}

/**
 * Finds the end users whose id begins with a text, or whose name and attributes have all its words or words that begin
 * with them.
 */
export async function findUsers(db: Kysely<Tables>, agentId: number, q: string): Promise<UserRow[]> {
  for (;;) {
    const rows = await usersThatFit(db, agentId, q)
    if (await areSourced(db, rows)) return rows
  }
}

async function usersThatFit(db: Kysely<Tables>, agentId: number, q: string): Promise<UserRow[]> {
  const text = q.trim().slice(0, LONGEST_QUERY)
  if (text === '' || text.includes('\u0000')) return []
  const words = plainWords(text).sort((a, b) => b.length - a.length)
  const [longest] = words
  const named = longest === undefined ? [] : await usersByWord(db, agentId, longest, FOUND)
  const candidates = await selectUsers(db, agentId, named)
  const matching = candidates.filter((user) => {
    const has = wordsOf(user.name, readAttributes(user.attributes))
    return words.every((word) => has.some((one) => one.startsWith(word)))
  })
  const byId = await selectUsers(db, agentId, await usersById(db, agentId, text, FOUND))
  const found = new Map((await peopleOf(db, agentId, [...matching, ...byId])).map((user) => [user.id, user]))
  return [...found.values()].sort(byArrival).slice(0, FOUND)
}

/** Returns the rows with the profiles of end users, some of whom may be one person. */
async function peopleOf(db: Kysely<Tables>, agentId: number, users: readonly UserRow[]): Promise<UserRow[]> {
  const merged = users.flatMap(({ person_id }) => person_id ?? [])
  const people = await selectUsers(db, agentId, [...new Set(merged)])
  return [...users.filter(({ person_id }) => person_id === null), ...people]
}

function byArrival(a: UserRow, b: UserRow): number {
  if (a.first_seen_at !== b.first_seen_at) return a.first_seen_at < b.first_seen_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}

/** Returns a page of rows that were all read. Its cursor is the last user of the page before. */
function pageOf(rows: UserRow[], { page, per_page, cursor }: PageRequest): Page<UserRow> {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString()
  const place = after === null ? (page - 1) * per_page : rows.findIndex(({ id }) => id === after) + 1
  if (after !== null && place === 0)
    throw invalidField('cursor', 'must be the next_cursor of a page of this list with the same filters')
  const shown = rows.slice(place, place + per_page)
  const last = place + per_page < rows.length ? shown.at(-1) : undefined
  return {
    rows: shown,
    total: rows.length,
    isCapped: rows.length === FOUND,
    page: after === null ? page : Math.floor(place / per_page) + 1,
    per_page,
    nextCursor: last ? Buffer.from(last.id).toString('base64url') : null,
  }
}
