import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../storage/tables.ts'
import { type Action, macroActionTypes } from './action.ts'
import type { ActionContext, Undo } from './action-context.ts'
import { failures, setStoredAction, undoable } from './stored-actions.ts'

/** The outcome of one action, or the one that it would have. */
export interface Step {
  type: Action['type']
  /** `pending`: its turn has not come; `skipped`: one before it did not succeed and stops; `unknown`: a call that was cut off. */
  outcome: 'pending' | 'done' | 'unchanged' | 'failed' | 'skipped' | 'unknown'
  reason?: (typeof failures)[number]
  /** The variables of its text that have no value in the conversation. */
  unfilled?: string[]
  undo?: Undo
  /** True if it was undone; absent: nobody has tried. */
  undone?: boolean
}

export const stepSchema = z.object({
  type: z.enum(macroActionTypes),
  outcome: z
    .enum(['pending', 'done', 'unchanged', 'failed', 'skipped', 'unknown'])
    .describe(
      '`unchanged`: the conversation already was so. `pending`: it was not reached. `skipped`: an action before it did not succeed and stops the macro. `unknown`: a webhook that may have been called.',
    ),
  reason: z.enum(failures).nullable().describe('Why it failed.'),
  unfilled: z
    .array(z.string())
    .describe('With `variables_unfilled`: the variables that have no value in the conversation.'),
  can_undo: z.boolean().describe('What others have read or been told cannot be taken back.'),
  undone: z
    .boolean()
    .nullable()
    .describe('Null: nobody has undone it; false: somebody had changed it since, so it stayed.'),
})

/** Presents the steps of a run, or of a preview. */
export function presentSteps(steps: readonly Step[]): z.output<typeof stepSchema>[] {
  return steps.map(({ type, outcome, reason = null, unfilled = [], undo, undone = null }) => ({
    type,
    outcome,
    reason,
    unfilled,
    can_undo: undo !== undefined || (outcome === 'pending' && undoable.includes(type)),
    undone,
  }))
}

export function pendingSteps(actions: readonly Action[]): Step[] {
  return actions.map(({ type }) => ({ type, outcome: 'pending' }))
}

/** Thrown to end the transaction of a preview, so that nothing of it stays. */
class Previewed extends Error {}

/** Says what actions would do: carries each out by itself and takes it back. Calls no webhook. */
export async function previewActions(
  db: Kysely<Tables>,
  actions: readonly Action[],
  contextIn: (db: Kysely<Tables>) => ActionContext,
): Promise<Step[]> {
  const steps = pendingSteps(actions)
  for (const [index, action] of actions.entries()) {
    const step = steps[index]
    if (!step || action.type === 'call_webhook') continue
    const trial = db.transaction().execute(async (db) => {
      const result = await setStoredAction(contextIn(db), action)
      if (result.outcome !== 'done') Object.assign(step, result)
      throw new Previewed()
    })
    await trial.catch((error: unknown) => {
      if (!(error instanceof Previewed)) throw error
    })
  }
  return steps
}
