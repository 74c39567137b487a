import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { acrossAgents } from '../lib/agent-scope.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { fairTurns, type Owner } from './fair-turns.ts'
import type { QueueName } from './kinds.ts'
import { type Lease, LeaseLost } from './lease.ts'
import type { LookLoopOptions } from './look-loop.ts'
import type { Queue, QueuedRow } from './queue.ts'
import { codeOf, MOST_DEATHS, ProcessEnded, rule } from './retry.ts'
import { type Ids, inScopeOf, type RunningWork, runWork, type Stop } from './run-work.ts'
import { createSuspicion, type Suspicion } from './suspicion.ts'

/**
 * One kind of work that waits in the rows of a table. A policy defines a piece and does one; it throws when it cannot,
 * and the engine decides the fate of the piece.
 */
export interface QueuePolicy<Row extends QueuedRow>
  extends Pick<LookLoopOptions, 'topics' | 'frequentTopics'> {
  name: QueueName
  queue: Queue<Row>
  /** The most pieces that a process works at once. A single tenant gets half of them, a team seven of ten. */
  atOnce: number
  /** False while there is nothing to claim, where that is known without reading the table. */
  isOn?(): Promise<boolean>
  /**
   * Does one piece. It may call `end` in its last transaction; if it does not, the engine ends the piece.
   * @throws anything; the piece is then tried again, and parked after MOST_ATTEMPTS
   */
  work(row: Row, lease: Lease, stop: Stop): Promise<void>
  /** The signal that interrupts work; `asked` when absent. */
  endsAt?: keyof Stop
  /**
   * Returns the time of the next try after a failure that is not the piece's own, such as a server that is away: it never
   * leads to parking. Null: the failure is treated as any other.
   */
  patience?(error: Error, attempts: number): string | null
  /** Stores the effect of a failure on the row, in the transaction that counts it. */
  failed?(db: Kysely<Tables>, row: Row, error: Error): Promise<void>
  /**
   * Ends a piece after its last failure in place of parking it, in the transaction that counts the failure. Returns false
   * to have it parked.
   */
  giveUp?(db: Kysely<Tables>, row: Row, error: Error): Promise<boolean>
  /** Stores the effect of parking, in the transaction that parks the piece. */
  parked?(db: Kysely<Tables>, row: Row, error: Error): Promise<void>
  /** Raises the `error` event that reports a parked piece; absent where no agent is to be told. */
  raise?(db: Kysely<Tables>, event: ErrorEvent): Promise<void>
  /** The code of the `error` event that reports a parked piece; `work_parked` when absent. */
  parkedAs?: string
  /** True when the policy itself finds which part of a piece ended its processes. */
  findsSuspect?: boolean
  /** Returns the ids of a piece for the log and the event. */
  about(row: Row): EventIds
}

interface ErrorEvent {
  key: 'error'
  agent_id: number
  occurred_at: string
  data: { code: string; reason: string; work?: string }
  conversation_id?: string
  completion_id?: string
}

/**
 * The ids of a piece. `agent_id`, `conversation_id` and `completion_id` go into the event that reports a parked piece.
 */
type EventIds = Ids & { conversation_id?: string; completion_id?: string }

export interface QueueDependencies {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps' | 'engine'>
  clock: Clock
  logger: FastifyBaseLogger
  /** Shared by all work of the process. */
  suspicion?: Suspicion
  /** Called when another process has taken over a piece of this kind of work. */
  leaseLost?: (work: string) => void
}

/** The interval at which it looks for work that was under way when a process ended. */
const SUSPECTS_EVERY_MS = 1000

/**
 * Does the work of a table: tenants take turns, each piece is leased, and a piece that fails is tried again or parked.
 */
