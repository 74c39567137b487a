import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import { deleteRoute } from '../../audit/delete-route.ts'
import { errors, idParam, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { rowId } from '../../lib/ids.ts'
import type { Tables } from '../../storage/tables.ts'
import { readTargets } from '../../targets/store.ts'
import { changeTarget, createTarget, removeTarget } from './save-target.ts'
import { newTarget, presentTarget, targetPatch, targetSchema } from './target.ts'

const params = idParam('Id of the target.')

/** Adds the routes of an agent's targets. */
export function targetRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/targets',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's targets, in the order in which they are tried",
        response: { 200: single(z.array(targetSchema)) },
      },
    },
    async ({ caller }) => ({ data: (await readTargets(db, caller.agentId)).map(presentTarget) }),
  )

  server.post(
    '/targets',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Add a target: the times within which people answer and end conversations that wait',
        body: newTarget,
        response: { 201: single(targetSchema), ...errors('too_many_targets') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const made = await createTarget(db, caller.agentId, body, timestamp(clock()), byCaller(request))
      return reply.code(201).send({ data: presentTarget(made) })
    },
  )

  server.patch(
    '/targets/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change a target field by field; its running clocks are set anew',
        params,
        body: targetPatch,
        response: { 200: single(targetSchema), ...errors('target_not_found', 'version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const id = rowId(params.id)
      return { data: presentTarget(await changeTarget(db, caller.agentId, id, body, now, byCaller(request))) }
    },
  )

  deleteRoute(
    server,
    '/targets/:id',
    'manage',
    { summary: 'Delete a target and stop its clocks', params, response: errors('target_not_found') },
    ({ caller, params }, by) => removeTarget(db, caller.agentId, rowId(params.id), timestamp(clock()), by),
  )
}
