import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { TraceContext } from '../lib/trace-context.ts'
import { inTrace } from '../lib/tracing.ts'
import type { Database } from '../storage/engine.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { DeliveryRow, Tables } from '../storage/tables.ts'
import { holdAfter, mostAtOnce } from './breaker.ts'
import { buildPayloads } from './build-payload.ts'
import * as store from './delivery-store.ts'
import { openSecrets } from './notification.ts'
import { webhookId } from './schemas.ts'
import { type Attempt, type Sending, sendDelivery } from './send-delivery.ts'
import { commonHeaders, signatureHeaders } from './sign.ts'
import { freeSlots, renewSlots, takeSlots } from './slot-store.ts'

export interface LaneDependencies {
  database: Pick<Database, 'db' | 'engine'>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  /** Names this process. */
  holder: string
}

/** Longer than a delivery takes: a slot or a `sending` delivery of this age has lost its process. */
export const HELD_MS = 15_000
/** Slots are kept for longer when they were last kept this long ago. */
const KEEP_EVERY_MS = 2_000
/** A redaction takes about so long. */
const HELD_UP_MS = 10

interface Claimed extends Sending {
  delivery: DeliveryRow
  trace: TraceContext | null
}

interface Finished {
  delivery: DeliveryRow
  attempt: Attempt
}

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
  let slots = 0
  let most = 0
  let keptAt = 0
  let failures = 0
  /** Whether a redaction held what waits when it was last looked for. */
  let isHeldUp = false
  let underWay = 0
  let finished: Finished[] = []
  let news = Promise.withResolvers<void>()

  async function run(): Promise<void> {
    const now = clock()
    const [notification] = await store.selectNotificationById(db, { id })
    if (!notification) return
    most = mostAtOnce(notification)
    slots = await takeSlots(db, engine, id, {
      holder,
      now: timestamp(now),
      until: timestamp(now + HELD_MS),
      most,
    })
    keptAt = now
    if (slots === 0) return
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
            await writeHealth(db, [one], clock())
            await settleDelivery(db, one, clock())
          })
      }
      await freeSlots(db, { notification_id: id, holder })
    }
  }

  function send(claimed: Claimed): void {
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
  async function advance(): Promise<Claimed[]> {
    const ended = [...finished]
    const time = clock()
    // What ends from here on is not stored by this transaction: it still takes its place.
    const open = underWay
    const mayClaim = isOn() && hasRoom()
    isHeldUp = false
    if (ended.length === 0 && !mayClaim) return []
    const { claimed, left } = await db.transaction().execute(async (db) => {
      await writeHealth(db, ended, time)
      const claimed = mayClaim ? await claim(db, open, time) : []
      const outcomes = ended.map((one) => outcomeOf(one, time))
      const written = outcomes.length > 0 ? await store.writeFreeOutcomes[engine.kind](db, outcomes) : []
      return { claimed, left: ended.filter(({ delivery }) => !written.includes(delivery.id)) }
    })
    finished = finished.filter((one) => !ended.includes(one))
    for (const one of left) await insist((db) => settleDelivery(db, one, clock()))
    return claimed
  }

  async function claim(db: Kysely<Tables>, open: number, time: number): Promise<Claimed[]> {
    const now = timestamp(time)
    const [notification] = await store.selectNotificationById(db, { id })
    if (!notification?.active || (notification.held_until ?? '') > now) return []
    failures = notification.failures
    most = mostAtOnce(notification)
    await keepSlots(db, time)
    const limit = Math.min(slots, most) - open
    if (limit <= 0) return []
    const waiting = await store.takeDeliveries[engine.kind](db, { notification_id: id, limit })
    const claimed =
      waiting.length > 0 ? await prepareDeliveries(db, dependencies, notification, waiting, time) : []
    isHeldUp = claimed.length < waiting.length
    return claimed
  }

  function hasRoom(): boolean {
    return underWay < Math.min(slots, most)
  }

  /** Those that another process has taken over meanwhile are this one's no more. */
  async function keepSlots(db: Kysely<Tables>, time: number): Promise<void> {
    if (time - keptAt < KEEP_EVERY_MS) return
    const until = timestamp(time + HELD_MS)
    slots = (await renewSlots(db, { notification_id: id, holder, until })).length
    keptAt = time
  }

  async function writeHealth(db: Kysely<Tables>, ended: readonly Finished[], now: number): Promise<void> {
    for (const { attempt } of ended) {
      // Who answers is there, whatever the answer; what is blocked costs nobody anything.
      if (attempt.state !== 'failed') {
        if (failures > 0) await store.resetFailures(db, { id })
        failures = 0
        continue
      }
      const [counted] = await store.countFailure(db, { id })
      failures = counted?.failures ?? 0
      const held_until = holdAfter(failures, now)
      if (held_until) await store.holdNotification(db, { id, held_until })
    }
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

/** Stores how one delivery ended, whoever else holds it at the moment. */
export async function settleDelivery(db: Kysely<Tables>, ended: Finished, now: number): Promise<void> {
  await store.writeOutcomes(db, [outcomeOf(ended, now)])
}

function outcomeOf({ delivery, attempt: { durationMs: duration_ms, ...attempt } }: Finished, now: number) {
  return { id: delivery.id, finished_at: timestamp(now), duration_ms, ...attempt }
}

/** Makes deliveries `sending`, with the bodies that they are sent with; those of completions under redaction wait. */
export async function prepareDeliveries(
  db: Kysely<Tables>,
  { database: { engine }, box }: Pick<LaneDependencies, 'database' | 'box'>,
  notification: store.SendingNotification,
  deliveries: readonly DeliveryRow[],
  now: number,
): Promise<Claimed[]> {
  const built = await buildPayloads(db, engine, notification, deliveries)
  if (built.length === 0) return []
  await store.writeSending(
    db,
    timestamp(now),
    built.map(({ delivery, body }) => ({ id: delivery.id, payload: body })),
  )
  const secrets = openSecrets(notification, box, timestamp(now))
  return built.map(({ delivery, body, trace }) => {
    const webhook_id = webhookId(delivery)
    return {
      delivery,
      trace,
      url: notification.url,
      body,
      headers: {
        ...commonHeaders(webhook_id, trace),
        ...signatureHeaders(notification.security, secrets, webhook_id, Math.floor(now / 1000), body),
      },
    }
  })
}
