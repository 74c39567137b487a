import { z } from 'zod'
import {
  type PlaceOfSecret,
  presentActions,
  type RuleAction,
  ruleActions,
  ruleActionTypes,
  shownAction,
} from '../actions/action.ts'
import { conditionSchema } from '../conditions/condition-schema.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, sentVersion, versionOf } from '../http/version.ts'
import { ACTIVITY_DAYS, ACTIVITY_MOST } from '../lib/activity.ts'
import { MONTH_MINUTES } from '../lib/clock.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { type AutomationEvent, automationEvents, type DeskEvent, deskEvents } from './automation-events.ts'
import { onFailure } from './on-failure.ts'
import type { RuleRow } from './tables.ts'
import { USUAL_REPLACEMENT, USUAL_REPLY } from './usual-texts.ts'

const text = boundedText(10_000).min(1)

/** The fields that rules of every kind have. */
const common = {
  name: boundedText(200).min(1),
  active: z.boolean().default(true),
  position: z.int().min(0).max(1_000_000).default(100).describe('Lower ones go first.'),
}

const guardrailSettings = {
  on: z.enum(['prompt', 'response']).describe('Which text is watched.'),
  evaluator_id: z.int().positive().describe('Acts when this evaluator passes.'),
  action: z.enum(['block', 'replace', 'flag']),
  on_failure: z
    .enum(['block', 'pass'])
    .nullable()
    .default(null)
    .describe(
      'What happens when the evaluator gives no score: `block`, the guardrail acts as it does on a match, or `pass`. ' +
        "Null: as the evaluator's `on_error` says where it is set, else `block` where the action is to block or replace.",
    ),
  reply: text.default(USUAL_REPLY).describe('What is answered in place of what is blocked.'),
  replacement: boundedText(10_000)
    .default(USUAL_REPLACEMENT)
    .describe('What stands in place of a prompt, or of a sentence of a response.'),
}

const ctaSettings = {
  content: text,
  url: httpAddress.nullable().default(null),
  button: boundedText(200).nullable().default(null),
  condition: conditionSchema.nullable().default(null),
  evaluator_id: z.int().positive().nullable().default(null),
  max_per_conversation: z.int().min(1).max(1000).nullable().default(null),
}

const automationSettings = {
  on: z
    .enum(automationEvents)
    .default('response')
    .describe(
      'What starts it: an answer of the agent, or at the desk that a conversation begins, begins to wait for a person, is given to a person or a group, has its tags changed or ends, or that it has waited for `minutes`.',
    ),
  minutes: z
    .int()
    .min(1)
    .max(MONTH_MINUTES)
    .nullable()
    .default(null)
    .describe('With `waited`: how long it has waited.'),
  within_hours: z
    .boolean()
    .default(false)
    .describe(
      'With `waited`: only the `hours` of its group or else of the agent count, as they are when it is due.',
    ),
  condition: conditionSchema.nullable().default(null).describe('Absent: every time.'),
  actions: ruleActions,
}

export const ruleSchemas = {
  guardrail: z.strictObject({ ...common, ...guardrailSettings }).meta({ id: 'NewGuardrail' }),
  cta: z.strictObject({ ...common, ...ctaSettings }).meta({ id: 'NewCta' }),
  automation: z
    .strictObject({ ...common, ...automationSettings })
    .refine(({ on, minutes }) => (on === 'waited') === (minutes !== null), {
      message: 'is needed with `waited`, and with nothing else',
      path: ['minutes'],
    })
    .meta({ id: 'NewAutomation' }),
} as const

/** The body of a request that changes a rule. The result is checked like a new rule. */
export const rulePatch = z.looseObject({ version: sentVersion })

export type RulePatch = z.output<typeof rulePatch>

export type RuleKind = keyof typeof ruleSchemas
export type GuardrailSettings = Omit<z.output<typeof ruleSchemas.guardrail>, keyof typeof common>
export type CtaSettings = Omit<z.output<typeof ruleSchemas.cta>, keyof typeof common>
export type AutomationSettings = Omit<
  z.output<typeof ruleSchemas.automation>,
  keyof typeof common | 'actions' | 'on' | 'minutes' | 'within_hours'
> & {
  /** Older ones have none of these three. */
  on?: AutomationEvent
  minutes?: number | null
  within_hours?: boolean
  actions: RuleAction[]
}

const activity = z
  .object({
    fired: z.int().describe(`How often, in ${ACTIVITY_DAYS} days; counted to ${ACTIVITY_MOST}.`),
    last_fired_at: time.nullable(),
  })
  .meta({ id: 'RuleActivity' })

const stored = {
  id: z.int(),
  version: recordVersion,
  activity: activity.optional().describe('In lists.'),
  created_at: time,
  updated_at: time,
}

/** The schemas of rules in answers. */
export const ruleAnswers = {
  guardrail: z
    .object({
      ...common,
      ...guardrailSettings,
      on_failure: z.enum(['block', 'pass']).describe('As it works, also where it was not set.'),
      ...stored,
    })
    .meta({ id: 'Guardrail' }),
  cta: z.object({ ...common, ...ctaSettings, ...stored }).meta({ id: 'Cta' }),
  automation: z
    .object({
      ...common,
      on: z.enum(automationEvents),
      minutes: z.int().nullable(),
      within_hours: z.boolean(),
      condition: automationSettings.condition,
      actions: z.array(shownAction(ruleActionTypes)),
      ...stored,
    })
    .meta({ id: 'Automation' }),
} as const

type RuleAnswer = z.output<(typeof ruleAnswers)[RuleKind]>

/** @param evaluators those of the agent: they decide the `on_failure` of guardrails that have none of their own */
export function presentRule(row: RuleRow, box: SecretBox, evaluators: readonly EvaluatorRow[]): RuleAnswer {
  const { id, name, active, position, created_at, updated_at } = row
  return {
    id,
    name,
    active: active === 1,
    position,
    ...presentSettings(row, box, evaluators),
    version: ruleVersion(row),
    created_at,
    updated_at,
  }
}

export function ruleVersion({ name, active, position, settings }: RuleRow): string {
  return versionOf(name, active, position, settings)
}

function presentSettings(
  { id, kind, settings }: RuleRow,
  box: SecretBox,
  evaluators: readonly EvaluatorRow[],
) {
  switch (kind) {
    case 'guardrail': {
      const guardrail = JSON.parse(settings) as GuardrailSettings
      return { ...guardrail, on_failure: failureOf(guardrail, evaluators) }
    }
    case 'cta':
      return JSON.parse(settings) as CtaSettings
    case 'automation': {
      // Older automations have no more than a condition and actions.
      const {
        on = 'response',
        minutes = null,
        within_hours = false,
        ...rest
      } = JSON.parse(settings) as AutomationSettings
      return {
        on,
        minutes,
        within_hours,
        ...rest,
        actions: presentActions(rest.actions, box, secretPlace(id)),
      }
    }
  }
}

function failureOf(guardrail: GuardrailSettings, evaluators: readonly EvaluatorRow[]): 'block' | 'pass' {
  return onFailure(
    guardrail,
    evaluators.find(({ id }) => id === guardrail.evaluator_id),
  )
}

/** Returns what at the desk starts a rule; null: nothing does. */
export function deskEventOf(kind: RuleKind, rule: object): DeskEvent | null {
  if (kind !== 'automation' || !('on' in rule)) return null
  return deskEvents.find((event) => event === rule.on) ?? null
}

/** Returns the places of the secrets of an automation's actions. */
export function secretPlace(ruleId: number): PlaceOfSecret {
  return (index) => `rules|${ruleId}|settings.actions.${index}.secret`
}
