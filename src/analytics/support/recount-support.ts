import { type Kysely, sql } from 'kysely'
import { nextAgentId } from '../../agents/agent.ts'
import { dayAfter } from '../../lib/clock.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { conversationsAfter } from '../../transcripts/doors/support-records.ts'
import { countAnew, lockSupport } from './count-support.ts'
import { Changes, readSupportCounts } from './counts.ts'
import { timeColumns } from './figures.ts'
import { countAlone } from './retry-store.ts'
import type { SupportRow } from './tables.ts'

type Db = Kysely<Tables>

/** The progress of counting the figures of support anew. */
export interface SupportPlace {
  /** The agent whose figures are counted; null: all, one after the other. */
  of: number | null
  agent: number
  part: 'conversations' | 'days' | 'months'
  /** The sequence of the conversation, the day or the month that was counted last. */
  after: number | string
  /** The conversations, those that could not be counted with others, and the wrong rows so far. */
  looked: number
  failed: number
  righted: number
}

/** The place at which the counting of an agent's figures begins. */
export const AGENT_BEGINS = { part: 'conversations', after: 0 } as const

/** The number of conversations that one transaction counts. */
const AT_ONCE = 200

/**
 * Does a part of counting the figures of support anew: the facts of conversations, then the counts of a day from these
 * facts, then those of a month from its days. Each part holds the lock under which changes are counted.
 */
export async function recountSupport(
  db: Db,
  engine: Pick<Engine, 'lock'>,
  place: SupportPlace,
): Promise<{ place: SupportPlace; isDone: boolean }> {
  const { agent, part } = place
  if (!(await lockSupport(db, engine, agent))) return nextAgent(db, place)
  if (part === 'conversations') return recountConversations(db, place)
  const next = part === 'days' ? await nextDay(db, place) : await nextMonth(db, place)
  if (next === null) {
    if (part === 'days') return { place: { ...place, part: 'months', after: '' }, isDone: false }
    return nextAgent(db, place)
  }
  const changes = part === 'days' ? await countsOfDay(db, agent, next) : await countsOfMonth(db, agent, next)
  const righted = place.righted + (await changes.replace(db, agent, next))
  return { place: { ...place, after: next, righted }, isDone: false }
}

/**
 * Leaves the conversations at a place to be counted one by one, since one of them cannot be counted. Null: no
 * conversations are counted there.
 */
export async function leaveToRetries(db: Db, place: SupportPlace, now: string): Promise<SupportPlace | null> {
  if (place.part !== 'conversations') return null
  const batch = await conversationsAfter(db, place.agent, Number(place.after), AT_ONCE)
  await countAlone(
    db,
    place.agent,
    batch.map(({ id }) => id),
    now,
  )
  const after = batch.at(-1)?.sequence ?? place.after
  return { ...place, after, looked: place.looked + batch.length, failed: place.failed + batch.length }
}

async function recountConversations(db: Db, place: SupportPlace) {
  const batch = await conversationsAfter(db, place.agent, Number(place.after), AT_ONCE)
  if (batch.length === 0) return { place: { ...place, part: 'days' as const, after: '' }, isDone: false }
  const ids = batch.map(({ id }) => id)
  const waiting = await waitingAmong(db, place.agent, ids)
  // Conversations that still wait to be counted are counted first, so that they are not reported as wrong.
  await countAnew(db, place.agent, waiting)
  const righted = await countAnew(db, place.agent, ids)
  const after = batch.at(-1)?.sequence ?? place.after
  const [looked, all] = [place.looked + batch.length, place.righted + righted]
  return { place: { ...place, after, looked, righted: all }, isDone: false }
}

/** Finds those of some conversations that the service has yet to count. */
async function waitingAmong(db: Db, agent: number, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('support_pending')
    .select('conversation_id')
    .where('agent_id', '=', agent)
    .where('conversation_id', 'in', ids)
    .union((db) =>
      db
        .selectFrom('support_retries')
        .select('conversation_id')
        .where('conversation_id', 'in', ids)
        .where('parked_at', 'is', null),
    )
    .execute()
  return rows.map(({ conversation_id }) => conversation_id)
}

async function nextAgent(db: Db, place: SupportPlace) {
  const agent = place.of === null ? await nextAgentId(db, place.agent) : null
  return agent === null
    ? { place, isDone: true }
    : { place: { ...place, agent, ...AGENT_BEGINS }, isDone: false }
}

/** Finds the next day on which an agent counts something, or should. */
async function nextDay(db: Db, { agent, after }: SupportPlace): Promise<string | null> {
  const counted = await db
    .selectFrom('support_counts')
    .select(({ fn }) => fn.min('day').as('day'))
    .where('agent_id', '=', agent)
    .where('day', '>', String(after))
    .where(sql<number>`length(day)`, '=', 10)
    .executeTakeFirstOrThrow()
  const days: (string | null)[] = [counted.day]
  for (const column of timeColumns) {
    const { at } = await db
      .selectFrom('support_rows')
      .select(({ fn }) => fn.min(column).as('at'))
      .where('agent_id', '=', agent)
      .where(column, '>=', after === '' ? '' : dayAfter(String(after)))
      .executeTakeFirstOrThrow()
    days.push(at?.slice(0, 10) ?? null)
  }
  return days.filter((day) => day !== null).sort()[0] ?? null
}

async function nextMonth(db: Db, { agent, after }: SupportPlace): Promise<string | null> {
  const { day } = await db
    .selectFrom('support_counts')
    .select(({ fn }) => fn.min('day').as('day'))
    .where('agent_id', '=', agent)
    .where('day', '>', after === '' ? '' : `${after}-31`)
    .executeTakeFirstOrThrow()
  return day?.slice(0, 7) ?? null
}

async function countsOfDay(db: Db, agent: number, day: string): Promise<Changes> {
  const pause = takeTurns()
  const rows = new Map<string, SupportRow>()
  for (const column of timeColumns) {
    const found = await db
      .selectFrom('support_rows')
      .selectAll()
      .where('agent_id', '=', agent)
      .where(column, '>=', day)
      .where(column, '<', dayAfter(day))
      .execute()
    for (const row of found) rows.set(row.conversation_id, row)
  }
  const changes = new Changes()
  for (const row of rows.values()) {
    changes.addOn(row, day)
    await pause()
  }
  return changes
}

async function countsOfMonth(db: Db, agent: number, month: string): Promise<Changes> {
  const pause = takeTurns()
  const changes = new Changes()
  for (const row of await readSupportCounts(db, agent, `${month}-01`, `${month}-31`)) {
    changes.addToMonth(month, row)
    await pause()
  }
  return changes
}
