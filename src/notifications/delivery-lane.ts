import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { TeamHttp } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Lease } from '../work/lease.ts'
import { openAttempts } from './attempts.ts'
import { openBacklog } from './backlog.ts'
import type { BuiltPayload } from './build-payload.ts'
import { tellsOfHealth } from './endpoint-health.ts'
import { openSecrets, type Secrets } from './notification.ts'
import { type Attempt, sendDelivery } from './send-delivery.ts'
import { settleAndClaim } from './settle-and-claim.ts'
import { type EndedDelivery, outcomeOf, settleEach, settleWithHealth } from './settle-deliveries.ts'
import { signDelivery } from './sign.ts'
import type { NotificationRow } from './tables.ts'

interface LaneDependencies {
  database: Pick<Database, 'db' | 'engine'>
  box: SecretBox
  /** The calls of the notification's team. */
  http: TeamHttp
  clock: Clock
  /** Runs database work of only a few lanes at a time. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Receives each attempt that has ended. */
  attempted: (attempt: Attempt) => void
}

/** Sends the deliveries of one notification. */
export interface Lane {
  /** The row as it was claimed. */
  readonly notification: NotificationRow
  /** Tells the lane that more deliveries may wait. */
  look(): void
  /** Sends until nothing waits. After the lease's signal it sends nothing more. Stores all outcomes before it ends. */
  run(lease: Pick<Lease, 'signal'>): Promise<void>
}

/**
 * The next step of a lane. `advance`: store outcomes and send the next deliveries. `await`: wait until an attempt ends
 * or `look` is called. `retry`: soon try again to send deliveries that somebody else holds.
 */
type Step = 'advance' | 'await' | 'retry' | 'end'

/** The time for which a redaction holds a delivery, roughly. */
const RETRY_MS = 10
/** A lane rests for up to this long after a failure, because many endpoints that hang time out at the same moment. */
const FAILED_REST_MS = 500

/**
 * Opens a lane for a claimed notification. While some deliveries are being sent, the lane reads the next ones and
 * builds their bodies. One transaction makes these `sending` and stores the outcomes of those that ended.
 */
export function openLane(dependencies: LaneDependencies, notification: NotificationRow): Lane {
  const { database, box, http, clock, inTurn, attempted } = dependencies
  const { db, engine } = database
  const attempts = openAttempts()
  const backlog = openBacklog({ db, clock }, notification)
  /** True if some deliveries could not be claimed, usually because a redaction holds them. */
  let isHeldUp = false

  async function run({ signal }: Pick<Lease, 'signal'>): Promise<void> {
    try {
      for (;;) {
        if (!signal.aborted && backlog.mustRead()) await inTurn(backlog.read)
        const step = nextStep(signal)
        if (step === 'end') return
        if (step === 'await') await attempts.news()
        else if (step === 'retry') await wait(RETRY_MS).then(unhold)
        else await advance(signal)
      }
    } finally {
      await settleTheRest()
    }
  }

  function nextStep(signal: AbortSignal): Step {
    if (attempts.ended().length > 0) return 'advance'
    const maySend = !signal.aborted && room() > 0 && backlog.size() > 0
    if (maySend && !isHeldUp) return 'advance'
    if (attempts.underWay() > 0) return 'await'
    return maySend ? 'retry' : 'end'
  }

  async function advance(signal: AbortSignal): Promise<void> {
    if (!signal.aborted && attempts.ended().some(({ attempt }) => attempt.state === 'failed'))
      await wait(Math.random() * FAILED_REST_MS)
    else if (attempts.ended().length > 0) await attempts.gather()
    const ended = attempts.ended()
    const isHealthTold = ended.some(({ attempt }) => tellsOfHealth(attempt, backlog.failures()))
    const left = await inTurn(() => (isHealthTold ? settle(ended) : settleAndSend(ended, signal)))
    // Stored at once, because only this variable holds these outcomes.
    await settleEach(database, left, clock)
  }

  /** Stores outcomes and sends the next deliveries. @returns the attempts whose outcome could not be stored */
  async function settleAndSend(
    ended: readonly EndedDelivery[],
    signal: AbortSignal,
  ): Promise<EndedDelivery[]> {
    const nowMs = clock()
    const claim = signal.aborted ? null : backlog.take(room())
    // A previous secret may have run out since the deliveries were read.
    const secrets = claim && openSecrets(claim.notification, box, timestamp(nowMs))
    const outcomes = ended.map((one) => outcomeOf(one, nowMs))
    const { claimed, settled } = await settleAndClaim(db, engine, claim, outcomes, timestamp(nowMs))
    attempts.drop(ended)
    isHeldUp = false
    for (const one of claim?.built ?? []) {
      if (claim && claimed.includes(one.delivery.id)) send(claim.notification, secrets, one, nowMs)
      else isHeldUp = true
    }
    if (isHeldUp) backlog.expectMore()
    return ended.filter(({ id }) => !settled.includes(id))
  }

  function send(row: NotificationRow, secrets: Secrets | null, one: BuiltPayload, nowMs: number): void {
    attempts.begin(one.delivery.id, async () => {
      const attempt = await sendDelivery(http, signDelivery(row, secrets, one, nowMs))
      attempted(attempt)
      return attempt
    })
  }

  /** Stores outcomes and the endpoint's health. @returns the attempts whose outcome could not be stored */
  async function settle(ended: readonly EndedDelivery[]): Promise<EndedDelivery[]> {
    const { left, failures } = await settleWithHealth(database, notification.id, ended, clock)
    attempts.drop(ended)
    backlog.setFailures(failures)
    return left
  }

  /** Waits for all attempts and stores their outcomes, even after an error of the lane itself. */
  async function settleTheRest(): Promise<void> {
    while (nextStep(AbortSignal.abort()) !== 'end') {
      if (attempts.ended().length === 0) await attempts.news()
      else await settleEach(database, await settle(attempts.ended()), clock)
    }
  }

  /** Returns the number of further deliveries that may be under way. */
  function room(): number {
    return backlog.mostAtOnce() - attempts.underWay()
  }

  function unhold(): void {
    isHeldUp = false
  }

  return {
    notification,
    run,
    look() {
      backlog.expectMore()
      unhold()
      if (room() > 0) attempts.nudge()
    },
  }
}
