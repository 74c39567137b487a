import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { LoggedChange } from '../events/change.ts'
import type { LogPage } from '../events/change-log.ts'
import { CHANGES } from '../events/changes.ts'
import { beginEpoch } from '../events/epochs.ts'
import { type Place, placeAfter, type ToldPlace } from '../events/place.ts'
import { beginEventStream } from '../http/server-sent-events.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { RECONNECTED } from '../storage/wake-ups.ts'
import { lookLoop } from '../work/look-loop.ts'
import { catchUp } from './catch-up.ts'
import { company } from './company.ts'
import { type Admitted, endUnadmitted } from './end-unadmitted.ts'
import { followLog } from './follow-log.ts'
import { heartbeats } from './heartbeats.ts'
import { inboxCounts } from './inbox-counts.ts'
import { Listener, type Subscription } from './listener.ts'
import { Listeners } from './listeners.ts'
import { type NoticesOfPeople, noticeCounts } from './notice-counts.ts'
import { pieces } from './pieces.ts'
import { placesFor } from './places.ts'
import { readableEvents } from './readable-events.ts'
import { tellEvents } from './tell-listeners.ts'
import { tellUnkept } from './tell-unkept.ts'
import { eventText, resetEvent, type UnplacedEvent, unplaced } from './unplaced.ts'
import { watchElsewhere } from './watch-elsewhere.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps'>
  clock: Clock
  logger: { warn(about: { error: FailureDescription; change?: number }, message: string): void }
  /** Reads the present rights of admissions. */
  admitted: Admitted
  notices: NoticesOfPeople
}

/** The start of a stream: now, after a place, or anew since its place is unknown or too old. */
export type Start = 'now' | 'anew' | ToldPlace

/** Follows the log of changes once for all streams of this process, and sends its events to them. */
export interface Hub {
  /**
   * Answers a request with a stream.
   * @throws ApiError rate_limited when there are too many
   */
  open(reply: FastifyReply, subscription: Subscription, start: Start): Promise<void>
  /** Tracks who writes and who looks. */
  readonly company: ReturnType<typeof company>
  /** Streams the text of an answer while it is made. */
  readonly pieces: ReturnType<typeof pieces>
  count(): number
  start(): void
  /** Ends all streams. */
  close(): Promise<void>
}

/** The interval at which the log is read without a wake-up: another process may have written. */
const LOOK_EVERY_MS = 100
/** Changes of this time are read together. */
const GATHER_MS = 20
/** The time after which a browser's EventSource reconnects. */
const RETRY_MS = 2000

