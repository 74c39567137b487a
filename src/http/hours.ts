import { z } from 'zod'
import { boundedText, timeZoneName } from './schemas.ts'

const MOST_SHIFTS = 50
const MOST_HOLIDAYS = 200

const clockTime = (form: RegExp, example: string) =>
  z.string().regex(form, `must be a time of 24 hours, such as ${example}`)

const shift = z.strictObject({
  days: z
    .array(z.int().min(1).max(7))
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'must not name a day twice')
    .describe('1 (Monday) to 7 (Sunday): the days on which it begins.'),
  from: clockTime(/^([01]\d|2[0-3]):[0-5]\d$/, '09:00'),
  to: clockTime(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '17:30').describe(
    'When it is not after `from`, it is on the next day.',
  ),
})

const holiday = z.strictObject({
  date: z.iso.date('must be a date such as 2026-12-25').describe('Nothing begins on this day.'),
  name: boundedText(100),
})

/** The opening hours in a request. */
export const hoursSchema = z.strictObject({
  time_zone: timeZoneName,
  week: z.array(shift).max(MOST_SHIFTS),
  holidays: z
    .array(holiday)
    .max(MOST_HOLIDAYS)
    .refine((all) => new Set(all.map(({ date }) => date)).size === all.length, 'must not name a date twice')
    .default([]),
})

/** The opening hours in the database and in answers. */
export const storedHours = z.object({
  time_zone: z.string(),
  week: z.array(z.object({ days: z.array(z.int()), from: z.string(), to: z.string() })),
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
})
