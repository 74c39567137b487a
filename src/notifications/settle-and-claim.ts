import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../storage/engine.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { notRedactedSince } from '../transcripts/doors/not-redacted-since.ts'
import { DELIVERIES_AT_ONCE } from './notification.ts'
import type { WaitingDeliveries } from './read-ahead.ts'
import type { DeliveryState } from './tables.ts'

type Db = Kysely<Tables>

/** The outcome of a delivery. */
export interface Outcome {
  id: number
  state: DeliveryState
  finished_at: string
  status: number | null
  failure: string | null
  duration_ms: number
  answer: string | null
}

interface Changed {
  /** Ids of the deliveries that are `sending` now. */
  claimed: number[]
  /** Ids of the deliveries whose outcome is stored now. */
  settled: number[]
}

/**
 * Stores outcomes of deliveries and makes others `sending` in one transaction, at most DELIVERIES_AT_ONCE of either. A
 * delivery stays `pending` when its notification has changed since it was read, when its completion was redacted since,
 * or when somebody else holds it or has taken it. An outcome is not stored when one is stored already, or when somebody
 * else holds the delivery. This never waits for a redaction, since that may in turn wait for this: it locks completions
 * first, and then their deliveries.
 */
export async function settleAndClaim(
  db: Db,
  { locksRows }: Pick<Engine, 'locksRows'>,
  claim: Pick<WaitingDeliveries, 'notification' | 'built'> | null,
  ended: readonly Outcome[],
  now: string,
): Promise<Changed> {
  const outcomes = placed('ended', OUTCOME, ended)
  const settleFree = locksRows ? settleUnlocked : settleAny
  if (!claim) return { claimed: [], settled: idsOf(await settleFree(db, outcomes)) }
  const next = claim.built.map(({ delivery: { id, completion_id }, body: payload, redactions }) => ({
    id,
    payload,
    completion_id,
    redactions,
  }))
  const parameters = { ...claim.notification, now, ...placed('next', NEXT, next) }
  if (locksRows) {
    const rows = await settleAndClaimUnlocked(db, { ...outcomes, ...parameters })
    return {
      claimed: idsOf(rows.filter(({ is_settled }) => !is_settled)),
      settled: idsOf(rows.filter(({ is_settled }) => is_settled)),
    }
  }
  return db.transaction().execute(async (db) => ({
    settled: ended.length > 0 ? idsOf(await settleAny(db, outcomes)) : [],
    claimed: idsOf(await claimAny(db, parameters)),
  }))
}

/** Stores the outcomes of at most DELIVERIES_AT_ONCE deliveries; returns the ids of those that had no outcome yet. */
export async function settleDeliveries(db: Db, ended: readonly Outcome[]): Promise<number[]> {
  return idsOf(await settleAny(db, placed('ended', OUTCOME, ended)))
}

type Types = Record<string, 'bigint' | 'integer' | 'text'>
type Parameters = Record<string, unknown>
type Param = ParamOf<Parameters>

const NEXT = { id: 'bigint', payload: 'text', completion_id: 'text', redactions: 'integer' } as const
const OUTCOME = {
  id: 'bigint',
  state: 'text',
  finished_at: 'text',
  status: 'integer',
  failure: 'text',
  duration_ms: 'integer',
  answer: 'text',
} as const

const places = Array.from({ length: DELIVERIES_AT_ONCE }, (_, at) => at)

/** Builds parameters for DELIVERIES_AT_ONCE rows. Unused ones are null: no delivery has the id null. */
function placed<Row extends object>(name: string, types: Types, rows: readonly Row[]): Parameters {
  const values: Parameters = {}
  for (const at of places)
    for (const column in types) values[`${name}_${column}${at}`] = rows[at]?.[column as keyof Row] ?? null
  return values
}

