import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { EVENTS } from '../events/raise.ts'
import { atMost } from '../lib/at-most.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { periodic } from '../lib/periodic.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { inTrace } from '../lib/tracing.ts'
import type { Database } from '../storage/engine.ts'
import type { DeliveryRow } from '../storage/tables.ts'
import { buildPayloads } from './build-payload.ts'
import { type Lane, startLane } from './delivery-lane.ts'
import * as store from './delivery-store.ts'
import { HELD_MS } from './held-slots.ts'
import { openSecrets } from './notification.ts'
import { sendDelivery } from './send-delivery.ts'
import { settleDelivery } from './settle-deliveries.ts'
import { signDelivery } from './sign.ts'
import { DELIVERIES } from './topics.ts'

export interface DeliveryDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps' | 'presence'>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  logger: FastifyBaseLogger
}

const SWEEP_EVERY_MS = 5_000
/** Where the waking process is another one, nothing tells of new deliveries but a look. */
const LOOK_EVERY_MS = 100
/** Events that are raised within this time are looked for together. */
const GATHER_MS = 3
/** Lanes that ask the database for something: the others wait, and connections are left for everybody else. */
const LANES_AT_ONCE = 4
/** After the database has refused a lane. */
const REST_MS = 1000
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Sends deliveries, each exactly once. `sending` is committed before the connection opens: a delivery whose process died
 * there becomes `unknown`, one that was `pending` is sent by the next process. Of each notification four are under way
 * at once, across all processes, so that a receiver that hangs holds up nobody else.
 */
export function deliverNotifications({ database, box, outbound, clock, logger }: DeliveryDependencies) {
  const { db, engine, wakeUps } = database
  const holder = database.presence.id
  const inTurn = atMost(LANES_AT_ONCE)
  const dependencies = { database, box, outbound, clock, holder, inTurn }
  /** By notification. */
  const lanes = new Map<number, Lane>()
  const running = new Set<Promise<void>>()
  let isOn = false
  let looking: Promise<void> | null = null
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  let unlisten = () => {}
  const sweeping = periodic({ name: 'sweeping deliveries', everyMs: SWEEP_EVERY_MS, logger }, sweep)

  function look(): void {
    if (!isOn) return
    isAskedAgain = true
    // Whoever wakes this up has nothing to do with what is sent.
    looking ??= inTrace(null, startLanes).finally(() => {
      looking = null
      if (!isOn) return
      clearTimeout(timer)
      timer = setTimeout(look, LOOK_EVERY_MS)
      timer.unref()
    })
  }

  async function startLanes(): Promise<void> {
    try {
      while (isAskedAgain && isOn) {
        isAskedAgain = false
        const due = await store.selectDueNotifications(db, { now: timestamp(clock()) })
        for (const { id } of due) keepGoing(id)
      }
    } catch (error) {
      logger.warn({ error: describeFailure(error) }, 'deliveries cannot be looked for')
    }
  }

  function keepGoing(id: number): void {
    const present = lanes.get(id)
    if (present) {
      present.look()
      return
    }
    const lane = startLane(dependencies, id, () => isOn)
    lanes.set(id, lane)
    const task = lane.done
      .catch(async (error: Error) => {
        logger.warn({ error: describeFailure(error), notification_id: id }, 'deliveries were broken off')
        await wait(REST_MS)
      })
      .finally(() => {
        running.delete(task)
        lanes.delete(id)
      })
    running.add(task)
  }

  /** This process has raised events: those that follow at once are looked for with them. */
  function lookSoon(): void {
    if (gathering) return
    gathering = setTimeout(() => {
      gathering = undefined
      look()
    }, GATHER_MS)
    gathering.unref()
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
      if (engine.isSingleProcess) {
        // No other process works on the database, so what was being sent has lost its process.
        await store.markUnknown(db, timestamp(clock() + 1), timestamp(clock()))
      }
      isOn = true
      const listening = [wakeUps.listen(DELIVERIES, look), wakeUps.listen(EVENTS, lookSoon)]
      unlisten = () => {
        for (const stop of listening) stop()
      }
      sweeping.start()
      look()
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
      isOn = false
      unlisten()
      clearTimeout(timer)
      await sweeping.stop()
      await looking
      await Promise.all(running)
    },
  }
}

export type Deliverer = ReturnType<typeof deliverNotifications>
