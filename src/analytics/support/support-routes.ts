import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { dayRange, daysQuery } from '../../http/days.ts'
import type { Caller } from '../../http/member.ts'
import { errors, single } from '../../http/schemas.ts'
import { sendPieces } from '../../http/send-pieces.ts'
import type { Server } from '../../http/server.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { localDay } from '../local-days.ts'
import { timeZoneQuery } from '../time-zone-query.ts'
import { type FigureName, figureNames } from './figures.ts'
import { listCounted } from './list-counted.ts'
import { namesOfValues } from './names-of-values.ts'
import { breakdowns, readSupport } from './read-support.ts'

const told: Partial<Record<FigureName, string>> = {
  conversations: 'That began.',
  waited: 'That waited for a person, the first time each; `waited_asked` and the others say why.',
  answered: 'That got the first answer of a person after that.',
  ended: 'That ended and have not been opened again; `resolved` and the others say how.',
  solved_by_agent: 'That ended with a solution, and in which no person has answered since they began.',
  solved_by_person: 'That ended with a solution, and in which a person has answered.',
  reopened: 'That were opened again, the last time each.',
  targets_met: 'That have met all of their targets.',
  targets_missed: 'That have missed one of their targets, the first each.',
  asked: 'Whose users were asked for a rating, or gave one unasked.',
  rated: 'That were rated; `rated_1` and the others say how.',
}

const count = (name: FigureName) => (told[name] ? z.int().describe(told[name]) : z.int())

const length = (what: string) =>
  z.object({ median_ms: z.int().nullable(), p90_ms: z.int().nullable() }).describe(what)

const figures = {
  ...(Object.fromEntries(figureNames.map((name) => [name, count(name)])) as Record<
    FigureName,
    ReturnType<typeof count>
  >),
  answer: length('From the beginning of the wait to the first answer of a person; accurate to 5%.'),
  answer_open: length('The same within the `hours` of its group, or of the agent.'),
  solution: length('From the beginning, or the last opening, to the end with a solution.'),
  solution_open: length('The same within the `hours` of its group, or of the agent.'),
  rating_mean: z.number().nullable(),
  rating_share: z.number().nullable().describe('Ratings per conversation whose user was asked.'),
}

export const supportAnalytics = z
  .object({
    from: z.string(),
    to: z.string(),
    time_zone: z.string(),
    by: z.enum(breakdowns),
    totals: z.object(figures),
    rows: z
      .array(
        z.object({
          value: z
            .string()
            .describe(
              'A day, an hour from 0 to 23, an id, a language, or a tag as `name:value`; empty: none.',
            ),
          name: z
            .string()
            .nullable()
            .describe('Name of the person, group or channel; null once it is deleted.'),
          ...figures,
        }),
      )
      .describe('All days or hours; of any other breakdown the 100 values with the most conversations.'),
  })
  .meta({ id: 'SupportAnalytics' })

export const supportQuery = daysQuery.extend({
  time_zone: timeZoneQuery,
  by: z.enum(breakdowns).default('day'),
})

export function supportRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/analytics/support',
    {
      config: { right: 'read' },
      schema: {
        summary: 'What was solved, by whom and how fast',
        querystring: supportQuery,
        response: { 200: single(supportAnalytics), ...errors('insufficient_right') },
      },
    },
    async ({ caller, query }) => {
      const { time_zone, by } = query
      const { from, to } = dayRange(query, localDay(clock(), time_zone))
      const { agentId } = requireAll(caller)
      const { totals, rows } = await readSupport(db, agentId, { from, to, timeZone: time_zone, by })
      const names = await namesOfValues(
        db,
        agentId,
        by,
        rows.map(({ value }) => value),
      )
      const named = rows.map((row) => ({ name: names.get(row.value) ?? null, ...row }))
      return { data: { from, to, time_zone, by, totals, rows: named } }
    },
  )
  server.get(
    '/analytics/support/conversations',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'listCountedConversations',
        summary: 'The conversations that the figures of support count, as CSV',
        description:
          'A line for each conversation that any figure counts in these days: those that began in them, then the others. Durations are in milliseconds. An answer that breaks off is incomplete.',
        querystring: daysQuery.extend({ time_zone: timeZoneQuery }),
        response: { 200: z.string(), ...errors('insufficient_right') },
      },
    },
    async ({ caller, query }, reply) => {
      const { time_zone: timeZone } = query
      const { from, to } = dayRange(query, localDay(clock(), timeZone))
      const { agentId } = requireAll(caller)
      const pieces = listCounted(db, agentId, { from, to, timeZone })
      await sendPieces(reply, pieces, { type: 'text/csv; charset=utf-8', name: `support ${from} ${to}.csv` })
    },
  )
}

/**
 * Returns the caller if they may see all conversations: the figures count what people with a scope may not see.
 * @throws ApiError insufficient_right if they may not
 */
function requireAll(caller: Caller): Caller {
  if (caller.scope !== null)
    throw new ApiError('insufficient_right', {
      message:
        "These figures count all conversations, and your scope has only some of them. This requires the scope 'all', or the right 'manage', which includes it.",
    })
  return caller
}
