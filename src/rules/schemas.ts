import { z } from 'zod'
import { conditionSchema } from '../conditions/condition-schema.ts'
import { boundedText, time, webhookSecret } from '../http/schemas.ts'
import { presentSecret, storedSecret } from '../http/stored-secret.ts'
import { httpAddress } from '../lib/http-address.ts'
import type { SealedPlace } from '../lib/sealed-places.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { RuleRow } from '../storage/tables.ts'

const text = boundedText(10_000).min(1)

/** What is common to the rules of every kind. */
const common = {
  name: boundedText(200).min(1),
  active: z.boolean().default(true),
  position: z.int().min(0).max(1_000_000).default(100).describe('Lower ones go first.'),
}

const guardrailSettings = {
  on: z.enum(['prompt', 'response']).describe('Which text is watched.'),
  evaluator_id: z.int().positive().describe('Acts when this evaluator passes.'),
  action: z.enum(['block', 'replace', 'flag']),
  reply: text.default('I cannot help with that.').describe('What is answered in place of what is blocked.'),
  replacement: boundedText(10_000)
    .default('[removed]')
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

const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tag'), tag: boundedText(64).min(1) }),
  z.strictObject({ type: z.literal('pause_conversation') }),
  z.strictObject({ type: z.literal('end_conversation') }),
  z.strictObject({
    type: z.literal('call_webhook'),
    url: httpAddress,
    secret: webhookSecret.optional().describe('Signs the call as notifications are signed.'),
  }),
  z.strictObject({ type: z.literal('send_message'), text }),
  z.strictObject({ type: z.literal('add_note'), text }),
])

export type Action = z.output<typeof action>

const automationSettings = {
  condition: conditionSchema.nullable().default(null).describe('Absent: every response.'),
  actions: z.array(action).min(1).max(20),
}

export const ruleSchemas = {
  guardrail: z.strictObject({ ...common, ...guardrailSettings }).meta({ id: 'NewGuardrail' }),
  cta: z.strictObject({ ...common, ...ctaSettings }).meta({ id: 'NewCta' }),
  automation: z.strictObject({ ...common, ...automationSettings }).meta({ id: 'NewAutomation' }),
} as const

export type RuleKind = keyof typeof ruleSchemas
export type GuardrailSettings = Omit<z.output<typeof ruleSchemas.guardrail>, keyof typeof common>
export type CtaSettings = Omit<z.output<typeof ruleSchemas.cta>, keyof typeof common>
export type AutomationSettings = Omit<z.output<typeof ruleSchemas.automation>, keyof typeof common>

const stored = { id: z.int(), created_at: time, updated_at: time }

const shownAction = z.looseObject({ type: z.string(), secret: storedSecret.optional() })

/** Rules as they are answered. */
export const ruleAnswers = {
  guardrail: z.object({ ...common, ...guardrailSettings, ...stored }).meta({ id: 'Guardrail' }),
  cta: z.object({ ...common, ...ctaSettings, ...stored }).meta({ id: 'Cta' }),
  automation: z
    .object({ ...common, condition: automationSettings.condition, actions: z.array(shownAction), ...stored })
    .meta({ id: 'Automation' }),
} as const

export function presentRule(row: RuleRow, box: SecretBox): Record<string, unknown> {
  const { actions, ...settings } = JSON.parse(row.settings) as { actions?: Action[] }
  return {
    id: row.id,
    name: row.name,
    active: row.active === 1,
    position: row.position,
    ...settings,
    ...(actions ? { actions: actions.map((one, index) => presentAction(one, row.id, index, box)) } : {}),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function presentAction(one: Action, ruleId: number, index: number, box: SecretBox) {
  if (one.type !== 'call_webhook' || one.secret === undefined) return one
  return { ...one, secret: presentSecret(box.open(one.secret, actionSecretPlace(ruleId, index))) }
}

export function actionSecretPlace(ruleId: number, index: number): SealedPlace {
  return `rules|${ruleId}|settings.actions.${index}.secret`
}
