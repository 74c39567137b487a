import type { Kysely } from 'kysely'
import { z } from 'zod'
import { dayRange, daysQuery } from '../http/days.ts'
import { single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { localDay } from './local-days.ts'
import { readAnalytics } from './read-analytics.ts'
import { timeZoneQuery } from './time-zone-query.ts'

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
  median_ms: z.int().nullable().describe('From the prompt to its stored response; accurate to 5%.'),
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

export const analyticsQuery = daysQuery.extend({ time_zone: timeZoneQuery })

export function analyticsRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/analytics',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's figures by day",
        querystring: analyticsQuery,
        response: { 200: single(analytics) },
      },
    },
    async ({ caller, query }) => {
      const { time_zone } = query
      const { from, to } = dayRange(query, localDay(clock(), time_zone))
      const figures = await readAnalytics(db, caller.agentId, from, to, time_zone)
      return { data: { from, to, time_zone, ...figures } }
    },
  )
}
