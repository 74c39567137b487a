import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'
import type { LoggedChange } from '../events/change.ts'
import { endOfLog, type LogPage, RESUMABLE_MS, readLog } from '../events/change-log.ts'
import { CHANGES } from '../events/changes.ts'
import { beginEpoch, type Epoch, markOf } from '../events/epochs.ts'
import { type Place, placeAfter, type ToldPlace, writePlace } from '../events/place.ts'
import { beginEventStream } from '../http/server-sent-events.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure, type FailureDescription } from '../lib/describe-failure.ts'
import { advance } from '../storage/commit-order.ts'
import type { Database } from '../storage/opened-database.ts'
import { RECONNECTED } from '../storage/wake-ups.ts'
import { lookLoop } from '../work/look-loop.ts'
import { catchUp } from './catch-up.ts'
import { company } from './company.ts'
import { type Admitted, endUnadmitted } from './end-unadmitted.ts'
import { inboxCounts } from './inbox-counts.ts'
import { Listener, type Subscription } from './listener.ts'
import { Listeners } from './listeners.ts'
import { type NoticesOfPeople, noticeCounts } from './notice-counts.ts'
import { pieces } from './pieces.ts'
import { placesFor, type Sees } from './places.ts'
import type { LiveEvent } from './read-events.ts'
import { readableEvents } from './readable-events.ts'
import { tellEvents } from './tell-listeners.ts'
import { tellUnkept } from './tell-unkept.ts'
import { eventText, resetEvent, unplaced } from './unplaced.ts'
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
const PAGE = 500
/** An idle stream sends a heartbeat this often, which keeps proxies from closing it. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT_PARTS = 60
/** The time after which a browser's EventSource reconnects. */
const RETRY_MS = 2000

