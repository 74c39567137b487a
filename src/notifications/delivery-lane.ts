import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { inTrace } from '../lib/tracing.ts'
import type { Database } from '../storage/engine.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Tables } from '../storage/tables.ts'
import { selectNotificationById, takeDeliveries } from './delivery-store.ts'
import { endpointHealth } from './endpoint-health.ts'
import { holdSlots } from './held-slots.ts'
import { type PreparedDelivery, prepareDeliveries } from './prepare-deliveries.ts'
import { type Attempt, sendDelivery } from './send-delivery.ts'
import { type EndedDelivery, settleDelivery, settleFreeDeliveries } from './settle-deliveries.ts'

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

export interface Lane {
  /** Ends when nothing waits and nothing is under way. */
  readonly done: Promise<void>
  /** Something new may wait. */
  look(): void
}

/**
 * Sends the deliveries of one notification from this process: as many at once as it gets slots, each `sending` and
 * committed before its connection opens. Those that end at about the same time are stored, and the next ones taken,
 * in one transaction.
 */
export function startLane(dependencies: LaneDependencies, id: number, isOn: () => boolean): Lane {
  const { database, outbound, clock, holder } = dependencies
  const { db, engine } = database
  const slots = holdSlots(engine, id, holder)
  const health = endpointHealth(id)
  /** Whether a redaction held what waits when it was last looked for. */
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
      for (;;) {
        news = Promise.withResolvers()
        for (const claimed of await advance()) send(claimed)
        if (underWay === 0 && finished.length === 0) {
          if (!isHeldUp) return
          await wait(HELD_UP_MS)
        }
        if (underWay > 0 && finished.length === 0) await news.promise
        // What ends in the same turn of the event loop is stored with it.
        await nextTurn()
      }
    } finally {
      // What is known of a delivery is not given up with a transaction that failed.
      while (underWay > 0 || finished.length > 0) {
        news = Promise.withResolvers()
        if (finished.length === 0) await news.promise
        for (const one of finished.splice(0))
          await insist(async (db) => {
            await health.write(db, attemptsOf([one]), clock())
            await settleDelivery(db, one, clock())
          })
      }
      await slots.free(db)
    }
  }

  function send(claimed: PreparedDelivery): void {
    underWay++
    const { delivery, trace } = claimed
    void inTrace(trace, () => sendDelivery(outbound, claimed))
      .catch(
        (): Attempt => ({ state: 'failed', status: null, failure: 'internal', durationMs: 0, answer: null }),
      )
      .then((attempt) => {
        underWay--
        finished.push({ delivery, attempt })
        news.resolve()
      })
  }

  /**
   * Stores how deliveries ended and makes the next ones `sending`, in one transaction. Rows are taken in the order in
   * which all others take them: notification, slots, completions, and the deliveries that ended last, since a redaction
   * holds completions when it comes for the bodies of their deliveries.
   */
  async function advance(): Promise<PreparedDelivery[]> {
    const ended = [...finished]
    const time = clock()
    // What ends from here on is not stored by this transaction: it still takes its place.
    const open = underWay
    const mayClaim = isOn() && hasRoom()
    isHeldUp = false
    if (ended.length === 0 && !mayClaim) return []
    const { claimed, left } = await db.transaction().execute(async (db) => {
      await health.write(db, attemptsOf(ended), time)
      const claimed = mayClaim ? await claim(db, open, time) : []
      return { claimed, left: await settleFreeDeliveries(db, engine, ended, time) }
    })
    finished = finished.filter((one) => !ended.includes(one))
    for (const one of left) await insist((db) => settleDelivery(db, one, clock()))
    return claimed
  }

  async function claim(db: Kysely<Tables>, open: number, time: number): Promise<PreparedDelivery[]> {
    const [notification] = await selectNotificationById(db, { id })
    if (!notification?.active || (notification.held_until ?? '') > timestamp(time)) return []
    health.read(notification)
    await slots.keep(db, notification, time)
    const limit = slots.usable() - open
    if (limit <= 0) return []
    const waiting = await takeDeliveries[engine.kind](db, { notification_id: id, limit })
    if (waiting.length === 0) return []
    const claimed = await prepareDeliveries(db, dependencies, notification, waiting, time)
    isHeldUp = claimed.length < waiting.length
    return claimed
  }

  function hasRoom(): boolean {
    return underWay < slots.usable()
  }

  async function insist(work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
    await keepTrying(engine, () => db.transaction().execute(work)).catch(() => {})
  }

  return {
    done: run(),
    look() {
      if (hasRoom()) news.resolve()
    },
  }
}

function attemptsOf(ended: readonly EndedDelivery[]): Attempt[] {
  return ended.map(({ attempt }) => attempt)
}
