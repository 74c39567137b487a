import type { Kysely } from 'kysely'
import { z } from 'zod'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { boundedText, time, timeFilter, withinInteger } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import { selectAuditPage } from './store.ts'
import type { AuditRow } from './tables.ts'

const kinds = ['operator', 'token', 'command_line', 'system'] as const satisfies AuditRow['actor_kind'][]

/** The actor of an act. */
export const actorSchema = z.object({
  kind: z.enum(kinds),
  id: z.int().nullable(),
  name: z.string().nullable(),
})

export const actSchema = z
  .object({
    id: z.int(),
    at: time,
    actor: actorSchema,
    action: z.string().describe('A noun and a past verb, such as `agent.paused`.'),
    target: z.string().nullable().describe('What it was done to, such as `agent 3`.'),
    details: z.record(z.string(), z.unknown()).nullable(),
    address: z.string().nullable().describe("The caller's network address."),
  })
  .meta({ id: 'Act' })

export const auditQuery = listQuery.extend({
  actor: z
    .string()
    .regex(
      /^(operator|token|command_line|system)(:[1-9]\d{0,14})?$/,
      'must be operator, token, command_line or system, with an id behind a colon or without',
    )
    .transform((text) => {
      const [kind, id] = text.split(':')
      return {
        kind: z.enum(kinds).parse(kind),
        ...(id === undefined ? {} : { id: withinInteger(Number(id)) }),
      }
    })
    .optional()
    .meta({ type: 'string', description: 'Such as `operator:3`, or `token` for all of them.' }),
  action: boundedText(100)
    .regex(/^[a-z_]+\.[a-z_]+$/, 'must be a noun and a past verb with a dot between, such as agent.paused')
    .optional()
    .describe('Such as `agent.paused`; an action that never happened lists nothing.'),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
})

/** Adds the route by which owners read the acts in their team. */
export function auditRoutes(server: Server, { db }: { db: Kysely<Tables> }): void {
  server.get(
    '/audit',
    {
      config: { right: 'own' },
      schema: {
        summary: 'What was done in the team, newest first',
        querystring: auditQuery,
        response: { 200: listOf(actSchema) },
      },
    },
    async ({ member, query }) => presentPage(await selectAuditPage(db, member.teamId, query, query), present),
  )
}

function present(row: AuditRow): z.output<typeof actSchema> {
  const { id, at, action, target, address } = row
  return {
    id,
    at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action,
    target,
    details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
    address,
  }
}
