import { setImmediate as letOthers } from 'node:timers/promises'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { Owner } from '../transcripts/conversations/find-conversation.ts'
import { wantedBy, wantedInSql } from './filters.ts'
import type { InboxQuery } from './inbox-query.ts'
import type { InboxReader } from './inbox-reader.ts'
import { inRange, type Place, type Range } from './inbox-rows.ts'
import { latestOf } from './ranges.ts'
import { fewOf } from './read-inbox.ts'
import { ENDED } from './states.ts'

/** The count at which counting stops. */
const MOST = 50_000
/** The number of conversations examined in one statement, so that other requests are served in between. */
const SLICE = 20_000

interface Matching {
  open: number
  ended: number
  /** True when more may match than were counted. */
  isCapped: boolean
}

/**
 * Counts the conversations of a view that match its filters.
 * @param reader as for `readInbox`
 * @param bounds the count at which counting stops, the number of conversations that are examined at most, and in one
 * statement
 */
export async function countInbox(
  db: Kysely<Tables>,
  owner: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
  { most = MOST, examined = Number.POSITIVE_INFINITY, size = SLICE } = {},
): Promise<Matching> {
  const few = await fewOf(db, owner, reader, query)
  if (few) {
    const states = few.filter(wantedBy(owner, reader, query)).map(({ state }) => state)
    const ended = states.filter((state) => state === ENDED).length
    return { open: states.length - ended, ended, isCapped: false }
  }
  const wanted = wantedInSql(owner, reader, query)
  let [open, ended, seen] = [0, 0, 0]
  for (const range of latestOf(owner, reader, query)) {
    let after: Place | null = null
    do {
      if (open + ended >= most || seen >= examined) return { open, ended, isCapped: true }
      const wantedHere = range.unless ? sql<SqlBool>`${wanted} and not ${range.unless}` : wanted
      const slice: Slice = await countSlice(db, owner.agentId, range, after, wantedHere, size)
      open += Number(slice.open)
      ended += Number(slice.ended)
      seen += Number(slice.read)
      after = Number(slice.read) < size ? null : [slice.last_message_id, slice.sequence]
      await letOthers()
    } while (after !== null)
  }
  return { open, ended, isCapped: false }
}

/** The counts of a slice, and where it ends. PostgreSQL returns counts as texts. */
interface Slice {
  read: number | string
  open: number | string
  ended: number | string
  last_message_id: number
  sequence: number
}

/** Counts the next conversations of a range, and returns where the slice ends. */
async function countSlice(
  db: Kysely<Tables>,
  agentId: number,
  range: Range,
  after: Place | null,
  wanted: RawBuilder<SqlBool>,
  size: number,
): Promise<Slice> {
  const { rows } = await sql<Slice>`with slice as materialized (
      select last_message_id, sequence, state, ${wanted} as wanted from inbox_rows
      where ${inRange(agentId, range, after)} order by last_message_id desc, sequence desc limit ${size}
    ), place as (select last_message_id, sequence from slice order by last_message_id, sequence limit 1)
    select count(*) as read, count(case when wanted and state <> ${sql.lit(ENDED)} then 1 end) as open,
      count(case when wanted and state = ${sql.lit(ENDED)} then 1 end) as ended,
      (select last_message_id from place) as last_message_id, (select sequence from place) as sequence
    from slice`.execute(db)
  return rows[0] as Slice
}
