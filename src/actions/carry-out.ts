import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { Action, PlaceOfSecret } from './action.ts'
import type { ActionContext } from './action-context.ts'
import { type Caller, callWebhook } from './call-webhook.ts'
import type { Step } from './steps.ts'
import { failed, type Result, setStoredAction } from './stored-actions.ts'

/** The progress of a list of actions. */
export interface Progress {
  /** Index of the next action. */
  action: number
  /** True behind an action that did not succeed and stops the others. */
  isStopped?: boolean
}

/** A list of actions in a conversation, and how its progress is stored. */
interface Course {
  readonly actions: readonly Action[]
  placeOf: PlaceOfSecret
  /** Begins the ids of its calls of webhooks. */
  name: string
  /** Returns what its calls tell beside the time. */
  told: () => Promise<object>
  contextIn: (db: Kysely<Tables>) => ActionContext
  /** Stores an outcome in the transaction in which `act` carries the action out. `unknown`: a call is about to be made. */
  store: (index: number, act: Act<Result | { outcome: 'unknown' }>) => Promise<void>
}

type Act<Outcome> = (db: Kysely<Tables>) => Promise<Outcome>

/**
 * Carries out the actions that are left of a list. Each is stored in one transaction with its outcome, so one that
 * fails leaves the others as they are, and whoever goes on after the death of a process begins behind the last one. A
 * webhook is called at most once.
 */
export async function carryOut(caller: Caller, progress: Progress, course: Course): Promise<void> {
  const { actions, placeOf, name, told, contextIn, store } = course
  for (;;) {
    const index = progress.action
    const action = nextAction(actions, progress)
    if (!action) return
    const settle = (act: Act<Result>) =>
      store(index, async (db) => {
        const result = await act(db)
        pass(actions, progress, result.outcome)
        return result
      })
    if (action.type === 'call_webhook') {
      // Read before the call is stored as begun: from then on it counts as made.
      const call = { action, place: placeOf(index), id: `${name}_${index}`, payload: await told() }
      await store(index, async () => ({ outcome: 'unknown' }))
      const isDone = await callWebhook(caller, call)
      await settle(async () => (isDone ? { outcome: 'done' } : failed('webhook_failed')))
    } else await settle((db) => setStoredAction(contextIn(db), action))
  }
}

/** Returns the action that is carried out next; undefined: none is. */
export function nextAction(actions: readonly Action[], progress: Progress): Action | undefined {
  return progress.isStopped ? undefined : actions[progress.action]
}

/** Goes on to the next action, unless this one did not succeed and stops the others. */
export function pass(actions: readonly Action[], progress: Progress, outcome: Step['outcome']): void {
  if (hasFailed(outcome) && actions[progress.action]?.on_failure === 'stop') progress.isStopped = true
  progress.action++
}

/** Tells whether an action did not succeed, as far as anybody knows. */
export function hasFailed(outcome: Step['outcome']): boolean {
  return outcome === 'failed' || outcome === 'unknown'
}
