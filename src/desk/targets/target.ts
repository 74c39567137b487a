import { z } from 'zod'
import type { Condition } from '../../conditions/condition.ts'
import { conditionSchema } from '../../conditions/condition-schema.ts'
import { evaluatorsOf } from '../../conditions/evaluators-of.ts'
import { boundedText, time } from '../../http/schemas.ts'
import { recordVersion, sentVersion, versionOf } from '../../http/version.ts'
import { YEAR_MINUTES } from '../../lib/clock.ts'
import type { TargetRow } from '../../targets/tables.ts'

const minutes = (meaning: string) => z.int().min(1).max(YEAR_MINUTES).nullable().describe(meaning)

const fields = {
  name: boundedText(100).trim().min(1),
  position: z.int().min(0).max(1_000_000).describe('Lower ones go first: the first that fits counts.'),
  condition: conditionSchema
    .nullable()
    .describe('The conversations that it is for, by their last prompt; it asks no evaluator. Null: all.'),
  first_response: minutes('Minutes within which a person answers first; null: none is promised.'),
  next_response: minutes('Minutes within which a person answers what its user writes after that.'),
  resolution: minutes('Minutes within which it ends; while it waits for its user, they do not pass.'),
  within_hours: z
    .boolean()
    .describe(
      'Whether only the minutes count in which people are there, by the hours of the group or the agent.',
    ),
}

export const newTarget = z
  .strictObject({
    ...fields,
    position: fields.position.default(100),
    condition: fields.condition.default(null),
    first_response: fields.first_response.default(null),
    next_response: fields.next_response.default(null),
    resolution: fields.resolution.default(null),
    within_hours: fields.within_hours.default(true),
  })
  .meta({ id: 'NewTarget' })

export type NewTarget = z.output<typeof newTarget>

export const targetPatch = z
  .strictObject({ ...fields, version: sentVersion })
  .partial()
  .meta({ id: 'TargetPatch' })

export type TargetPatch = z.output<typeof targetPatch>

export const targetSchema = z
  .object({ id: z.int(), ...fields, version: recordVersion, created_at: time, updated_at: time })
  .meta({ id: 'Target' })

/** Presents a target as the API answers it. */
export function presentTarget(row: TargetRow): z.output<typeof targetSchema> {
  const { agent_id: _, condition, within_hours, ...rest } = row
  return {
    ...rest,
    condition: condition === null ? null : (JSON.parse(condition) as Condition),
    within_hours: within_hours === 1,
    version: targetVersion(row),
  }
}

export function targetVersion(row: TargetRow): string {
  const { name, position, condition, first_response, next_response, resolution, within_hours } = row
  return versionOf(name, position, condition, first_response, next_response, resolution, within_hours)
}

/** Returns the flaw of a target, and the field at fault; null: it has none. */
export function flawOf({
  condition,
  first_response,
  next_response,
  resolution,
}: NewTarget): { param: keyof NewTarget; message: string } | null {
  if (condition && evaluatorsOf(condition).length > 0)
    return { param: 'condition', message: 'must not ask an evaluator' }
  if (first_response === null && next_response === null && resolution === null)
    return {
      param: 'first_response',
      message: 'at least one of the times must be set',
    }
  return null
}