export function createHub({ database, clock, logger, admitted, notices }: Dependencies): Hub {
  const { db, engine, wakeUps } = database
  const listeners = new Listeners()
  const log = followLog({ db, engine, listeners, publish })
  const reading = lookLoop(
    { name: 'live changes', wakeUps, logger, frequentTopics: [CHANGES], everyMs: LOOK_EVERY_MS },
    async (stopping) => {
      if (log.place() === null) return
      await log.readOn(stopping)
      await wait(GATHER_MS)
    },
  )
  const inbox = inboxCounts({ db, clock, logger, listeners })
  const noticed = noticeCounts({ wakeUps, clock, logger, listeners, notices })
  const rescoped = (listener: Listener) => {
    listener.pass(resetEvent(clock()))
    noticed.changed()
  }
  const ending = endUnadmitted({ db, listeners, admitted, rescoped, logger })
  const elsewhere = watchElsewhere(wakeUps, listeners)
  const unkept = tellUnkept({ db, listeners, logger })
  const hub = {
    company: company({ wakeUps, clock, publish: unkept.publish }),
    pieces: pieces({ wakeUps, clock, listeners, elsewhere, publish: unkept.publish }),
  }
  const beating = heartbeats(listeners, () => {
    const place = log.place()
    return place && log.write(place, Date.now())
  })
  const parts = [elsewhere, noticed, hub.company, hub.pieces, beating]
  let unlisten = () => {}
  let isClosed = false

  async function publish(from: Place, { rows, seen }: LogPage): Promise<void> {
    const events = await readableEvents({ db, engine, logger }, rows, listeners)
    const sees = await placesFor(db, listeners.all, conversationsOf(events))
    await unkept.drained()
    const nowMs = Date.now()
    for (const { row, conversationId } of events) if (conversationId !== null) inbox.changed(row.agentId)
    if (rows.some(({ changes }) => changes.some(movesNotices))) noticed.changed()
    const placed = events.map((event) => {
      const place = log.write(placeAfter(from, seen, event.row, event.at + 1), nowMs)
      return { event, place }
    })
    tellEvents(listeners, placed, sees)
  }

  function refuseMore(subscription: Subscription): void {
    if (isClosed) throw new ApiError('unavailable', { headers: { 'retry-after': '1' } })
    if (!listeners.haveRoomFor(subscription, elsewhere.countsOf(subscription.agentId)))
      throw new ApiError('rate_limited', {
        message: 'Too many live streams are open.',
        headers: { 'retry-after': '10' },
      })
  }

  async function open(reply: FastifyReply, subscription: Subscription, start: Start): Promise<void> {
    refuseMore(subscription)
    const from = typeof start === 'object' ? await log.resumable(start, clock()) : null
    const begin = from ?? (await log.end())
    const listener = new Listener(reply.raw, subscription, begin)
    // Everything else waits for the headers.
    listener.hold()
    const until = await log.join(() => {
      refuseMore(subscription)
      listeners.add(listener)
    })
    elsewhere.changed(subscription.agentId)
    reply.raw.once('close', () => left(listener))
    if (reply.raw.destroyed) left(listener)
    beginEventStream(reply)
    const here = log.write(begin, Date.now())
    listener.write(`retry: ${RETRY_MS}\n${from === null ? `id: ${here}\n` : ''}\n`)
    if (start !== 'now' && from === null) listener.write(eventText(unplaced('reset', null, clock()), here))
    try {
      await tellPresent(db, hub.company.present(subscription), listener)
      if (from !== null) await catchUp({ db, engine, logger, write: log.write }, listener, from, until)
      if (listener.hasLost) inbox.changed(subscription.agentId)
    } catch (error) {
      // The client opens it again. Left open, the stream would hide that something is missing.
      logger.warn({ error: describeFailure(error) }, 'a live stream could not begin')
      listener.cut()
    }
    listener.release()
    const reached = log.place()
    if (reached !== null) listener.reached(reached)
  }

  function left(listener: Listener): void {
    listeners.delete(listener)
    elsewhere.changed(listener.subscription.agentId)
  }

  /** Begins an epoch before anything of a database that may have been put back is sent. */
  function reconnected(): void {
    beginEpoch(database).catch((error) =>
      logger.warn({ error: describeFailure(error) }, 'it is not known whether the database was put back'),
    )
  }

  return {
    ...hub,
    open,
    count: () => listeners.all.size,
    start() {
      unlisten = wakeUps.listen(RECONNECTED, reconnected)
      reading.start()
      ending.start()
      for (const part of parts) part.start()
    },
    async close() {
      isClosed = true
      unlisten()
      inbox.close()
      for (const part of parts) part.close()
      for (const listener of listeners.all) listener.end()
      await Promise.all([reading.stop(), ending.stop()])
    },
  }
}

/** Tells a listener who writes and who looks already. */
async function tellPresent(
  db: Kysely<Tables>,
  present: readonly UnplacedEvent[],
  listener: Listener,
): Promise<void> {
  const sees = await placesFor(db, [listener], conversationsOf(present))
  for (const event of present) {
    const seen = event[listener.subscription.view]
    if (seen && sees(listener, event.conversationId)) listener.write(eventText(seen))
  }
}

function conversationsOf(all: readonly { conversationId: string | null }[]) {
  return all.map(({ conversationId }) => conversationId)
}

/** Tells whether a conversation was read or answered, which reads its notices, or given to somebody, which may hide them. */
function movesNotices(change: LoggedChange): boolean {
  return change.type === 'conversation' && change.fields.some((field) => MOVING.has(field))
}

const MOVING = new Set(['read', 'waiting_since', 'assignee_id', 'group_id'])
