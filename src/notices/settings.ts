import type { Kysely } from 'kysely'
import { z } from 'zod'
import { timeZoneName } from '../http/schemas.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { kindNames, type NoticeKind } from './kinds.ts'
import { selectSettings, upsertSettings } from './settings-store.ts'

/** The media by which people get notices of a kind. */
const media = z.strictObject({
  page: z.boolean().describe('Whether the console shows it.'),
  mail: z.boolean().describe('Whether it is mailed when it stays unread.'),
  push: z.boolean().describe('Whether it is pushed to the browsers of the person.'),
})

const digest = z.strictObject({
  at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 08:00')
    .describe('The time of day; one that the clocks skip is as much later as they are set forward.'),
  time_zone: timeZoneName,
})

const byKind = <T extends z.ZodType>(schema: T) =>
  z.strictObject(Object.fromEntries(kindNames.map((kind) => [kind, schema])) as Record<NoticeKind, T>)

const fields = {
  after_minutes: z.int().min(1).max(1440).describe('How long a notice stays unread before it is mailed.'),
  details: z
    .boolean()
    .describe(
      'Whether mails and pushes name agents, colleagues and users. Without, mails only say what has happened, and pushes that something has.',
    ),
  digest: digest.nullable().describe('One mail a day with all that is unread; null: none.'),
}

export const settingsSchema = z
  .object({
    kinds: byKind(media),
    ...fields,
    mail: z.boolean().describe('Whether the service has a mail server.'),
  })
  .meta({ id: 'NoticeSettings' })

export const settingsBody = z.strictObject({ kinds: byKind(media), ...fields })

type Settings = z.output<typeof settingsBody>

/**
 * The kinds that are mailed by default: they concern one person and are rare. Kinds that many people get, or that come
 * often, are only on the page.
 */
const MAILED: ReadonlySet<NoticeKind> = new Set(['mention', 'assigned', 'due', 'failed'])

/** The kinds that are pushed by default, to people who have added a browser: they concern one person. */
const PUSHED: ReadonlySet<NoticeKind> = new Set(['mention', 'assigned', 'reply', 'due'])

/** The settings of people who have chosen nothing. */
const DEFAULTS: Settings = {
  kinds: Object.fromEntries(
    kindNames.map((kind) => [kind, { page: true, mail: MAILED.has(kind), push: PUSHED.has(kind) }]),
  ) as Settings['kinds'],
  after_minutes: 15,
  details: false,
  digest: null,
}

/** Reads the settings of some people, by their ids. */
export async function settingsOf(
  db: Kysely<Tables>,
  people: readonly number[],
): Promise<(operatorId: number) => Settings> {
  const rows = new Map((await selectSettings(db, people)).map((row) => [row.operator_id, row]))
  return (id) => {
    const row = rows.get(id)
    if (!row) return DEFAULTS
    return {
      kinds: kindsOf(JSON.parse(row.choices)),
      after_minutes: row.after_minutes,
      details: row.details === 1,
      digest: row.digest_at === null ? null : { at: row.digest_at, time_zone: row.time_zone },
    }
  }
}

/** Returns the choices of a person. A kind or a medium that was added since has its default. */
function kindsOf(chosen: Partial<Settings['kinds']>): Settings['kinds'] {
  const entries = kindNames.map((kind) => [kind, { ...DEFAULTS.kinds[kind], ...chosen[kind] }])
  return Object.fromEntries(entries) as Settings['kinds']
}

/** Sets how a person gets notices. A changed digest begins with what happens from now on. */
export async function saveSettings(
  db: Kysely<Tables>,
  operatorId: number,
  settings: Settings,
  nowMs: number,
): Promise<Settings> {
  return db.transaction().execute(async (db) => {
    const present = (await settingsOf(db, [operatorId]))(operatorId)
    const { digest } = settings
    const isOther = digest?.at !== present.digest?.at || digest?.time_zone !== present.digest?.time_zone
    await upsertSettings(
      db,
      {
        operator_id: operatorId,
        choices: JSON.stringify(settings.kinds),
        after_minutes: settings.after_minutes,
        details: settings.details ? 1 : 0,
        digest_at: digest?.at ?? null,
        time_zone: digest?.time_zone ?? 'UTC',
      },
      isOther
        ? {
            due_at: digest && timestamp(nextDigest(digest, nowMs)),
            digested_until: digest && timestamp(nowMs),
          }
        : {},
    )
    return settings
  })
}

/** Stops all mails with notices to a person. */
export async function stopMails(db: Kysely<Tables>, operatorId: number, nowMs: number): Promise<void> {
  const present = (await settingsOf(db, [operatorId]))(operatorId)
  const kinds = Object.fromEntries(
    kindNames.map((kind) => [kind, { ...present.kinds[kind], mail: false }]),
  ) as Settings['kinds']
  await saveSettings(db, operatorId, { ...present, kinds, digest: null }, nowMs)
}

/** Returns the first time of a digest after a time. */
export function nextDigest({ at, time_zone }: z.output<typeof digest>, nowMs: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs))
    .toZonedDateTimeISO(time_zone)
    .toPlainDate()
  const on = (days: number) =>
    today.add({ days }).toZonedDateTime({ timeZone: time_zone, plainTime: at }).epochMilliseconds
  return on(0) > nowMs ? on(0) : on(1)
}
