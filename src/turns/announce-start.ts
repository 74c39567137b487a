import type { Kysely } from 'kysely'
import { raise } from '../events/raise.ts'
import { isSubscribed } from '../events/subscriptions.ts'
import type { TurnRules } from '../rules/turn-rules.ts'
import type { Tables } from '../storage/tables.ts'
import { type StartedTurn, turnContext } from './turn.ts'

/**
 * Raises `response_start`, after the events from before it, while the response is still being made.
 * @returns false when nobody listens for it, or when it could not be stored
 */
export async function announceStart(
  db: Kysely<Tables>,
  turn: StartedTurn,
  rules: TurnRules | null,
  startedAt: string,
): Promise<boolean> {
  try {
    if (!(await isSubscribed(db, turn.agent.id, 'response_start'))) return false
    const start = turnContext(turn, startedAt)
    const before = rules?.promptEvents(start) ?? []
    await db.transaction().execute((db) => raise(db, ...before, { ...start, key: 'response_start' }))
    rules?.promptEventsRaised()
    return true
  } catch {
    // It will be raised with the end of the turn.
    return false
  }
}
