import type { Kysely } from 'kysely'
import { byCaller } from '../audit/by-caller.ts'
import { credentials } from '../http/openapi.ts'
import { bodyErrors, commonErrors, errors, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { presentAgent, readAgent } from './agent.ts'
import { type AgentPatch, agentPatch, agentSchema } from './settings.ts'
import { updateAgent } from './update-agent.ts'

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
  clock: Clock
  /** Checks what the schema of a patch cannot, such as where its addresses lead. Throws an ApiError. */
  checkPatch: (patch: AgentPatch) => Promise<void>
}

export function agentRoutes(server: Server, { db, box, clock, checkPatch }: Dependencies): void {
  server.get(
    '/agent',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The requesting agent',
        tags: ['agent'],
        security: credentials,
        response: {
          200: single(agentSchema),
          ...errors(...commonErrors),
        },
      },
    },
    async ({ caller }) => ({ data: presentAgent(await readAgent(db, caller.agentId), box) }),
  )

  server.patch(
    '/agent',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change settings of the requesting agent',
        tags: ['agent'],
        security: credentials,
        body: agentPatch,
        response: {
          200: single(agentSchema),
          ...errors(...commonErrors, ...bodyErrors),
        },
      },
    },
    async (request) => {
      const { caller, body } = request
      await checkPatch(body)
      const changed = await updateAgent(db, box, caller.agentId, body, byCaller(request), clock())
      return { data: presentAgent(changed, box) }
    },
  )
}
