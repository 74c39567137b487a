import type { Kysely } from 'kysely'
import { z } from 'zod'
import { single, time } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import type { Embedder } from '../../model/embedder.ts'
import { serverFailures } from '../../model/server-failures.ts'
import type { Tables } from '../../storage/tables.ts'
import { whySchema } from '../why.ts'
import { readProgress } from './read-progress.ts'

interface Dependencies {
  db: Kysely<Tables>
  embedderOf: (agentId: number) => Promise<Embedder | null>
}

export const embeddingProgress = z
  .object({
    status: z
      .enum(['off', 'working', 'failing', 'done'])
      .describe(
        'off: no embedding server is set; failing: it is tried again, and words alone are searched for.',
      ),
    model: z.string().nullable().describe('What serves searches now; null: words alone.'),
    dimension: z.int().nullable(),
    next_model: z.string().nullable().describe('What will serve once every passage has a vector of it.'),
    next_dimension: z.int().nullable(),
    passages: z.int(),
    embedded: z.int().describe('How many have a vector of the model that is set.'),
    skipped: z.int().describe('How many the server did not take: only their words are found.'),
    tokens: z.int().describe('What the server counted for passages so far; 0 when it does not count.'),
    error: z
      .string()
      .nullable()
      .describe("Why the last try failed, in the server's words without credentials."),
    why: whySchema(serverFailures.codes).describe('The same for programs.'),
    failed_at: time.nullable(),
    next_try_at: time.nullable(),
    updated_at: time.nullable(),
  })
  .meta({ id: 'EmbeddingProgress' })

/** Serves the progress of the vectors of an agent's passages. */
export function embeddingRoutes(server: Server, { db, embedderOf }: Dependencies): void {
  server.get(
    '/knowledge/embedding',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The progress of the vectors of the passages',
        response: { 200: single(embeddingProgress) },
      },
    },
    async ({ caller: { agentId } }) => ({
      data: await readProgress(db, agentId, await embedderOf(agentId)),
    }),
  )
}
