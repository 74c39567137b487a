import { z } from 'zod'
import {
  type Action,
  macroActions,
  macroActionTypes,
  type PlaceOfSecret,
  presentActions,
  shownAction,
} from '../actions/action.ts'
import { presentSteps, type Step, stepSchema } from '../actions/steps.ts'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, versionOf } from '../http/version.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { MacroRow, MacroRunRow } from './tables.ts'

export const newMacro = z.strictObject({
  name: boundedText(100).min(1),
  actions: macroActions.describe('Carried out in this order. A webhook takes the right `manage` to save.'),
  shared: z.boolean().default(false).describe('Whether everybody who sees the inbox has it.'),
})

export type NewMacro = z.output<typeof newMacro>

export const macroSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    actions: z.array(shownAction(macroActionTypes)),
    shared: z.boolean(),
    can_change: z.boolean().describe('Whether the caller may change and delete it.'),
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Macro' })

const named = z.object({ id: z.int(), name: z.string() })

export const macroPreview = z
  .object({ macro: named, actions: z.array(stepSchema) })
  .meta({ id: 'MacroPreview' })

export const macroRunSchema = z
  .object({
    id: z.int(),
    macro: named,
    conversation_id: z.string(),
    bulk_act: z.int().nullable().describe('The bulk act that it is part of.'),
    actions: z.array(stepSchema),
    created_at: time,
    finished_at: time.nullable(),
    undone_at: time.nullable(),
  })
  .meta({ id: 'MacroRun' })

export function macroVersion({ name, actions, operator_id }: MacroRow): string {
  return versionOf(name, actions, String(operator_id))
}

/** Returns the places of the secrets of a macro's actions. */
export function secretPlace(macroId: number): PlaceOfSecret {
  return (index) => `macros|${macroId}|actions.${index}.secret`
}

/** Returns the actions of a macro, with sealed secrets. */
export function actionsOf({ actions }: Pick<MacroRow, 'actions'>): Action[] {
  return JSON.parse(actions) as Action[]
}

/** Presents a macro as the API returns it. */
export function presentMacro(
  row: MacroRow,
  canChange: boolean,
  box: SecretBox,
): z.output<typeof macroSchema> {
  const { id, name, operator_id, created_at, updated_at } = row
  return {
    id,
    name,
    actions: presentActions(actionsOf(row), box, secretPlace(id)),
    shared: operator_id === null,
    can_change: canChange,
    version: macroVersion(row),
    created_at,
    updated_at,
  }
}

export function stepsOf({ actions }: Pick<MacroRunRow, 'actions'>): Step[] {
  return JSON.parse(actions) as Step[]
}

/** Tells whether a run has done something that can be undone, or that was undone. */
export function isUndoable(run: Pick<MacroRunRow, 'actions'>): boolean {
  return stepsOf(run).some(({ undo }) => undo !== undefined)
}

/** Presents a run as the API returns it. */
export function presentRun(row: MacroRunRow): z.output<typeof macroRunSchema> {
  const { id, macro_id, macro_name, conversation_id, bulk_id, created_at, finished_at, undone_at } = row
  return {
    id,
    macro: { id: macro_id, name: macro_name },
    conversation_id,
    bulk_act: bulk_id,
    actions: presentSteps(stepsOf(row)),
    created_at,
    finished_at,
    undone_at,
  }
}
