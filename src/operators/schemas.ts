import { z } from 'zod'
import { boundedText, time } from '../http/schemas.ts'
import { scopes } from '../http/scope.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { EMAIL_ADDRESS } from '../lib/email-address.ts'
import { LONGEST_PASSWORD } from './password.ts'

const operatorScope = z
  .enum(scopes)
  .describe(
    'The conversations that the person may see: `all`; those of their `groups` and those assigned to them; or only their `own`, which are assigned to them. With the rights `manage` and `own` always `all`.',
  )
const unassigned = z
  .boolean()
  .describe('With the scope `groups`: whether the person also sees the conversations of no group.')

const operatorRight = z.enum(['read', 'respond', 'manage', 'own'])

export const operatorSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    display_name: z.string().describe('What end users see; by default the first word of the name.'),
    email: z.string(),
    right: operatorRight,
    scope: operatorScope,
    unassigned,
    active: z.boolean(),
    created_at: time,
    last_seen_at: time.nullable(),
    two_factor: z.boolean(),
    single_sign_on: z.boolean().describe('Whether the person signs in through the identity provider.'),
    version: recordVersion,
  })
  .meta({ id: 'Operator' })

/** Somebody with a new link to join. */
export const invitedSchema = operatorSchema.extend({
  join_url: z.string().describe('Shown this once.'),
  mailed: z.boolean().describe('Whether the link goes to the person by e-mail as well.'),
})

export const sessionSchema = z
  .object({
    id: z.int(),
    created_at: time,
    used_at: time.describe('To the minute.'),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    current: z.boolean().describe('Whether this is the session that asks.'),
  })
  .meta({ id: 'Session' })

/** The person who is signed in, with the team and agents that they can open. */
export const whoSchema = z
  .object({
    operator: operatorSchema,
    needs_two_factor: z
      .boolean()
      .describe('The team requires a second factor of this person, who can do nothing else before it is on.'),
    team: z.object({ id: z.int(), name: z.string(), require_two_factor: z.boolean() }),
    agents: z.array(z.object({ id: z.int(), name: z.string(), is_paused: z.boolean() })),
  })
  .meta({ id: 'SignedIn' })

export const waysIn = z.object({
  password: z.boolean(),
  openid_connect: z.object({ start: z.string().describe('Where a browser begins to sign in.') }).nullable(),
})

/** A second factor that is on once a code of it was shown. */
export const preparedFactor = z.object({
  secret: z.string(),
  address: z.string().describe('For a QR code.'),
})
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()).describe('Shown this once.') })

export const availabilitySchema = z
  .object({
    available: z.boolean(),
    until: time
      .nullable()
      .describe('When it ends by itself: twelve hours after the last use of the console. Null while away.'),
    groups: z.int().describe('In how many groups the person is: only members are given conversations.'),
  })
  .meta({ id: 'Availability' })
export const availabilityBody = z.strictObject({ available: z.boolean() })

const name = boundedText(200).trim().min(1)
const displayName = boundedText(200).trim().min(1).nullable()
const password = boundedText(LONGEST_PASSWORD * 2)
const code = boundedText(64)
const email = z.string().max(254).trim().regex(EMAIL_ADDRESS, 'must be an e-mail address')

export const joinBody = z.strictObject({ token: boundedText(200), password, name: name.optional() })
export const linkBody = joinBody.pick({ token: true })
export const signInBody = z.strictObject({ email: boundedText(254), password, code: code.optional() })
export const passwordBody = z.strictObject({ present: password, password })
export const presentPassword = z.strictObject({ present: password })
export const codeBody = z.strictObject({ present: password, code })
export const profilePatch = z.strictObject({
  name: name.optional(),
  display_name: displayName.optional(),
  version: sentVersion,
})
export const invitation = z.strictObject({
  email,
  right: operatorRight,
  scope: operatorScope.optional(),
  unassigned: unassigned.optional(),
  name: name.optional(),
})
export const operatorPatch = z.strictObject({
  name: name.optional(),
  display_name: displayName.optional(),
  right: operatorRight.optional(),
  scope: operatorScope.optional(),
  unassigned: unassigned.optional(),
  active: z.boolean().optional(),
  version: sentVersion,
})