export function runQueue<Row extends QueuedRow>(
  policy: QueuePolicy<Row>,
  { database, clock, logger, suspicion = createSuspicion(), leaseLost }: QueueDependencies,
): RunningWork {
  const { queue, name } = policy
  const { db, engine } = database
  type Claimed = Row & Owner
  const { turns, claim, claimSuspect } = claimsOf(policy, database, clock, suspicion)

  /** Works a piece, and after a suspect the next suspect. */
  async function work(first: Claimed, stop: Stop): Promise<void> {
    const isSuspect = first.deaths > 0
    for (let row: Claimed | undefined = first; row; ) {
      const claimed: Claimed = row
      await inScopeOf(policy.about(claimed), () => workOne(claimed, stop))
      row = isSuspect && !stop.asked.aborted ? await claimSuspect() : undefined
    }
  }

  async function workOne(row: Claimed, stop: Stop): Promise<void> {
    using lease = queue.take(db, row, clock, stop[policy.endsAt ?? 'asked'])
    using _ = row.deaths > 0 ? suspicion.begin() : null
    try {
      if (row.deaths >= MOST_DEATHS && !policy.findsSuspect) throw new ProcessEnded()
      await policy.work(row, lease, stop)
      // Most pieces end in their last transaction; a piece that no longer exists needs no end.
      if (!queue.isEnded(row)) await queue.end(db, row).catch(ignoreLost)
    } catch (error) {
      if (lease.isLost) leaseLost?.(name)
      if (error instanceof LeaseLost || lease.isLost) return
      // The process stops, or the database is away: that is no failure of the piece.
      if (lease.signal.aborted) return await lease.free(db).catch(() => {})
      if (engine.isAway(error)) {
        await lease.free(db).catch(() => {})
        throw error
      }
      await settle(row, error as Error)
    } finally {
      turns.end(row)
    }
  }

  async function settle(row: Claimed, error: Error): Promise<void> {
    try {
      await store(row, error, policy)
    } catch (failure) {
      if (failure instanceof LeaseLost || engine.isAway(failure)) throw failure
      // The failure counts even if the policy fails to note it, so that the piece cannot come back for ever.
      logger.error(
        { ...policy.about(row), error: describeFailure(failure) },
        `a failure of ${name} was not noted`,
      )
      await store(row, error, {})
    }
  }

  async function store(
    row: Claimed,
    error: Error,
    noted: Pick<typeof policy, 'failed' | 'giveUp' | 'parked' | 'raise'>,
  ) {
    let [attempts, outcome] = [0, 'failed']
    await db.transaction().execute(async (db) => {
      const counted = await queue.countFailure(db, row)
      const nowMs = clock()
      const { dueAt, isWait, isParked } = ruleBy(policy, error, counted, nowMs)
      attempts = counted.attempts
      if (dueAt === null && (await noted.giveUp?.(db, row, error))) {
        await queue.end(db, row)
        outcome = 'were given up'
        return
      }
      if (isParked) outcome = 'were parked'
      await queue.postpone(db, row.id, {
        dueAt,
        failure: codeOf(error),
        isWait,
        parkedAt: isParked ? timestamp(nowMs) : null,
        // After a while it is tried once more, by itself.
        ...(error instanceof ProcessEnded ? { deaths: MOST_DEATHS - 1 } : {}),
      })
      await noted.failed?.(db, row, error)
      if (dueAt === null) await noted.parked?.(db, row, error)
      if (isParked && row.parked_at === null && noted.raise)
        await raiseParked(db, policy, noted.raise, row, error, timestamp(nowMs))
    })
    const about = { ...policy.about(row), attempt: attempts, error: describeFailure(error) }
    logger.warn(about, `${name} ${outcome}`)
  }

  return runWork<Claimed>(
    {
      ...policy,
      claim,
      hasMore: turns.isAnyFull,
      work,
      nextDue: async () => (policy.isOn && !(await policy.isOn()) ? null : queue.nextDue(db, clock())),
    },
    { database, clock, logger },
  )
}

/** Claims the pieces of a queue for this process, so that tenants take turns, and suspects one at a time. */
function claimsOf<Row extends QueuedRow>(
  policy: Pick<QueuePolicy<Row>, 'queue' | 'atOnce' | 'isOn'>,
  { db, presence }: Pick<Database, 'db' | 'presence'>,
  clock: Clock,
  suspicion: Suspicion,
) {
  type Claimed = Row & Owner
  const { queue, atOnce } = policy
  const turns = fairTurns(atOnce)
  let lookedForSuspects = Number.NEGATIVE_INFINITY

  async function claim(free: number): Promise<Claimed[]> {
    if (policy.isOn && !(await policy.isOn())) return []
    if (!(await queue.hasFree(db, { holder: presence.id, nowMs: clock() }))) return []
    const claimed: Claimed[] = []
    try {
      await claimInto(claimed, free)
    } catch (error) {
      // What was claimed before the failure is worked. If the cause lasts, the next look fails.
      if (claimed.length === 0) throw error
    }
    return claimed
  }

  async function claimInto(claimed: Claimed[], free: number): Promise<void> {
    while (claimed.length < free) {
      // Claims half at a time, so that the shares are known before the last places are given away.
      const limit = Math.ceil((free - claimed.length) / 2)
      const rows = await queue.claim(db, { holder: presence.id, nowMs: clock(), limit, turns })
      for (const row of rows) turns.begin(row)
      claimed.push(...rows)
      if (rows.length === 0 || (rows.length < limit && !turns.isAnyFull())) break
    }
    const now = performance.now()
    if (claimed.length < free && now - lookedForSuspects >= SUSPECTS_EVERY_MS) {
      lookedForSuspects = now
      const suspect = await claimSuspect()
      if (suspect) claimed.push(suspect)
    }
  }

  async function claimSuspect(): Promise<Claimed | undefined> {
    if (!suspicion.isFree()) return
    const [row] = await acrossAgents('one query looks for work of all agents whose processes died', () =>
      queue.claimSuspect(db, { holder: presence.id, nowMs: clock() }),
    )
    if (row) turns.begin(row)
    return row
  }

  return { turns, claim, claimSuspect }
}

/** Rules on a failed piece: the policy may have more patience with it than others. */
function ruleBy<Row extends QueuedRow>(
  policy: Pick<QueuePolicy<Row>, 'patience'>,
  error: Error,
  { attempts, waits }: Pick<QueuedRow, 'attempts' | 'waits'>,
  nowMs: number,
) {
  const dueAt = error instanceof ProcessEnded ? null : (policy.patience?.(error, attempts) ?? null)
  return dueAt === null
    ? { ...rule(error, attempts - waits, nowMs), isWait: false }
    : { dueAt, isParked: false, isWait: true }
}

/** Raises the event that reports a parked piece. */
async function raiseParked<Row extends QueuedRow>(
  db: Kysely<Tables>,
  policy: Pick<QueuePolicy<Row>, 'about' | 'name' | 'parkedAs'>,
  raise: NonNullable<QueuePolicy<Row>['raise']>,
  row: Row,
  error: Error,
  occurred_at: string,
): Promise<void> {
  const { agent_id, conversation_id, completion_id } = policy.about(row)
  if (agent_id === undefined) return
  const code = policy.parkedAs ?? 'work_parked'
  const data = { code, ...(policy.parkedAs ? {} : { work: policy.name }), reason: codeOf(error) }
  await raise(db, {
    key: 'error',
    agent_id,
    occurred_at,
    data,
    ...(conversation_id === undefined ? {} : { conversation_id }),
    ...(completion_id === undefined ? {} : { completion_id }),
  })
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error
}
