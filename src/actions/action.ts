import { z } from 'zod'
import { checkAddress } from '../http/check-address.ts'
import { boundedText, rowIdField, webhookSecret } from '../http/schemas.ts'
import { presentSecret, storedSecret } from '../http/stored-secret.ts'
import { YEAR_MINUTES } from '../lib/clock.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { counterparts } from '../lib/secrets/counterparts.ts'
import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { priorities } from '../transcripts/conversations/priority.ts'

const text = boundedText(10_000).min(1)

const on_failure = z
  .enum(['continue', 'stop'])
  .default('continue')
  .describe('Whether to carry out the remaining actions when this one does not succeed.')

/** The actions that a rule, or a person by a macro, carries out in a conversation. */
const common = [
  z.strictObject({ type: z.literal('tag'), tag: boundedText(64).min(1), on_failure }),
  z.strictObject({ type: z.literal('pause_conversation'), on_failure }),
  z.strictObject({ type: z.literal('end_conversation'), on_failure }),
  z.strictObject({ type: z.literal('request_person'), on_failure }),
  z.strictObject({ type: z.literal('priority'), priority: z.enum(priorities), on_failure }),
  z
    .strictObject({
      type: z.literal('assign'),
      operator_id: rowIdField.nullable().optional().describe('Null: to nobody; absent: it stays as it is.'),
      group_id: rowIdField.nullable().optional().describe('Null: to no group; absent: it stays as it is.'),
      on_failure,
    })
    .refine(({ operator_id, group_id }) => operator_id !== undefined || group_id !== undefined, {
      message: 'needs operator_id or group_id',
      path: ['operator_id'],
    }),
  z.strictObject({
    type: z.literal('snooze'),
    minutes: z.int().min(1).max(YEAR_MINUTES).describe('How long the conversation is put aside.'),
    on_failure,
  }),
  z.strictObject({
    type: z.literal('call_webhook'),
    url: httpAddress,
    secret: webhookSecret
      .optional()
      .describe(
        'Signs the call as notifications are signed. A change that omits it keeps the secret of the same address.',
      ),
    on_failure,
  }),
  z.strictObject({ type: z.literal('send_message'), text, on_failure }),
  z.strictObject({ type: z.literal('add_note'), text, on_failure }),
] as const

const reply = z.strictObject({
  type: z.literal('reply'),
  text: text.describe('May hold the variables of canned replies.'),
  on_failure,
})

/** The actions of an automation. */
export const ruleActions = z.array(z.discriminatedUnion('type', common)).min(1).max(20)

/** The actions of a macro: the same, and an answer of the person who runs it. */
export const macroActions = z
  .array(z.discriminatedUnion('type', [...common, reply]))
  .min(1)
  .max(20)

export const ruleActionTypes = common.map(({ shape }) => shape.type.value)
export const macroActionTypes = [...ruleActionTypes, 'reply'] as const

/** Older actions have no `on_failure`. */
export type RuleAction = z.input<typeof ruleActions>[number]
export type Action = z.input<typeof macroActions>[number]
export type ActionType = Action['type']

/** Creates the schema of an action as answers contain it. */
export function shownAction<Type extends string>(types: readonly Type[]) {
  return z.looseObject({ type: z.enum(types), secret: storedSecret.optional(), on_failure })
}

/** The place where the secret of an action is sealed, by the action's index. */
export type PlaceOfSecret = (index: number) => SentPlace

interface PresentedAction<Type> {
  [field: string]: unknown
  type: Type
  on_failure: 'continue' | 'stop'
}

/** Presents actions as the API returns them, without their secrets. */
export function presentActions<One extends Action>(
  actions: readonly One[],
  box: SecretBox,
  placeOf: PlaceOfSecret,
): PresentedAction<One['type']>[] {
  return actions.map((given: One, index): PresentedAction<One['type']> => {
    // Older actions have no `on_failure`: the next action runs after their failure too.
    const one = { ...given, type: given.type as One['type'], on_failure: given.on_failure ?? 'continue' }
    if (given.type !== 'call_webhook' || given.secret === undefined) return one
    return { ...one, secret: presentSecret(box.openFor(given.url, given.secret, placeOf(index))) }
  })
}

/** Returns actions with their secrets sealed. */
export function sealActions<One extends Action>(
  actions: readonly One[],
  box: SecretBox,
  placeOf: PlaceOfSecret,
): One[] {
  return mapSecrets(actions, (secret, index, url) => box.sealFor(url, secret, placeOf(index)))
}

/** Returns sealed actions with their secrets. Leaves out a secret that cannot be opened. */
export function unsealActions<One extends Action>(
  actions: readonly One[],
  box: SecretBox,
  placeOf: PlaceOfSecret,
): One[] {
  return mapSecrets(actions, (secret, index, url) => box.openFor(url, secret, placeOf(index)))
}

/**
 * Gives each webhook without a secret the secret of the stored one with its address that it continues, because answers
 * do not contain it. A webhook with a new address gets none.
 */
export function keepingSecrets<One extends Action>(actions: readonly One[], before: readonly One[]): One[] {
  const places = counterparts(actions, before, (one, other) => {
    return one.type === 'call_webhook' && other.type === 'call_webhook' && one.url === other.url
  })
  return actions.map((one, index) => {
    if (one.type !== 'call_webhook' || one.secret !== undefined) return one
    const same = before[places[index] ?? -1]
    const secret = same?.type === 'call_webhook' ? same.secret : undefined
    return secret === undefined ? one : { ...one, secret }
  })
}

function mapSecrets<One extends Action>(
  actions: readonly One[],
  change: (secret: string, index: number, url: string) => string | null,
): One[] {
  return actions.map((one, index) => {
    if (one.type !== 'call_webhook' || one.secret === undefined) return one
    const { secret, ...unsigned } = one
    const changed = change(secret, index, one.url)
    return { ...unsigned, ...(changed === null ? {} : { secret: changed }) } as One
  })
}

/** Checks that the addresses of webhooks may be called. @throws ApiError invalid_request */
export async function checkAddresses(actions: readonly Action[], outbound: Outbound): Promise<void> {
  for (const [index, one] of actions.entries())
    if (one.type === 'call_webhook') await checkAddress(outbound, `actions.${index}.url`, one.url)
}
