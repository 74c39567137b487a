import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { inTrace } from '../lib/tracing.ts'
import type { Database } from '../storage/engine.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Tables } from '../storage/tables.ts'
import { advanceDeliveries } from './advance-deliveries.ts'
import { type BuiltPayload, READ_AHEAD } from './build-payload.ts'
import { type SendingNotification, selectNotificationById } from './delivery-store.ts'
import { endpointHealth } from './endpoint-health.ts'
import { holdSlots } from './held-slots.ts'
import { AT_ONCE } from './notification.ts'
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
}

/** A redaction takes about so long. */
const HELD_UP_MS = 10
/** What was read longer ago is read again before it is sent. */
const FRESH_MS = 1000

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
export function startLane(dependencies: LaneDependencies, id: number, isOn: () => boolean): Lane {
  const { database, box, outbound, clock, holder } = dependencies
  const { db, engine } = database
  const slots = holdSlots(engine, id, holder)
  const health = endpointHealth(id)
  /** What waits, as it was read last. */
  let waiting: WaitingDeliveries | null = null
  let readAt = 0
  /** Whether some that were read could not be taken: most likely a redaction holds them. */
  let isHeldUp = false
  let underWay = 0
  let finished: EndedDelivery[] = []
  let news = Promise.withResolvers<void>()

  async function run(): Promise<void> {
    const [notification] = await selectNotificationById(db, { id })
    if (!notification) return
    await slots.take(db, notification, clock())
    if (slots.usable() === 0) return
    try {
      await read(notification)
      for (;;) {
        news = Promise.withResolvers()
        await advance()
        if (!waiting?.built.length) await read()
        const isIdle = underWay === 0 && finished.length === 0
        if (isIdle && !mayClaim()) return
        if (isIdle && isHeldUp) await wait(HELD_UP_MS)
        else if (finished.length === 0 && (isHeldUp || !mayClaim())) await news.promise
        // What ends in the same turn of the event loop is stored with it.
        await nextTurn()
      }
    } finally {
      // What is known of a delivery is not given up with a transaction that failed.
      while (underWay > 0 || finished.length > 0) {
        news = Promise.withResolvers()
        if (finished.length === 0) await news.promise
        await settle(finished.splice(0, AT_ONCE))
      }
      await slots.free(db)
    }
  }

  /** Reads what is to be sent next, while other deliveries are under way. */
  async function read(known?: SendingNotification): Promise<void> {
    const time = clock()
    const isQuick = waiting !== null && time - readAt < FRESH_MS
    waiting = null
    if (!isOn()) return
    readAt = time
    const limit = isQuick ? READ_AHEAD.many : READ_AHEAD.few
    const read = await readAhead({ db, box }, id, timestamp(time), limit, known)
    if (!read) return
    health.read(read.notification)
    await slots.keep(db, read.notification, clock())
    waiting = read
  }

  /** Stores how deliveries ended, and sends of those that were read as many as there is room for. */
  async function advance(): Promise<void> {
    isHeldUp = false
    if (finished.some(({ attempt }) => health.isTold(attempt))) {
      await settle(finished.splice(0, AT_ONCE))
      const failures = health.stillFailing()
      if (waiting && failures !== null)
        waiting = { ...waiting, notification: { ...waiting.notification, failures } }
      else waiting = null
      return
    }
    const ended = [...finished]
    const time = clock()
    if (time - readAt > FRESH_MS) waiting = null
    const claim = waiting && mayClaim() ? { ...waiting, built: waiting.built.splice(0, room()) } : null
    if (ended.length === 0 && !claim) return
    const outcomes = ended.map((one) => outcomeOf(one, time))
    const { claimed, settled } = await advanceDeliveries(db, engine, claim, outcomes, timestamp(time))
    finished = finished.filter((one) => !ended.includes(one))
    for (const one of claim?.built ?? []) {
      if (claim && claimed.includes(one.delivery.id)) send(one, claim, time)
      else isHeldUp = true
    }
    await settle(ended.filter(({ id }) => !settled.includes(id)))
  }

  function send(one: BuiltPayload, { notification, secrets }: WaitingDeliveries, time: number): void {
    underWay++
    const { id } = one.delivery
    const signAndSend = async () => sendDelivery(outbound, signDelivery(notification, secrets, one, time))
    void inTrace(one.trace, signAndSend)
      .catch(
        (): Attempt => ({ state: 'failed', status: null, failure: 'internal', durationMs: 0, answer: null }),
      )
      .then((attempt) => {
        underWay--
        finished.push({ id, attempt })
        news.resolve()
      })
  }

  /** Stores how deliveries ended, AT_ONCE at most, and what that tells of the endpoint, until it is stored. */
  async function settle(ended: readonly EndedDelivery[]): Promise<void> {
    if (ended.length === 0) return
    const store = async (db: Kysely<Tables>) => {
      const time = clock()
      const attempts = ended.map(({ attempt }) => attempt)
      await health.write(db, attempts, time)
      const outcomes = ended.map((one) => outcomeOf(one, time))
      return advanceDeliveries(db, engine, null, outcomes, timestamp(time))
    }
    const stored = await keepTrying(engine, () => db.transaction().execute(store)).catch(() => null)
    // A redaction that holds them is waited for, by one at a time, so that none waits for the other.
    for (const one of ended) {
      if (stored?.settled.includes(one.id)) continue
      await keepTrying(engine, () => settleDelivery(db, one, clock())).catch(() => {})
    }
  }

  /** How many more may be under way: what has ended and is being stored has given its place to the next. */
  function room(): number {
    return slots.usable() - underWay
  }

  function mayClaim(): boolean {
    return isOn() && room() > 0 && waiting !== null && waiting.built.length > 0
  }

  return {
    done: run(),
    look() {
      if (room() > 0) news.resolve()
    },
  }
}