/** Writes the rows of `placed` as a common table expression. */
function given(name: string, types: Types, param: Param): RawBuilder<unknown> {
  const rows = places.map((at) => {
    const cells = Object.entries(types).map(
      ([column, type]) => sql`cast(${param(`${name}_${column}${at}`)} as ${sql.raw(type)})`,
    )
    return sql`(${sql.join(cells)})`
  })
  return sql`${sql.raw(`${name} (${Object.keys(types)})`)} as (values ${sql.join(rows)})`
}

/**
 * Selects and locks those of some deliveries that nobody else holds. An engine without row locks has one writer at a
 * time, so there nobody else can hold any.
 */
function free(name: string, param: Param, locks: boolean): RawBuilder<unknown> {
  const lock = sql.raw(locks ? 'for update of deliveries skip locked' : '')
  return sql`${sql.raw(`free_${name}`)} as (
    select deliveries.id from deliveries join ${sql.raw(name)} on ${sql.raw(name)}.id = deliveries.id
    where ${among(name, param, locks)} ${lock})`
}

/**
 * Repeats the condition of the join: PostgreSQL might otherwise keep a plan from when the table was small, which reads
 * all of it.
 */
function among(name: string, param: Param, locks: boolean): RawBuilder<unknown> {
  if (!locks) return sql`true`
  const ids = places.map((at) => sql`cast(${param(`${name}_id${at}`)} as bigint)`)
  return sql`deliveries.id in (${sql.join(ids)})`
}

function settling(param: Param, locks: boolean) {
  return {
    tables: sql`${given('ended', OUTCOME, param)}, ${free('ended', param, locks)}`,
    // An outcome also replaces `unknown`. An answer may echo the body, so it is not kept once the body is redacted.
    update: sql<{ id: number }>`
      update deliveries set state = ended.state, finished_at = ended.finished_at, status = ended.status,
        failure = ended.failure, duration_ms = ended.duration_ms,
        answer = case when deliveries.payload is null then null else ended.answer end
      from ended
      where ${among('ended', param, locks)} and deliveries.id = ended.id and deliveries.state in ('sending', 'unknown')
        and deliveries.id in (select id from free_ended)
      returning deliveries.id`,
  }
}

function claiming(param: Param, locks: boolean) {
  return {
    tables: sql`${given('next', NEXT, param)}, ${free('next', param, locks)}`,
    update: sql<{ id: number }>`
      update deliveries set state = 'sending', sent_at = ${param('now')}, payload = next.payload
      from next
      where ${among('next', param, locks)} and deliveries.id = next.id and deliveries.state = 'pending'
        and deliveries.id in (select id from free_next)
        and (next.completion_id is null or
          ${notRedactedSince(sql`next.completion_id`, sql`next.redactions`, locks)})
        and exists (
          select 1 from notifications
          where id = ${param('id')} and url = ${param('url')} and security = ${param('security')}
            and secret = ${param('secret')} and failures = ${param('failures')} and lease = ${param('lease')}
            and active = 1
            and (held_until is null or held_until <= ${param('now')}))
      returning deliveries.id`,
  }
}

function statement<Row>(make: (param: Param) => RawBuilder<Row>) {
  return prepared<Parameters, Row>((db, param) => ({ compile: () => make(param).compile(db) }))
}

function settleStatement(locks: boolean) {
  return statement((param) => {
    const { tables, update } = settling(param, locks)
    return sql<{ id: number }>`with ${tables} ${update}`
  })
}

const settleAny = settleStatement(false)
const settleUnlocked = settleStatement(true)

const claimAny = statement((param) => {
  const { tables, update } = claiming(param, false)
  return sql<{ id: number }>`with ${tables} ${update}`
})

const settleAndClaimUnlocked = statement((param) => {
  const settle = settling(param, true)
  const claim = claiming(param, true)
  return sql<{ id: number; is_settled: boolean }>`
    with ${settle.tables}, ${claim.tables}, settled as (${settle.update}), claimed as (${claim.update})
    select id, true as is_settled from settled union all select id, false from claimed`
})

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}
