import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { Embedder } from '../model/embedder.ts'
import type { Tables } from '../storage/tables.ts'
import { countWorkOf, kindsOfWork } from './count-work.ts'

export const workCounts = z
  .object({
    kind: z.enum(kindsOfWork),
    waiting: z.int().describe('Due, and not begun.'),
    leased: z.int().describe('Being worked.'),
    failed: z.int().describe('Failed, and tried again after a pause. They count among the others as well.'),
    parked: z.int().describe('Failed too often. Of channels: messages.'),
  })
  .meta({ id: 'WorkCounts' })

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** Returns the embedder of an agent's passages; null when there is no server. */
  embedderOf: (agentId: number) => Promise<Embedder | null>
}

export function backgroundRoutes(server: Server, { db, clock, embedderOf }: Dependencies): void {
  server.get(
    '/work',
    {
      config: { right: 'manage' },
      schema: {
        summary: "How much of the agent's background work waits, is being done, has failed and is parked",
        response: { 200: z.object({ data: z.array(workCounts) }) },
      },
    },
    async ({ caller: { agentId } }) => {
      const isEmbedding = (await embedderOf(agentId)) !== null
      return { data: await countWorkOf(db, agentId, { nowMs: clock(), isEmbedding }) }
    },
  )
}
