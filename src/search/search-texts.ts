import type { Kysely } from 'kysely'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import type { Scope } from '../http/scope.ts'
import { bindingOf, cursorOf, readCursor } from '../lib/cursor.ts'
import type { Tables } from '../storage/tables.ts'
import type { PersonKeys } from '../users/person-store.ts'
import { idsOfConversation, idsOfUser, textsInScope } from './found-texts.ts'
import {
  findMatches,
  MATCHES_RANKED,
  type Match,
  matchTexts,
  type SearchBounds,
} from './index/find-matches.ts'
import { type RankPosition, rankMatches } from './index/rank-matches.ts'
import type { SearchKind } from './index/searched-texts.ts'
import { readQuery, type SearchedWord } from './index/terms.ts'
import { searchedTexts } from './searched-texts.ts'

type Db = Kysely<Tables>

/** A search: its words, and the texts of an agent that it covers. */
interface Search extends SearchBounds {
  agentId: number
  kind: SearchKind
  q: string
  /** Limits the search to the conversation with this id. */
  conversationId: string | null
  /** Limits the search to this person's conversations. */
  person: PersonKeys | null
  /** Limits the search to the conversations that the caller may see; absent: all. */
  scope?: Scope | null
}

interface SearchPage {
  /** Ids of messages or notes, the best match first. */
  ids: number[]
  words: readonly SearchedWord[]
  total: number
  isCapped: boolean
  nextCursor: string | null
}

/**
 * Reads a page of the texts that contain all words of a query, best first.
 * @throws ApiError invalid_request for a cursor of another search
 */
export async function searchTexts(
  db: Db,
  search: Search,
  { per_page, cursor }: { per_page: number; cursor?: string | undefined },
): Promise<SearchPage> {
  const binding = bindingOf(search)
  const after = cursor === undefined ? null : readPosition(cursor, binding)
  const words = readQuery(search.q)
  const matches = words.length === 0 ? [] : await matchesOf(db, search, words)
  const page: RankPosition[] = []
  const isScoped = Boolean(search.scope)
  let total = matches.length
  for await (const match of rankMatches(db, matches, isScoped ? null : after)) {
    page.push(match)
    if (!isScoped && page.length > per_page) break
  }
  if (isScoped) {
    // The number of visible matches is known only after all matches were looked at.
    const seen = await seenOf(db, search, page)
    total = seen.length
    const begin = after === null ? 0 : seen.findIndex(({ id }) => id === after.id) + 1
    page.splice(0, page.length, ...seen.slice(begin, begin + per_page + 1))
  }
  const hasMore = page.length > per_page
  if (hasMore) page.pop()
  const last = page.at(-1)
  return {
    ids: page.map(({ id }) => id),
    words,
    total: Math.min(total, MATCHES_RANKED),
    isCapped: matches.length >= MATCHES_RANKED,
    nextCursor: hasMore && last ? cursorOf(binding, [last.score, last.id, last.place]) : null,
  }
}

/** The number of matches whose conversations are looked up at once. */
const LOOKED_UP = 500

/** Returns the matches that the caller of a search may see, in their order. */
async function seenOf(db: Db, search: Search, all: readonly RankPosition[]): Promise<RankPosition[]> {
  const seen: RankPosition[] = []
  for (let from = 0; from < all.length; from += LOOKED_UP) {
    const some = all.slice(from, from + LOOKED_UP)
    const ids = new Set(
      await textsInScope(
        db,
        search,
        search.kind,
        some.map(({ id }) => id),
      ),
    )
    seen.push(...some.filter(({ id }) => ids.has(id)))
  }
  return seen
}

/** Reads the newest matches. The few texts of a conversation or a person are read directly, not through the index. */
export async function matchesOf(
  db: Db,
  { agentId, kind, conversationId, person, ...bounds }: Search,
  words: readonly SearchedWord[],
): Promise<Match[]> {
  const options = { agentId, kind, words, bounds }
  if (conversationId === null && person === null) return findMatches(db, searchedTexts, options)
  const ids =
    conversationId !== null
      ? await idsOfConversation(db, agentId, kind, conversationId, person, MATCHES_RANKED)
      : person === null
        ? []
        : await idsOfUser(db, agentId, kind, person, MATCHES_RANKED)
  return matchTexts(db, searchedTexts, options, ids)
}

const number = z.int().min(Number.MIN_SAFE_INTEGER)
const cursorSchema = z.tuple([z.string(), number, number, z.tuple([number, number, number]).nullable()])

function readPosition(cursor: string, binding: string): RankPosition {
  const known = readCursor(cursor, binding, cursorSchema)
  if (!known) throw invalidField('cursor', 'must be the next_cursor of a page of the same search')
  const [, score, id, place] = known
  return { score, id, place }
}
