import type { FastifyBaseLogger } from 'fastify'
import { EVENTS } from '../events/raise.ts'
import { atMost } from '../lib/at-most.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { periodic } from '../lib/periodic.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Database } from '../storage/engine.ts'
import { runWork } from '../work/run-work.ts'
import { buildPayloads } from './build-payload.ts'
import { type Lane, startLane } from './delivery-lane.ts'
import * as store from './delivery-store.ts'
import { HELD_MS } from './held-slots.ts'
import { openSecrets } from './notification.ts'
import { sendDelivery } from './send-delivery.ts'
import { settleDelivery } from './settle-deliveries.ts'
import { signDelivery } from './sign.ts'
import type { DeliveryRow } from './tables.ts'
import { DELIVERIES } from './topics.ts'

export interface DeliveryDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps' | 'presence'>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  logger: FastifyBaseLogger
}

const SWEEP_EVERY_MS = 5_000
/** Each prompt raises events, of which other processes are not told: they find what waits by looking. */
const LOOK_EVERY_MS = 100
/** Lanes that ask the database for something: the others wait, and connections are left for everybody else. */
const LANES_AT_ONCE = 4
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Sends deliveries, each exactly once. `sending` is committed before the connection opens: a delivery whose process died
 * there becomes `unknown`, one that was `pending` is sent by the next process. Of each notification four are under way
 * at once, across all processes, so that a receiver that hangs holds up nobody else.
 */
export function deliverNotifications({ database, box, outbound, clock, logger }: DeliveryDependencies) {
  const { db, engine } = database
  const holder = database.presence.id
  const inTurn = atMost(LANES_AT_ONCE)
  const dependencies = { database, box, outbound, clock, holder, inTurn }
  /** By notification. */
  const lanes = new Map<number, Lane>()
  const sending = runWork<number>(
    {
      name: 'deliveries',
      topics: [DELIVERIES],
      frequentTopics: [EVENTS],
      everyMs: LOOK_EVERY_MS,
      async claim() {
        const due = await store.selectDueNotifications(db, { now: timestamp(clock()) })
        for (const { id } of due) lanes.get(id)?.look()
        return due.map(({ id }) => id)
      },
      async work(id, stop) {
        const lane = startLane(dependencies, id, stop.asked)
        lanes.set(id, lane)
        await lane.done.finally(() => lanes.delete(id))
      },
      about: (notification_id) => ({ notification_id }),
    },
    { database, clock, logger },
  )
  const sweeping = periodic({ name: 'sweeping deliveries', everyMs: SWEEP_EVERY_MS, logger }, sweep)

  async function sweep(): Promise<void> {
    const time = clock()
    const now = timestamp(time)
    await store.markUnknown(db, timestamp(time - HELD_MS), now)
    await store.expireDeliveries(db, timestamp(time - EXPIRES_AFTER_MS), now)
    await store.expireUnwanted(db, now)
  }

  return {
    async start() {
      if (engine.isSingleProcess) {
        // No other process works on the database, so what was being sent has lost its process.
        await store.markUnknown(db, timestamp(clock() + 1), timestamp(clock()))
      }
      sweeping.start()
      sending.start()
    },
    sweep,
    /** Sends one delivery now, whatever else waits: a test of the notification. */
    async sendNow(delivery: DeliveryRow): Promise<void> {
      const { id, notification_id } = delivery
      const [notification] = await store.selectNotificationById(db, { id: notification_id })
      if (!notification) return
      const [built] = await buildPayloads(db, notification, await store.selectSending(db, { id }))
      if (!built) return
      await store.writePayload(db, id, built.body)
      const time = clock()
      const secrets = openSecrets(notification, box, timestamp(time))
      const attempt = await sendDelivery(outbound, signDelivery(notification, secrets, built, time))
      await settleDelivery(db, { id, attempt }, clock())
    },
    /** Claims nothing more and waits for what is under way. */
    async stop() {
      // Whatever is being sent ends by itself within its time-out.
      await Promise.all([sweeping.stop(), sending.stop(0)])
    },
  }
}

export type Deliverer = ReturnType<typeof deliverNotifications>
