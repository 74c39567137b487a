import { z } from 'zod'
import { byLanguage } from '../http/by-language.ts'
import { boundedText, time } from '../http/schemas.ts'
import { recordVersion, sentVersion, versionOf } from '../http/version.ts'
import { ACTIVITY_DAYS, ACTIVITY_MOST } from '../lib/activity.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import { allowedOrigin } from './origins.ts'
import type { WidgetRow } from './tables.ts'

const USUAL_MINUTES = 5

const httpsAddress = httpAddress.refine(
  (text) => URL.parse(text)?.protocol === 'https:',
  'must be an https address',
)

const look = z.strictObject({
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #4f46e5')
    .overwrite((color) => color.toLowerCase())
    .default('#4f46e5'),
  position: z.enum(['right', 'left']).default('right').describe('The corner of the page.'),
  title: boundedText(80).nullable().default(null).describe("Null or empty: the agent's name."),
  launcher: boundedText(40).default('').describe("A word beside the launcher's icon; empty: the icon only."),
  avatar_url: httpsAddress.nullable().default(null),
  scheme: z.enum(['auto', 'light', 'dark']).default('auto').describe('`auto`: as the visitor has it.'),
})

type Look = z.output<typeof look>

const texts = z.strictObject({
  greeting: boundedText(2000).optional().describe("Absent: the widget's own; empty: none."),
  suggestions: z.array(boundedText(200).min(1)).max(6).optional().describe('Questions to begin with.'),
  placeholder: boundedText(200).optional().describe('Stands in the empty field of the message.'),
  notice: boundedText(500)
    .optional()
    .describe("Who answers and when, read before writing. Absent: the widget's own words; empty: nothing."),
  footer: boundedText(300).optional(),
  footer_url: httpAddress.optional().describe('Where the footer leads.'),
})

export type Texts = z.output<typeof texts>

const identity = z
  .enum(['optional', 'required', 'off'])
  .describe("Whether visitors may or must be the site's users, by `hash`; `off`: nobody is asked.")

const uploads = z
  .enum(['off', 'images', 'files'])
  .describe('The files that visitors may send: none, only pictures, or any.')

const continueBy = z
  .int()
  .positive()
  .nullable()
  .describe(
    'The id of an `email` channel of the agent, through which answers that a visitor has not seen go to the address that they have left. Null: none go. Needs PARLEY_PUBLIC_URL.',
  )

const continueAfter = z
  .int()
  .min(1)
  .max(1440)
  .describe('The minutes for which an answer waits to be seen before it goes by mail.')

const origins = z
  .array(allowedOrigin)
  .max(100)
  .transform((all) => [...new Set(all)])
  .meta({
    type: 'array',
    items: { type: 'string', maxLength: 2000 },
    maxItems: 100,
    description:
      "Any address of a site, of which the origin is kept, or `https://*.example.com` for subdomains. The service's own is always allowed.",
  })

const name = boundedText(200).min(1)

export const newWidget = z
  .strictObject({
    name,
    active: z.boolean().default(true),
    allowed_origins: origins.default([]),
    look: look.prefault({}),
    texts: byLanguage(texts).default({}),
    identity: identity.default('optional'),
    uploads: uploads.default('off'),
    continue_by: continueBy.default(null),
    continue_after: continueAfter.default(USUAL_MINUTES),
  })
  .meta({ id: 'NewWidget' })

export type NewWidget = z.output<typeof newWidget>

/** The look in a patch, written without defaults: Zod would put them into each patch. */
const lookPatch = z
  .strictObject({
    color: look.shape.color.unwrap(),
    position: look.shape.position.unwrap(),
    title: look.shape.title.unwrap(),
    launcher: look.shape.launcher.unwrap(),
    avatar_url: look.shape.avatar_url.unwrap(),
    scheme: look.shape.scheme.unwrap(),
  })
  .partial()

export const widgetPatch = z
  .strictObject({
    name,
    active: z.boolean(),
    allowed_origins: origins,
    look: lookPatch.describe('Field by field.'),
    texts: byLanguage(texts.nullable()).describe('Language by language; null removes one.'),
    identity,
    uploads,
    continue_by: continueBy,
    continue_after: continueAfter,
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'WidgetPatch' })

export type WidgetPatch = z.output<typeof widgetPatch>

const activity = z
  .object({
    visitors: z
      .int()
      .describe(
        `Who began a conversation in ${ACTIVITY_DAYS} days, as far as its ${ACTIVITY_MOST} newest conversations tell.`,
      ),
    last_message_at: time.nullable(),
  })
  .meta({ id: 'WidgetActivity' })

export const widgetSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    active: z.boolean(),
    public_key: z.string().describe('Names the widget in a page: `data-key`. No secret.'),
    allowed_origins: z.array(z.string()),
    look: z.object({
      color: z.string(),
      position: z.enum(['right', 'left']),
      title: z.string().nullable(),
      launcher: z.string(),
      avatar_url: z.string().nullable(),
      scheme: z.enum(['auto', 'light', 'dark']),
    }),
    texts: z.record(z.string(), texts).describe('By language.'),
    identity,
    uploads,
    continue_by: z
      .int()
      .nullable()
      .describe('The id of the channel through which answers go that visitors have not seen.'),
    continue_after: continueAfter,
    version: recordVersion,
    activity: activity.optional().describe('In lists.'),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Widget' })

/** A widget with its secret, for the answers to creation and rotation. */
export const widgetWithSecret = widgetSchema
  .extend({
    identity_secret: z.string().describe("`hash` is HMAC-SHA256 of a user's id with it, in hex. Shown once."),
  })
  .meta({ id: 'WidgetWithSecret' })

export function presentWidget(row: WidgetRow): z.output<typeof widgetSchema> {
  return {
    id: row.id,
    name: row.name,
    active: row.active === 1,
    public_key: row.public_key,
    allowed_origins: originsOf(row),
    look: lookOf(row),
    texts: textsOf(row),
    identity: row.identity,
    uploads: uploadsOf(row),
    continue_by: row.continue_by,
    continue_after: minutesOf(row),
    version: widgetVersion(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export function widgetVersion(row: WidgetRow): string {
  const { name, active, allowed_origins, look, texts, identity, continue_by } = row
  const continued = [continue_by, minutesOf(row)]
  return versionOf(name, active, allowed_origins, look, texts, identity, uploadsOf(row), ...continued)
}

/** Returns the minutes for which an answer waits to be seen. */
export function minutesOf({ continue_after }: Pick<WidgetRow, 'continue_after'>): number {
  return continue_after ?? USUAL_MINUTES
}

/** Returns which files visitors may send. */
export function uploadsOf(row: Pick<WidgetRow, 'uploads'>): z.output<typeof uploads> {
  return row.uploads ?? 'off'
}

export function originsOf({ allowed_origins }: Pick<WidgetRow, 'allowed_origins'>): string[] {
  return JSON.parse(allowed_origins) as string[]
}

export function lookOf({ look }: Pick<WidgetRow, 'look'>): Look {
  return JSON.parse(look) as Look
}

export function textsOf({ texts }: Pick<WidgetRow, 'texts'>): Record<string, Texts> {
  return JSON.parse(texts) as Record<string, Texts>
}
