import type { FastifyBaseLogger } from 'fastify'
import { EVENTS } from '../events/raise.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import { type Clock, DAY_MS, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { Begin } from '../lib/pacing/one-by-one.ts'
import { periodic } from '../lib/pacing/periodic.ts'
import { turnsByTeam } from '../lib/pacing/turns-by-team.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Database } from '../storage/opened-database.ts'
import { runWork, type Stop } from '../work/run-work.ts'
import { type Lane, openLane } from './delivery-lane.ts'
import * as store from './delivery-store.ts'
import type { Attempt } from './send-delivery.ts'
import type { DeliveryState } from './tables.ts'
import { DELIVERIES } from './topics.ts'

interface DeliveryDependencies {
  database: Pick<Database, 'db' | 'engine' | 'wakeUps' | 'presence'>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  logger: FastifyBaseLogger
  /**
   * Counts deliveries that ended.
   * @param durationMs null for those that ended without an attempt
   */
  ended?: (state: DeliveryState, durationMs: number | null, count?: number) => void
  leaseLost?: (work: string) => void
}

const SWEEP_EVERY_MS = 5_000
/** A time longer than any delivery takes: one that is still `sending` has lost its process. */
const LOST_AFTER_MS = 15_000
const EXPIRES_AFTER_MS = DAY_MS
/** Events wake only the process that raises them, so the others have to look often. */
const LOOK_EVERY_MS = 100
/** The number of lanes that may use the database at once, so that connections are left for requests. */
const LANES_AT_ONCE = 4

/**
 * Sends each delivery at most once. `sending` is committed before the connection opens. When a process dies, its
 * deliveries that were `sending` become `unknown`, and the next process sends those that were `pending`. One process at
 * a time works a notification and sends four of its deliveries at once, so a receiver that hangs delays no other one.
 */
export function deliverNotifications({
  database,
  box,
  outbound,
  clock,
  logger,
  ended = () => {},
  leaseLost,
}: DeliveryDependencies) {
  const { db, engine, presence } = database
  const turns = turnsByTeam(LANES_AT_ONCE)
  const lanes = runWork<Lane>(
    {
      name: 'deliveries',
      topics: [DELIVERIES],
      frequentTopics: [EVENTS],
      everyMs: LOOK_EVERY_MS,
      claim,
      work: workLane,
      about: ({ notification }) => ({ agent_id: notification.agent_id, notification_id: notification.id }),
    },
    { database, clock, logger },
  )
  const sweeping = periodic({ name: 'sweeping deliveries', everyMs: SWEEP_EVERY_MS, logger }, () =>
    acrossAgents('one query ends the overdue deliveries of all agents', sweep),
  )

  /** Opens a lane for each due notification that no process works, and tells open lanes that more deliveries wait. */
  async function claim(_limit: number, underWay: Iterable<Lane>): Promise<Lane[]> {
    const nowMs = clock()
    const due = await store.selectDueNotifications(db, { holder: presence.id, now: timestamp(nowMs) })
    if (due.length === 0) return []
    const open = new Map([...underWay].map((lane) => [lane.notification.id, lane]))
    const alreadyOpen = due.flatMap(({ id }) => open.get(id) ?? [])
    for (const lane of alreadyOpen) lane.look()
    const teams = new Map(due.flatMap(({ id, team_id }) => (open.has(id) ? [] : [[id, team_id]])))
    const claimed = await store.claimNotifications(db, [...teams.keys()], { holder: presence.id, nowMs })
    const opened = claimed.map((notification) => {
      const team = teams.get(notification.id) ?? null
      async function inTurn<T>(work: () => Promise<T>): Promise<T> {
        using _place = await turns.take(team)
        return await work()
      }
      const attempted = ({ state, durationMs }: Attempt) => ended(state, durationMs)
      return openLane({ database, box, http: outbound.of(team), clock, inTurn, attempted }, notification)
    })
    return [...alreadyOpen, ...opened]
  }

  async function workLane(lane: Lane, stop: Stop): Promise<void> {
    using lease = store.notificationLeases.take(db, lane.notification, clock, stop.asked)
    try {
      await lane.run(lease)
      if (lease.isLost) leaseLost?.('deliveries')
    } finally {
      await lease.free(db)
    }
  }

  async function sweep(): Promise<void> {
    const nowMs = clock()
    const now = timestamp(nowMs)
    ended('unknown', null, await store.markUnknown(db, timestamp(nowMs - LOST_AFTER_MS), now))
    ended('expired', null, await store.expireDeliveries(db, timestamp(nowMs - EXPIRES_AFTER_MS), now))
    ended('expired', null, await store.expireUnwanted(db, now))
  }

  return {
    async start(inTurn?: Begin) {
      if (engine.isSingleProcess) {
        // No other process uses the database, so every delivery that is `sending` has lost its process.
        ended('unknown', null, await store.markUnknown(db, timestamp(clock() + 1), timestamp(clock())))
      }
      lanes.start(inTurn)
      sweeping.start(inTurn)
    },
    sweep,
    /** Sends nothing more and waits for the deliveries under way. Each ends within its time-out. */
    async stop() {
      await Promise.all([sweeping.stop(), lanes.stop(0)])
    },
  }
}

export type Deliverer = ReturnType<typeof deliverNotifications>
