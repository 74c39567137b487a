import { setImmediate as letOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { LARGEST_INTEGER } from '../http/schemas.ts'
import { bindingOf, cursorOf, readCursor } from '../lib/cursor.ts'
import { searchConversations } from '../search/search-conversations.ts'
import type { Tables } from '../storage/tables.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { priorities, rankOf } from '../transcripts/conversations/priority.ts'
import { type Candidate, keyOf, wantedBy } from './filters.ts'
import type { InboxQuery } from './inbox-query.ts'
import type { InboxReader } from './inbox-reader.ts'
import { type Place, placeOf, type Range, readFew, readRanges, readThese } from './inbox-rows.ts'
import { DUE, LONGEST, latestOf, longestOf } from './ranges.ts'

/** The most conversations that a page examines. */
const EXAMINED = 5000
/** The most conversations read at once, so that other requests are served in between. */
const SLICE = 1000
/** The most conversations that are read at once and sorted in memory, where a filter selects few. */
const FEW = 2000

/**
 * The beginning of a page: a part of the order, and the place in it after which the page begins; null: the part's
 * beginning.
 */
interface Position {
  part: number
  after: Place | null
}

/** One part of the order of a view. */
interface Part {
  order: Range['order']
  read(after: Place | null, limit: number): Promise<Candidate[]>
  /** Tells whether a conversation belongs to this part. */
  isHere(row: Candidate): boolean
}

interface InboxPage {
  rows: Candidate[]
  nextCursor: string | null
}

/**
 * Reads a page of an agent's inbox. It examines at most 5,000 conversations: if few of them match the filters, a page
 * may have fewer rows than asked for, or none, and still have a next page.
 * @param reader the person who looks; null for a program, which has nothing assigned or unread
 * @throws ApiError invalid_request for a cursor of another view or other filters
 */
export async function readInbox(
  db: Kysely<Tables>,
  owner: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
  { per_page, cursor }: { per_page: number; cursor?: string | undefined },
): Promise<InboxPage> {
  const binding = bindingOfView(owner.agentId, reader, query)
  const parts = await partsOf(db, owner, reader, query)
  const begin = cursor === undefined ? { part: 0, after: null } : readPosition(cursor, binding, parts)
  const isWanted = wantedBy(owner, reader, query)
  const rows: Candidate[] = []
  let position: Position = begin
  let examined = 0
  for (let size = per_page + 1; ; size = Math.min(size * 2, SLICE)) {
    const part = parts[position.part]
    if (!part) return { rows, nextCursor: null }
    const limit = Math.min(size, EXAMINED - examined)
    const slice = await part.read(position.after, limit)
    for (const row of slice) {
      if (part.isHere(row) && isWanted(row)) {
        if (rows.length === per_page) return { rows, nextCursor: cursorAt(binding, position) }
        rows.push(row)
      }
      position = { ...position, after: placeOf(part.order, row) }
    }
    examined += slice.length
    if (slice.length < limit) position = { part: position.part + 1, after: null }
    else if (examined >= EXAMINED) return { rows, nextCursor: cursorAt(binding, position) }
    await letOthers()
  }
}

const isAnywhere = () => true

/** Returns the parts that make up a view's order, each read along an index. */
async function partsOf(
  db: Kysely<Tables>,
  owner: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
): Promise<Part[]> {
  const { agentId } = owner
  const wanted = { ...query, reader }
  const few = (await fewOf(db, owner, reader, query)) ?? (await fewWaiting(db, owner, reader, query))
  const part = (order: Range['order'], ranges: readonly Range[]): Part => ({
    order,
    isHere: isAnywhere,
    read: few
      ? async (after, limit) => firstOf(few, order, after, limit)
      : async (after, limit) =>
          firstOf(once(await readRanges(db, agentId, ranges, after, limit, wanted)), order, null, limit),
  })
  const others = part('latest', latestOf(owner, reader, query))
  if (query.sort === 'priority')
    return priorities
      .filter((priority) => query.priority === undefined || query.priority === priority)
      .map((priority) => ({
        ...part('latest', latestOf(owner, reader, { ...query, priority })),
        isHere: (row) => row.priority === rankOf(priority),
      }))
  if (query.sort === 'due')
    return [
      { ...part('due', [DUE]), isHere: ({ due_at }) => due_at !== null },
      { ...others, isHere: ({ due_at }) => due_at === null },
    ]
  // A conversation that has ended or is snoozed waits for nobody.
  if (query.sort === 'latest' || query.view === 'ended' || query.view === 'snoozed') return [others]
  const waiting = part('longest', longestOf(owner, reader, query))
  return [
    { ...waiting, isHere: ({ waiting_since }) => waiting_since !== null },
    ...(query.view === 'waiting'
      ? []
      : [{ ...others, isHere: ({ waiting_since }: Candidate) => waiting_since === null }]),
  ]
}

/**
 * Reads the conversations that a search finds, or those that a filter selects by an index of its own. Returns null without
 * such a filter, or if there are too many to be read at once.
 */
export async function fewOf(
  db: Kysely<Tables>,
  owner: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
): Promise<Candidate[] | null> {
  const wanted = { ...query, reader }
  return query.q === undefined
    ? readFew(db, owner.agentId, wanted, FEW)
    : readThese(db, owner.agentId, await searchConversations(db, owner, query.q), wanted)
}

/**
 * Reads the waiting conversations of the groups of a scope, of one group or of one person. Null: there are too many to be
 * sorted in memory, or those of all are asked for.
 */
async function fewWaiting(
  db: Kysely<Tables>,
  owner: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
): Promise<Candidate[] | null> {
  if (query.view !== 'waiting' || query.sort !== 'latest') return null
  const ranges = longestOf(owner, reader, query)
  if (ranges[0] === LONGEST) return null
  const rows = await readRanges(db, owner.agentId, ranges, null, FEW + 1, { ...query, reader })
  return rows.length > FEW ? null : once(rows)
}

/** Leaves each conversation in rows of overlapping ranges once. */
function once(rows: readonly Candidate[]): Candidate[] {
  return [...new Map(rows.map((row) => [row.sequence, row])).values()]
}

/** Returns the first rows of an order after a place. */
function firstOf(
  rows: readonly Candidate[],
  order: Range['order'],
  after: Place | null,
  limit: number,
): Candidate[] {
  const sign = order === 'latest' ? -1 : 1
  const compare = (a: Place, b: Place) => sign * (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1])
  return rows
    .map((row) => ({ row, place: placeOf(order, row) }))
    .filter(({ place }) => (order === 'latest' || place[0] !== '') && (!after || compare(place, after) > 0))
    .sort((a, b) => compare(a.place, b.place))
    .slice(0, limit)
    .map(({ row }) => row)
}

const cursorSchema = z.tuple([
  z.string(),
  z.int().min(0),
  z.tuple([z.union([z.iso.datetime(), z.int().min(0)]), z.int().min(0).max(LARGEST_INTEGER)]).nullable(),
])

function cursorAt(binding: string, { part, after }: Position): string {
  return cursorOf(binding, [part, after])
}

function readPosition(cursor: string, binding: string, parts: readonly Part[]): Position {
  const known = readCursor(cursor, binding, cursorSchema)
  const isOfPart = ([, part, after]: z.output<typeof cursorSchema>) =>
    after === null || (typeof after[0] === 'string') === ((parts[part]?.order ?? 'latest') !== 'latest')
  if (!known || !isOfPart(known))
    throw invalidField('cursor', 'must be the next_cursor of a page of this view with the same filters')
  const [, part, after] = known
  return { part, after }
}

/** Identifies a view and its filters, so that a cursor of another one is refused. */
function bindingOfView(agentId: number, reader: InboxReader | null, query: InboxQuery): string {
  return bindingOf([agentId, reader?.operatorId, query.view, query.sort, keyOf(query)])
}
