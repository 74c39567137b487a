import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { foreseePause, pauseAgent, resumeAgent } from './pause-agent.ts'
import { pauseForecast, pauseResult } from './schemas.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
}

const answers = { 200: single(pauseResult) }

export function pauseRoutes(server: Server, { db, clock }: Dependencies): void {
  server.get(
    '/pause',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getPauseForecast',
        summary: 'How many conversations the next pause or resume of the agent would tell',
        response: { 200: single(pauseForecast) },
      },
    },
    async ({ caller }) => ({ data: await foreseePause(db, caller.agentId, timestamp(clock())) }),
  )
  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/pause',
      {
        config: { right: 'manage' },
        schema: {
          operationId: 'pauseAgent',
          summary: 'Pause the agent and send its pause message to open conversations',
          querystring: z.looseObject({}),
          response: answers,
        },
      },
      async (request) => ({
        data: await pauseAgent(db, request.caller.agentId, timestamp(clock()), byCaller(request)),
      }),
    )
    scope.post(
      '/resume',
      {
        config: { right: 'manage' },
        schema: {
          operationId: 'resumeAgent',
          summary: 'Resume the agent and send its resume message, if it has one, to open conversations',
          response: answers,
        },
      },
      async (request) => ({
        data: await resumeAgent(db, request.caller.agentId, timestamp(clock()), byCaller(request)),
      }),
    )
  })
}
