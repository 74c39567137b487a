import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Embedder } from '../model/embedder.ts'
import type { Tables } from '../storage/tables.ts'
import { kindsOfWork } from '../work/kinds.ts'
import { countWorkOf, retriedKinds, retryWork } from './count-work.ts'

export const workCounts = z
  .object({
    kind: z.enum(kindsOfWork),
    waiting: z.int().describe('Due, and not begun.'),
    leased: z.int().describe('Being worked.'),
    failed: z.int().describe('Failed, and tried again after a pause. They count among the others as well.'),
    parked: z.int().describe('Failed too often. Of channels: chats and messages.'),
    retriable: z
      .int()
      .describe(
        'Parked, and tried again by `POST /work/{kind}/retry`: not messages, which are sent again one by one, and not bulk acts.',
      ),
  })
  .meta({ id: 'WorkCounts' })

export const retriedWork = z
  .object({
    kind: z.enum(retriedKinds),
    retried: z.int().describe('How many pieces are due again.'),
  })
  .meta({ id: 'RetriedWork' })

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** Returns the embedder of an agent's passages; null when there is no server. */
  embedderOf: (agentId: number) => Promise<Embedder | null>
  isMailing: boolean
}

export function workRoutes(server: Server, { db, clock, embedderOf, isMailing }: Dependencies): void {
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
      return { data: await countWorkOf(db, agentId, { nowMs: clock(), isEmbedding, isMailing }) }
    },
  )

  server.post(
    '/work/:kind/retry',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'retryWork',
        summary: "Try all of the agent's parked work of a kind again",
        params: z.object({ kind: z.enum(retriedKinds) }),
        response: { 200: single(retriedWork) },
      },
    },
    async (request) => {
      const { caller, params } = request
      const at = timestamp(clock())
      const retried = await retryWork(db, caller.agentId, params.kind, at, byCaller(request))
      return { data: { kind: params.kind, retried } }
    },
  )
}
