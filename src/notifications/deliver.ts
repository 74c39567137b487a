import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../storage/engine.ts'
import type { DeliveryRow, Tables } from '../storage/tables.ts'
import { holdAfter, mostAtOnce } from './breaker.ts'
import { buildPayload } from './build-payload.ts'
import * as store from './delivery-store.ts'
import { AT_ONCE, openSecrets } from './notification.ts'
import { webhookId } from './schemas.ts'
import { type Attempt, type Sending, sendDelivery } from './send-delivery.ts'
import { commonHeaders, signatureHeaders } from './sign.ts'

/** The topic of wake-ups for deliveries. */
export const DELIVERIES = 'deliveries'

export interface DeliveryDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps'>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  logger: FastifyBaseLogger
}

/** Longer than a delivery takes: a slot or a `sending` delivery of this age has lost its process. */
const HELD_MS = 15_000
/** A slot is kept for longer when it was last kept this long ago. */
const KEEP_EVERY_MS = 2_000
const SWEEP_EVERY_MS = 5_000
/** Where the waking process is another one, nothing tells of new deliveries but a look. */
const LOOK_EVERY_MS = { sqlite: 25, postgres: 100 }
/** After the database has refused a sender. */
const REST_MS = 1000
/** Pauses between attempts to store how a delivery ended. */
const STORE_AGAIN_AFTER_MS = [50, 500, 2000]
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000

interface Claimed extends Sending {
  delivery: DeliveryRow
  failures: number
}

interface HeldSlot {
  notification_id: number
  slot: number
  keptAt: number
}

interface Finished {
  delivery: DeliveryRow
  attempt: Attempt
  failures: number
}

/**
 * Sends deliveries, each exactly once. `sending` is committed before the connection opens: a delivery whose process died
 * there becomes `unknown`, one that was `pending` is sent by the next process. Of each notification four are under way
 * at once, across all processes, so that a receiver that hangs holds up nobody else.
 */
