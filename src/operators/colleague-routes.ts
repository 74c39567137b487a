import type { Kysely } from 'kysely'
import { z } from 'zod'
import { flag, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import { listOperators } from './find-operator.ts'

export const colleagueSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    display_name: z.string(),
    active: z.boolean().describe('False: the person is disabled.'),
  })
  .meta({ id: 'Colleague' })

export const colleaguesQuery = z.object({
  disabled: flag.optional().describe('Whether those who are disabled are listed as well.'),
})

/** Adds the route that lists the people to whom conversations can be assigned and who can be mentioned in notes. */
export function colleagueRoutes(server: Server, { db }: { db: Kysely<Tables> }): void {
  server.get(
    '/colleagues',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The active people of the team, by their names',
        querystring: colleaguesQuery,
        response: { 200: single(z.array(colleagueSchema)) },
      },
    },
    async ({ caller, query: { disabled } }) => {
      const people = (await listOperators(db, caller.teamId)).filter(({ active }) => active || disabled)
      return {
        data: people.map(({ id, name, display_name, active }) => ({ id, name, display_name, active })),
      }
    },
  )
}
