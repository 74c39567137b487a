import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../storage/engine.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Tables } from '../storage/tables.ts'
import { advanceDeliveries } from './advance-deliveries.ts'
import { type BuiltPayload, READ_AHEAD } from './build-payload.ts'
import { type SendingNotification, selectNotificationById } from './delivery-store.ts'
import { endpointHealth } from './endpoint-health.ts'
import { holdSlots } from './held-slots.ts'
import { DELIVERIES_AT_ONCE } from './notification.ts'
import { readAhead, type WaitingDeliveries } from './read-ahead.ts'
import { type Attempt, sendDelivery } from './send-delivery.ts'
import { type EndedDelivery, outcomeOf, settleDelivery } from './settle-deliveries.ts'
import { signDelivery } from './sign.ts'

interface LaneDependencies {
  database: Pick<Database, 'db' | 'engine'>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  /** Names this process. */
  holder: string
  /** Keeps many lanes that ask the database for much at the same moment from holding up the others, and everybody else. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/** A redaction takes about so long. */
const HELD_UP_MS = 10
/** What was read longer ago is read again before it is sent. */
const FRESH_MS = 1000
/** What ends within this time is stored together: a fraction of the statements, and hardly longer than an exchange. */
const GATHER_MS = 3
/** Up to so long a lane rests after a failure: many endpoints that hang run out of time at the same moment. */
const FAILED_REST_MS = 500

function hasFailed({ attempt }: EndedDelivery): boolean {
  return attempt.state === 'failed'
}

export interface Lane {
  /** Ends when nothing waits and nothing is under way. */
  readonly done: Promise<void>
  /** Something new may wait. */
  look(): void
}

/**
 * Sends the deliveries of one notification from this process: as many at once as it gets slots, each `sending` and
 * committed before its connection opens. Those that end at about the same time are stored, and the next ones made
 * `sending`, in one go; further ones are read and get their bodies while these are being sent.
 */
export function startLane(dependencies: LaneDependencies, id: number, stopping: AbortSignal): Lane {
  const { database, box, outbound, clock, holder, inTurn } = dependencies
  const { db, engine } = database
  const slots = holdSlots(id, holder)
  const health = endpointHealth(id)
  /** What waits, as it was read last. */
  let waiting: WaitingDeliveries | null = null
  let readAt = 0
  /** Whether there may be more than was read. */
  let mayWaitMore = true
  /** Whether some that were read could not be taken: most likely a redaction holds them. */
  let isHeldUp = false
  let underWay = 0
  let finished: EndedDelivery[] = []
  let news = Promise.withResolvers<void>()
  /** Who waits for all that is under way. */
  let onAllEnded = () => {}

  async function run(): Promise<void> {
    try {
      if (!(await inTurn(open))) return
      for (;;) {
        const isIdle = underWay === 0 && finished.length === 0
        if (isIdle && !mayClaim()) return
        if (isIdle && isHeldUp) await wait(HELD_UP_MS)
        else if (finished.length === 0 && (isHeldUp || !mayClaim())) await news.promise
        if (!stopping.aborted && finished.some(hasFailed)) await wait(Math.random() * FAILED_REST_MS)
        else if (finished.length > 0) await allEnded()
        news = Promise.withResolvers()
        // Before anything else may fail: what could not be stored is kept nowhere.
        await settleEach(await inTurn(advance))
        if (isReadUp()) await inTurn(() => read())
      }
    } finally {
      // What is known of a delivery is not given up with a transaction that failed.
      while (underWay > 0 || finished.length > 0) {
        news = Promise.withResolvers()
        if (finished.length === 0) await news.promise
        await settleEach(await settleTogether(finished.splice(0, DELIVERIES_AT_ONCE)))
      }
      if (slots.usable() > 0) await slots.free(db)
    }
  }

  /** Takes slots and sends what waits; whether there is any slot. */
  async function open(): Promise<boolean> {
    const [notification] = await selectNotificationById(db, { id })
    if (!notification) return false
    await slots.take(db, notification, clock())
    if (slots.usable() === 0) return false
    await read(notification)
    await advance()
    if (isReadUp()) await read()
    return true
  }

  /** Whether all that was read is sent, and there may be more. */
  function isReadUp(): boolean {
    return !waiting?.built.length && mayWaitMore
  }

  /** Reads what is to be sent next, while other deliveries are under way. */
  async function read(known?: SendingNotification): Promise<void> {
    const time = clock()
    const isQuick = waiting !== null && time - readAt < FRESH_MS
    waiting = null
    mayWaitMore = false
    if (stopping.aborted) return
    readAt = time
    const limit = isQuick ? READ_AHEAD.many : READ_AHEAD.few
    const read = await readAhead({ db, box }, id, timestamp(time), limit, known)
    if (!read) return
    mayWaitMore ||= read.built.length === limit
    health.read(read.notification)
    await slots.keep(db, read.notification, clock())
    waiting = read
  }

  /** What was read may not be sent as it is. */
  function forget(): void {
    waiting = null
    mayWaitMore = true
  }

  /**
   * Stores how deliveries ended, and sends of those that were read as many as there is room for. Returns those whose
   * end could not be stored.
   */
  async function advance(): Promise<EndedDelivery[]> {
    isHeldUp = false
    if (finished.some(({ attempt }) => health.isTold(attempt))) {
      const left = await settleTogether(finished.splice(0, DELIVERIES_AT_ONCE))
      const failures = health.stillFailing()
      if (waiting && failures !== null)
        waiting = { ...waiting, notification: { ...waiting.notification, failures } }
      else forget()
      return left
    }
    const ended = [...finished]
    const time = clock()
    if (waiting && time - readAt > FRESH_MS) forget()
    const claim = waiting && mayClaim() ? { ...waiting, built: waiting.built.splice(0, room()) } : null
    if (ended.length === 0 && !claim) return []
    const outcomes = ended.map((one) => outcomeOf(one, time))
    const { claimed, settled } = await advanceDeliveries(db, engine, claim, outcomes, timestamp(time))
    finished = finished.filter((one) => !ended.includes(one))
    for (const one of claim?.built ?? []) {
      if (claim && claimed.includes(one.delivery.id)) send(one, claim, time)
      else isHeldUp = mayWaitMore = true
    }
    return ended.filter(({ id }) => !settled.includes(id))
  }

  function send(one: BuiltPayload, { notification, secrets }: WaitingDeliveries, time: number): void {
    underWay++
    const { id } = one.delivery
    const signAndSend = async () => sendDelivery(outbound, signDelivery(notification, secrets, one, time))
    void signAndSend()
      .catch(
        (): Attempt => ({ state: 'failed', status: null, failure: 'internal', durationMs: 0, answer: null }),
      )
      .then((attempt) => {
        underWay--
        finished.push({ id, attempt })
        news.resolve()
        if (underWay === 0) onAllEnded()
      })
  }

  /** Until nothing is under way, but no longer than GATHER_MS. */
  function allEnded(): Promise<void> {
    if (underWay === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      onAllEnded = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /**
   * Stores how deliveries ended, DELIVERIES_AT_ONCE at most, and what that tells of the endpoint. Returns those whose end could
   * not be stored.
   */
  async function settleTogether(ended: readonly EndedDelivery[]): Promise<EndedDelivery[]> {
    const store = async (db: Kysely<Tables>) => {
      const time = clock()
      const attempts = ended.map(({ attempt }) => attempt)
      await health.write(db, attempts, time)
      const outcomes = ended.map((one) => outcomeOf(one, time))
      return advanceDeliveries(db, engine, null, outcomes, timestamp(time))
    }
    const stored = await keepTrying(engine, () => db.transaction().execute(store)).catch(() => null)
    return ended.filter(({ id }) => !stored?.settled.includes(id))
  }

  /** Waits for the redaction that holds them, by one at a time, so that none waits for the other. */
  async function settleEach(ended: readonly EndedDelivery[]): Promise<void> {
    for (const one of ended) await keepTrying(engine, () => settleDelivery(db, one, clock())).catch(() => {})
  }

  /** How many more may be under way: what has ended and is being stored has given its place to the next. */
  function room(): number {
    return slots.usable() - underWay
  }

  function mayClaim(): boolean {
    return !stopping.aborted && room() > 0 && waiting !== null && waiting.built.length > 0
  }

  return {
    done: run(),
    look() {
      mayWaitMore = true
      if (room() > 0) news.resolve()
    },
  }
}
