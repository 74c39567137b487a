import { type Kysely, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { AuditRow } from './tables.ts'

/** A person, a bearer token, somebody with a shell on the server, or the service itself. */
export interface Actor {
  readonly kind: AuditRow['actor_kind']
  readonly id: number | null
  readonly name: string | null
}

export function isSameActor(one: Actor, other: Actor): boolean {
  return one.kind === other.kind && one.id === other.id
}

/** An actor and their network address. */
export interface By {
  readonly actor: Actor
  /** The caller's network address. */
  readonly address: string | null
}

/** An actor in a team. */
export interface TeamBy extends By {
  readonly teamId: number
}

/** An actor with a shell on the server, who has every right. */
export const byCommandLine: By = { actor: { kind: 'command_line', id: null, name: null }, address: null }

/** The service itself. */
export const bySystem: By = { actor: { kind: 'system', id: null, name: null }, address: null }

/** An act, recorded for the owners of a team. */
interface Act extends TeamBy {
  agentId?: number | null
  /** The timestamp of the act. */
  at: string
  /** A noun and a past participle, such as `agent.paused`. */
  action: `${string}.${string}`
  /** The object of the act, such as `operator 3`. */
  target?: string
  /** The changes, and counts of them; never a secret, and no text of end users. */
  details?: Record<string, unknown>
}

/**
 * Records an act in the transaction that carries it out, so that the audit contains exactly the acts that happened.
 * Returns its id.
 */
export async function record(db: Kysely<Tables>, act: Act): Promise<number> {
  const { id } = await db
    .insertInto('audit')
    .values({
      team_id: act.teamId,
      agent_id: act.agentId ?? null,
      at: act.at,
      actor_kind: act.actor.kind,
      actor_id: act.actor.id,
      actor_name: act.actor.name,
      action: act.action,
      target: act.target ?? null,
      details: act.details ? JSON.stringify(act.details) : null,
      address: act.address,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Gives an act that takes several transactions its details so far. */
export async function detail(db: Kysely<Tables>, id: number, details: Act['details']): Promise<void> {
  await db
    .updateTable('audit')
    .set({ details: JSON.stringify(details) })
    .where('id', '=', id)
    .execute()
}

/** Returns the time at which a refused sign-in to a target was last recorded; an empty text when there was none. */
export async function lastRefusal(db: Kysely<Tables>, target: string): Promise<string> {
  const row = await db
    .selectFrom('audit')
    .select('at')
    // Written as in the index's predicate, so that the index is used.
    .where(sql<boolean>`action = 'session.refused'`)
    .where('target', '=', target)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? ''
}