export function deliverNotifications({ database, box, outbound, clock, logger }: DeliveryDependencies) {
  const { db, engine, wakeUps } = database
  const holder = randomUUID()
  /** Senders of this process by notification. */
  const senders = new Map<number, number>()
  const running = new Set<Promise<void>>()
  let isOn = false
  let looking: Promise<void> | null = null
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined
  let sweeping: NodeJS.Timeout | undefined
  let unlisten = () => {}

  function look(): void {
    if (!isOn) return
    isAskedAgain = true
    looking ??= startSenders().finally(() => {
      looking = null
      if (!isOn) return
      clearTimeout(timer)
      timer = setTimeout(look, LOOK_EVERY_MS[engine.kind])
      timer.unref()
    })
  }

  async function startSenders(): Promise<void> {
    try {
      while (isAskedAgain && isOn) {
        isAskedAgain = false
        const due = await store.selectDueNotifications(db, { now: timestamp(clock()) })
        for (const { id } of due) {
          if ((senders.get(id) ?? 0) < AT_ONCE) startSender(id)
        }
      }
    } catch (error) {
      logger.warn({ error: (error as Error).name }, 'deliveries cannot be looked for')
    }
  }

  function startSender(id: number): void {
    senders.set(id, (senders.get(id) ?? 0) + 1)
    const task = sendAll(id)
      .catch(async (error: Error) => {
        logger.warn({ error: error.name, notification_id: id }, 'a sender of deliveries ended')
        await wait(REST_MS)
      })
      .finally(() => {
        running.delete(task)
        const left = (senders.get(id) ?? 1) - 1
        if (left === 0) senders.delete(id)
        else senders.set(id, left)
      })
    running.add(task)
  }

  /** Sends deliveries of a notification, one after the other, until none waits. */
  async function sendAll(id: number): Promise<void> {
    const now = clock()
    const [notification] = await store.selectNotificationById(db, { id })
    if (!notification) return
    const slot = await store.takeSlot(db, engine, id, {
      holder,
      now: timestamp(now),
      until: timestamp(now + HELD_MS),
      most: mostAtOnce(notification),
    })
    if (slot === null) return
    const held: HeldSlot = { notification_id: id, slot, keptAt: now }
    let finished: Finished | null = null
    try {
      for (;;) {
        const claimed: Claimed | null = await next(held, finished)
        finished = null
        if (!claimed) break
        // Where one waits there may be more.
        if (isOn && (senders.get(id) ?? 0) < mostAtOnce(claimed)) startSender(id)
        const attempt = await sendDelivery(outbound, claimed)
        finished = { delivery: claimed.delivery, attempt, failures: claimed.failures }
      }
    } catch (error) {
      if (finished) await settleAgain(id, finished)
      throw error
    } finally {
      await store.freeSlot(db, { notification_id: id, slot, holder })
    }
  }

  /**
   * Stores how the last delivery ended and makes the next one `sending`, in one transaction. Rows are taken in the
   * order in which all others take them: notification, slot, completion, and the delivery that ended last, since a
   * redaction holds completions when it comes for the bodies of their deliveries.
   */
  async function next(held: HeldSlot, finished: Finished | null): Promise<Claimed | null> {
    const time = clock()
    const now = timestamp(time)
    return db.transaction().execute(async (db) => {
      if (finished) await writeHealth(db, held.notification_id, finished, time)
      const claimed =
        isOn && (await keepSlot(db, held, time)) ? await claim(db, held.notification_id, time) : null
      if (finished) await writeOutcome(db, finished, now)
      return claimed
    })
  }

  /** @returns whether the slot is still this sender's */
  async function keepSlot(db: Kysely<Tables>, held: HeldSlot, time: number): Promise<boolean> {
    if (time - held.keptAt < KEEP_EVERY_MS) return true
    const { notification_id, slot } = held
    const [kept] = await store.renewSlot(db, {
      notification_id,
      slot,
      holder,
      until: timestamp(time + HELD_MS),
    })
    held.keptAt = time
    return kept !== undefined
  }

  async function claim(db: Kysely<Tables>, id: number, time: number): Promise<Claimed | null> {
    const now = timestamp(time)
    const [notification] = await store.selectNotificationById(db, { id })
    if (!notification?.active || (notification.held_until ?? '') > now) return null
    const [delivery] = await store.takeDelivery[engine.kind](db, { notification_id: id })
    return delivery ? prepare(db, notification, delivery, time) : null
  }

  /** What is known of a delivery is not given up with the transaction that failed. */
  async function settleAgain(id: number, finished: Finished): Promise<void> {
    for (const pause of STORE_AGAIN_AFTER_MS) {
      try {
        return await db.transaction().execute(async (db) => {
          await writeHealth(db, id, finished, clock())
          await writeOutcome(db, finished, timestamp(clock()))
        })
      } catch {
        await wait(pause)
      }
    }
  }

  async function writeOutcome(
    db: Kysely<Tables>,
    { delivery, attempt }: Pick<Finished, 'delivery' | 'attempt'>,
    finished_at: string,
  ): Promise<void> {
    const { durationMs: duration_ms, ...outcome } = attempt
    await store.writeOutcome(db, { id: delivery.id, finished_at, duration_ms, ...outcome })
  }

  async function writeHealth(
    db: Kysely<Tables>,
    id: number,
    { attempt, failures }: Finished,
    now: number,
  ): Promise<void> {
    if (attempt.state === 'delivered') {
      if (failures > 0) await store.resetFailures(db, { id })
      return
    }
    const [counted] = await store.countFailure(db, { id })
    const held_until = holdAfter(counted?.failures ?? 0, now)
    if (held_until) await store.holdNotification(db, { id, held_until })
  }

  async function prepare(
    db: Kysely<Tables>,
    notification: store.SendingNotification,
    delivery: DeliveryRow,
    now: number,
  ): Promise<Claimed> {
    const { body, trace } = await buildPayload(db, engine, notification, delivery)
    await store.writeSending(db, { id: delivery.id, sent_at: timestamp(now), payload: body })
    const secrets = openSecrets(notification, box, timestamp(now))
    const webhook_id = webhookId(delivery)
    return {
      delivery,
      failures: notification.failures,
      url: notification.url,
      body,
      headers: {
        ...commonHeaders(webhook_id, trace),
        ...signatureHeaders(notification.security, secrets, webhook_id, Math.floor(now / 1000), body),
      },
    }
  }

  async function sweep(): Promise<void> {
    const time = clock()
    const now = timestamp(time)
    await store.markUnknown(db, timestamp(time - HELD_MS), now)
    await store.expireDeliveries(db, timestamp(time - EXPIRES_AFTER_MS), now)
    await store.expireUnwanted(db, now)
  }

  return {
    async start() {
      if (engine.kind === 'sqlite') {
        // One process works on a file: what was being sent has lost its process.
        await store.markUnknown(db, timestamp(clock() + 1), timestamp(clock()))
        await store.freeAllSlots(db)
      }
      isOn = true
      unlisten = wakeUps.listen(DELIVERIES, look)
      sweeping = setInterval(() => {
        sweep().catch((error: Error) => logger.warn({ error: error.name }, 'deliveries cannot be swept'))
      }, SWEEP_EVERY_MS)
      sweeping.unref()
      look()
    },
    sweep,
    /** Sends one delivery now, whatever else waits: a test of the notification. */
    async sendNow(delivery: DeliveryRow): Promise<void> {
      const claimed = await db.transaction().execute(async (db) => {
        const [notification] = await store.selectNotificationById(db, { id: delivery.notification_id })
        return notification ? prepare(db, notification, delivery, clock()) : null
      })
      if (!claimed) return
      const attempt = await sendDelivery(outbound, claimed)
      await writeOutcome(db, { delivery, attempt }, timestamp(clock()))
    },
    /** Claims nothing more and waits for what is under way. */
    async stop() {
      isOn = false
      unlisten()
      clearTimeout(timer)
      clearInterval(sweeping)
      await looking
      await Promise.all(running)
    },
  }
}

export type Deliverer = ReturnType<typeof deliverNotifications>
