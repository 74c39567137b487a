import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { keepAgent } from '../agents/keep-agent.ts'
import { type EventsPlace, forgetSums, recountEvents } from '../events/recount-events.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { yieldingTransaction } from '../storage/yielding-transaction.ts'
import { AGENT_BEGINS, leaveToRetries, recountSupport, type SupportPlace } from './support/recount-support.ts'

type Db = Kysely<Tables>

interface Dependencies {
  database: Pick<Database, 'db' | 'engine'>
  clock: Clock
  /** Receives a line about the progress now and then. */
  report: (words: string) => void
}

/** The numbers of what a recount has looked at, corrected, and could not count. */
interface Recounted {
  events: number
  conversations: number
  /** Conversations that the service counts one by one, since one of them could not be counted. */
  left: number
  /** The stored counts that were wrong. */
  righted: number
}

/** The progress of either kind. */
interface Place {
  of: number | null
  looked: number
  righted: number
  failed?: number
}

/** A kind of figures, and how they are counted anew. */
interface Kind {
  name: 'chat' | 'support'
  counts: 'events' | 'conversations'
  begin(of: number | null): object
  /** Counts the next piece. @param at the stored place */
  piece(db: Db, at: string): Promise<{ place: Place; isDone: boolean }>
  /** Skips a piece that failed; null: this piece cannot be skipped. */
  pass?(db: Db, at: string): Promise<Place | null>
}

const EVENTS_AT_ONCE = 1000
const REPORT_EVERY_MS = 2000
/** The pause while another process or transaction is in the way. */
const REST_MS = 50

/**
 * Counts the figures of an agent anew, or of all when `of` is null, in transactions of some hundred rows, while others
 * work on the database. A recount that was interrupted goes on first, where it stopped.
 */
export async function recount(dependencies: Dependencies, of: number | null): Promise<Recounted> {
  const { db } = dependencies.database
  const kinds = kindsOf(dependencies)
  const done: Recounted = { events: 0, conversations: 0, left: 0, righted: 0 }
  const open = await openRecount(db)
  if (open) {
    dependencies.report('going on with a recount that was interrupted')
    await runKinds(dependencies, kinds, done)
    if (open.of === null || open.of === of) return done
  }
  await db.transaction().execute(async (db) => {
    const begun = await db
      .insertInto('recounts')
      .values(kinds.map(({ name, begin }) => ({ name, place: JSON.stringify(begin(of)) })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .execute()
    // If nothing was inserted, another process has just begun and needs these sums.
    if (begun.some(({ name }) => name === 'chat')) await forgetSums(db, of)
  })
  await runKinds(dependencies, kinds, done)
  return done
}

async function openRecount(db: Db): Promise<Place | null> {
  const row = await db.selectFrom('recounts').select('place').limit(1).executeTakeFirst()
  return row ? (JSON.parse(row.place) as Place) : null
}

function kindsOf({ database: { engine }, clock }: Dependencies): readonly Kind[] {
  return [
    {
      name: 'chat',
      counts: 'events',
      begin: (of) => ({ of, upTo: 0, agent: 0, day: '', looked: 0, righted: 0 }),
      async piece(db, at) {
        const settled = await engine.settledUpTo('events')
        return recountEvents({ db, size: EVENTS_AT_ONCE, settled, keepAgent }, JSON.parse(at) as EventsPlace)
      },
    },
    {
      name: 'support',
      counts: 'conversations',
      begin: (of): SupportPlace => ({
        of,
        agent: of ?? 0,
        ...AGENT_BEGINS,
        looked: 0,
        failed: 0,
        righted: 0,
      }),
      piece: (db, at) => recountSupport(db, engine, JSON.parse(at) as SupportPlace),
      pass: (db, at) => leaveToRetries(db, JSON.parse(at) as SupportPlace, timestamp(clock())),
    },
  ]
}

async function runKinds(dependencies: Dependencies, kinds: readonly Kind[], done: Recounted): Promise<void> {
  for (const kind of kinds) {
    const place = await runKind(dependencies, kind)
    if (!place) continue
    done[kind.counts] += place.looked
    done.righted += place.righted
    done.left += place.failed ?? 0
  }
}

/** Recounts one kind to its end. @returns its last place; null when another process has ended it */
async function runKind({ database, report }: Dependencies, kind: Kind): Promise<Place | null> {
  let reportedAt = performance.now()
  for (;;) {
    const began = performance.now()
    const outcome = await doPiece(database, kind)
    if (outcome === 'ended') return null
    if (outcome !== 'waits' && outcome.isDone) return outcome.place
    if (outcome !== 'waits' && performance.now() - reportedAt > REPORT_EVERY_MS) {
      report(`${kind.name}: ${outcome.place.looked} ${kind.counts} so far`)
      reportedAt = performance.now()
    }
    // The pause leaves others at least half of the time.
    await wait(outcome === 'waits' ? REST_MS : performance.now() - began)
  }
}

type Outcome = 'ended' | 'waits' | { place: Place; isDone: boolean }

async function doPiece({ db, engine }: Dependencies['database'], kind: Kind): Promise<Outcome> {
  try {
    return await yieldingTransaction(db, engine, (db) => move(db, kind, kind.piece))
  } catch (error) {
    if (engine.isLocked(error)) return 'waits'
    const { pass } = kind
    if (!pass || engine.isAway(error)) throw error
    return yieldingTransaction(db, engine, (db) =>
      move(db, kind, async (db, at) => {
        const next = await pass(db, at)
        if (!next) throw error
        return { place: next, isDone: false }
      }),
    )
  }
}

/** Does a piece and keeps the place of the next one, in the same transaction. */
async function move(db: Db, { name }: Kind, piece: Kind['piece']): Promise<Outcome> {
  const of = db.selectFrom('recounts').where('name', '=', name)
  const row = await of.select('place').forUpdate().skipLocked().executeTakeFirst()
  if (!row) return (await of.select('place').executeTakeFirst()) ? 'waits' : 'ended'
  const next = await piece(db, row.place)
  if (next.isDone) await db.deleteFrom('recounts').where('name', '=', name).execute()
  else
    await db
      .updateTable('recounts')
      .set({ place: JSON.stringify(next.place) })
      .where('name', '=', name)
      .execute()
  return next
}
