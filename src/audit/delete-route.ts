import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Right } from '../http/rights.ts'
import type { errors } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { byCaller } from './by-caller.ts'
import type { TeamBy } from './record.ts'

interface DeleteSchema<Params extends z.ZodType> {
  summary: string
  description?: string
  params: Params
  /** The schemas of the errors that the route may return. */
  response: ReturnType<typeof errors>
}

/**
 * Adds a route that deletes what its path names and returns 204.
 * @param remove deletes it for the given actor, or throws
 */
export function deleteRoute<Params extends z.ZodType>(
  server: Server,
  path: string,
  right: Right,
  schema: DeleteSchema<Params>,
  remove: (request: FastifyRequest<{ Params: z.output<Params> }>, by: TeamBy) => Promise<void>,
): void {
  server.delete<{ Params: z.output<Params> }>(
    path,
    {
      config: { right },
      schema: { ...schema, response: { 204: z.null().describe('Deleted.'), ...schema.response } },
    },
    async (request, reply) => {
      await remove(request, byCaller(request))
      return reply.code(204).send(null)
    },
  )
}