export function createHub({ database, clock, logger, admitted, notices }: Dependencies): Hub {
  const { db, engine, wakeUps } = database
  const listeners = new Listeners()
  const elsewhere = watchElsewhere(wakeUps, listeners)
  /** The place up to which the log was read; null while nobody listens. */
  let place: Place | null = null
  /** The mark of the epoch of that place. */
  let mark = ''
  /** The epochs that have begun. */
  let epochs: readonly Epoch[] = []
  let isReading = false
  /** Listeners that wait for the end of the page that is being read. */
  const joining: (() => void)[] = []
  let isClosed = false
  let tick = 0
  let heartbeat: NodeJS.Timeout | undefined
  let unlisten = () => {}
  const unkept = tellUnkept({ db, listeners, logger })
  const hub = {
    company: company({ wakeUps, clock, publish: unkept.publish }),
    pieces: pieces({ wakeUps, clock, listeners, elsewhere, publish: unkept.publish }),
  }
  const follow = lookLoop(
    { name: 'live changes', wakeUps, logger, frequentTopics: [CHANGES], everyMs: LOOK_EVERY_MS },
    async (stopping) => {
      if (place === null) return
      await readOn(stopping)
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

  async function readOn(stopping: AbortSignal): Promise<void> {
    for (let isCut = true; isCut && place !== null && !stopping.aborted; ) {
      isReading = true
      try {
        const page = await readLog(db, engine.commitOrder, place, PAGE)
        epochs = page.epochs
        if (markOf(epochs, place.transactions) !== mark) return beginAnew()
        const events = await readableEvents({ db, engine, logger }, page.rows, listeners)
        const ids = events.map(({ conversationId }) => conversationId)
        const sees = await placesFor(db, listeners.all, ids)
        await unkept.drained()
        send(place, page, events, sees)
        reach(behind(place, page))
        isCut = page.isCut
        for (const listener of listeners.all) listener.reached(place)
      } finally {
        isReading = false
        for (const join of joining.splice(0)) join()
        if (listeners.all.size === 0) place = null
      }
    }
  }

  /** Cuts all streams after the database was put back: clients that reconnect learn that their place is gone. */
  function beginAnew(): void {
    for (const listener of listeners.all) listener.cut()
    place = null
  }

  /**
   * Adds a listener between two pages of the log: it gets all of the next one.
   * @returns the place after which it gets events
   */
  async function join(listener: Listener): Promise<Place> {
    while (place === null) {
      const end = await endNow()
      if (place === null) reach(end)
    }
    return new Promise((resolve, reject) => {
      const add = () => {
        try {
          refuseMore(listener.subscription)
        } catch (error) {
          return reject(error)
        }
        listeners.add(listener)
        resolve(place as Place)
      }
      if (isReading) joining.push(add)
      else add()
    })
  }

  function send(from: Place, page: LogPage, events: readonly LiveEvent[], sees: Sees): void {
    const nowMs = Date.now()
    for (const { row, conversationId } of events) if (conversationId !== null) inbox.changed(row.agentId)
    if (page.rows.some(({ changes }) => changes.some(movesNotices))) noticed.changed()
    const placed = events.map((event) => {
      const place = write(placeAfter(from, page.seen, event.row, event.at + 1), nowMs)
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
    const from = typeof start === 'object' ? await resumable(start) : null
    const begin = from ?? (await endNow())
    const listener = new Listener(reply.raw, subscription, begin)
    // Everything else waits for the headers.
    listener.hold()
    const until = await join(listener)
    elsewhere.changed(subscription.agentId)
    reply.raw.once('close', () => left(listener))
    if (reply.raw.destroyed) left(listener)
    beginEventStream(reply)
    const here = write(begin, Date.now())
    listener.write(`retry: ${RETRY_MS}\n${from === null ? `id: ${here}\n` : ''}\n`)
    if (start !== 'now' && from === null) listener.write(eventText(unplaced('reset', null, clock()), here))
    const present = hub.company.present(subscription)
    const sees = await placesFor(
      db,
      [listener],
      present.map(({ conversationId }) => conversationId),
    )
    for (const happening of present) {
      const seen = happening[subscription.view]
      if (seen && sees(listener, happening.conversationId)) listener.write(eventText(seen))
    }
    if (from !== null) await catchUp({ db, engine, logger, write }, listener, from, until)
    listener.release()
    if (place !== null) listener.reached(place)
  }

  /** Returns the place to resume from; null when it is too old, or of another log than this. */
  async function resumable(reported: ToldPlace): Promise<Place | null> {
    if (reported.toldMs <= clock() - RESUMABLE_MS) return null
    const { until } = reported.place.transactions
    // Another process may have sent a place beyond the part that was read here.
    const isKnown = place !== null && until <= place.transactions.until
    if (!isKnown && until > (await endNow()).transactions.until) return null
    return reported.mark === markOf(epochs, reported.place.transactions) ? reported.place : null
  }

  async function endNow(): Promise<Place> {
    const end = await endOfLog(db, engine.commitOrder)
    epochs = end.epochs
    return end.place
  }

  function reach(reached: Place): void {
    place = reached
    mark = markOf(epochs, reached.transactions)
  }

  function write(place: Place, nowMs: number): string {
    return writePlace(place, markOf(epochs, place.transactions), nowMs)
  }

  function left(listener: Listener): void {
    listeners.delete(listener)
    elsewhere.changed(listener.subscription.agentId)
  }

  /** Sends heartbeats to a part of the listeners at a time, so that none of many waits for all others. */
  function beat(): void {
    tick = (tick + 1) % HEARTBEAT_PARTS
    if (place === null) return
    const here = Buffer.from(`: keep-alive\nid: ${write(place, Date.now())}\n\n`)
    const quiet = Buffer.from(': keep-alive\n\n')
    let at = 0
    for (const listener of listeners.all) {
      if (at++ % HEARTBEAT_PARTS === tick) listener.pass(listener.isInStep ? here : quiet)
    }
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
      follow.start()
      ending.start()
      elsewhere.start()
      noticed.start()
      hub.company.start()
      hub.pieces.start()
      heartbeat = setInterval(beat, HEARTBEAT_MS / HEARTBEAT_PARTS)
      heartbeat.unref()
    },
    async close() {
      isClosed = true
      unlisten()
      clearInterval(heartbeat)
      hub.company.close()
      hub.pieces.close()
      inbox.close()
      noticed.close()
      elsewhere.close()
      for (const listener of listeners.all) listener.end()
      await Promise.all([follow.stop(), ending.stop()])
    },
  }
}

/** Tells whether a conversation was read or answered, which reads its notices, or given to somebody, which may hide them. */
function movesNotices(change: LoggedChange): boolean {
  return change.type === 'conversation' && change.fields.some((field) => MOVING.has(field))
}

const MOVING = new Set(['read', 'waiting_since', 'assignee_id', 'group_id'])

/** Returns the place after a page that was read from another place. */
function behind(from: Place, { rows, seen, isCut }: LogPage): Place {
  const last = rows.at(-1)
  if (isCut) return last ? placeAfter(from, seen, last, last.changes.length) : from
  return { transactions: advance(from.transactions, seen), within: null }
}
