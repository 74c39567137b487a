import type { Kysely } from 'kysely'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { credentials } from '../http/openapi.ts'
import { boundedText, commonErrors, errors, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, DAY_MS, timestamp } from '../lib/clock.ts'
import { isTimeZone } from '../lib/time-zone.ts'
import type { Tables } from '../storage/tables.ts'
import { localDay } from './local-days.ts'
import { readAnalytics } from './read-analytics.ts'

const MOST_DAYS = 366
/** YYYY-MM-DD cannot express an earlier day. */
const FIRST_DAY = Date.parse('0000-01-01')

const day = z.iso.date('must be a day as YYYY-MM-DD')

const figures = {
  prompts: z.int(),
  responses: z.int(),
  likes: z.int().describe('Given that day, less those taken back.'),
  flags: z.int(),
  errors: z.int(),
  guardrail_hits: z.int(),
  ctas_shown: z.int(),
  cta_clicks: z.int(),
  cta_rate: z.number().nullable().describe('Clicks for each that was shown.'),
  unanswered: z.int().describe('Questions to which the built-in answerer knew no answer.'),
  median_ms: z
    .int()
    .nullable()
    .describe('From the prompt to its stored response; right to five in a hundred.'),
  p95_ms: z.int().nullable(),
}

export const analytics = z
  .object({
    from: z.string(),
    to: z.string(),
    time_zone: z.string(),
    totals: z.object(figures),
    days: z.array(z.object({ date: z.string(), ...figures })),
  })
  .meta({ id: 'Analytics' })

export function analyticsRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/analytics',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's figures by day",
        tags: ['analytics'],
        security: credentials,
        querystring: z.object({
          from: day.optional().describe('First day; 29 days before the last one when absent.'),
          to: day.optional().describe('Last day; today when absent.'),
          time_zone: boundedText(64)
            .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
            .default('UTC')
            .describe('Whose days they are, by its name in the IANA database.'),
        }),
        response: {
          200: single(analytics),
          ...errors(...commonErrors, 'invalid_request'),
        },
      },
    },
    async ({ caller, query }) => {
      const { time_zone } = query
      const to = query.to ?? localDay(clock(), time_zone)
      const from = query.from ?? timestamp(Math.max(Date.parse(to) - 29 * DAY_MS, FIRST_DAY)).slice(0, 10)
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
      if (days < 1 || days > MOST_DAYS) {
        throw invalidField('from', `must be at most ${MOST_DAYS - 1} days before to, and not after it.`)
      }
      const figures = await readAnalytics(db, caller.agentId, from, to, time_zone)
      return { data: { from, to, time_zone, ...figures } }
    },
  )
}
