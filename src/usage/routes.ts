import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { dayRange, daysQuery } from '../http/days.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { callKinds } from '../model/call-kinds.ts'
import type { Tables } from '../storage/tables.ts'
import { costOf } from './cost.ts'
import { selectUsage } from './store.ts'

export const usageSchema = z
  .object({
    day: z.string().describe('In UTC.'),
    model: z.string().describe('The name that the server was asked for.'),
    kind: z.enum(callKinds),
    calls: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cost: z.number().nullable().describe("By the agent's present `prices`; null: the model has none."),
    estimated: z.boolean().describe('Whether the server did not tell the tokens of all calls.'),
  })
  .meta({ id: 'ModelUsage' })

export function usageRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/usage',
    {
      config: { right: 'read' },
      schema: {
        summary: "What the agent's model calls used, a row for each day, model and kind",
        querystring: daysQuery,
        response: { 200: z.object({ data: z.array(usageSchema).describe('The newest day first.') }) },
      },
    },
    async ({ caller, query }) => {
      const { from, to } = dayRange(query, timestamp(clock()).slice(0, 10))
      const rows = await selectUsage(db, { agent_id: caller.agentId, from, to })
      const { prices } = (await readAgent(db, caller.agentId)).settings
      return {
        data: rows.map((row) => ({
          day: row.day,
          model: row.model,
          kind: row.kind,
          calls: row.calls,
          prompt_tokens: row.prompt_tokens,
          completion_tokens: row.completion_tokens,
          cost: costOf(row, prices),
          estimated: row.estimated > 0,
        })),
      }
    },
  )
}
