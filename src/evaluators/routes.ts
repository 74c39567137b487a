import { readAgent } from '../agents/agent.ts'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { createEvaluator, type SaveDependencies } from './create-evaluator.ts'
import type { Evaluators } from './create-evaluators.ts'
import { deleteEvaluator, type IsInUse } from './delete-evaluator.ts'
import { findEvaluator } from './find-evaluator.ts'
import {
  evaluationSchema,
  evaluatorPatch,
  evaluatorSchema,
  evaluatorTry,
  newEvaluator,
  presentEvaluator,
} from './schemas.ts'
import { selectEvaluatorsPage } from './store.ts'
import { tryEvaluator } from './try-evaluator.ts'
import { updateEvaluator } from './update-evaluator.ts'

interface Dependencies extends SaveDependencies {
  clock: Clock
  evaluators: Evaluators
  /** Tells whether a rule uses an evaluator that is to be deleted. Passed in because only `rules` knows the answer. */
  isInUse: IsInUse
}

const id = idParam('Evaluator id.')

export function evaluatorRoutes(server: Server, dependencies: Dependencies): void {
  const { db, box, clock, evaluators, isInUse } = dependencies

  server.post(
    '/evaluators',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Make an evaluator',
        body: newEvaluator,
        response: { 201: single(evaluatorSchema) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const row = await createEvaluator(dependencies, caller.agentId, body, now, byCaller(request))
      return reply.code(201).send({ data: presentEvaluator(row, box) })
    },
  )

  server.get(
    '/evaluators',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's evaluators, newest first",
        querystring: listQuery,
        response: { 200: listOf(evaluatorSchema) },
      },
    },
    async ({ caller, query }) =>
      presentPage(await selectEvaluatorsPage(db, caller.agentId, query), (row) => presentEvaluator(row, box)),
  )

  server.get(
    '/evaluators/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'An evaluator',
        params: id,
        response: { 200: single(evaluatorSchema), ...errors('evaluator_not_found') },
      },
    },
    async ({ caller, params }) => ({
      data: presentEvaluator(await findEvaluator(db, caller.agentId, params.id), box),
    }),
  )

  server.patch(
    '/evaluators/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change an evaluator',
        params: id,
        body: evaluatorPatch,
        response: { 200: single(evaluatorSchema), ...errors('version_outdated', 'evaluator_not_found') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const id = rowId(params.id)
      const now = timestamp(clock())
      const row = await updateEvaluator(dependencies, caller.agentId, id, body, now, byCaller(request))
      return { data: presentEvaluator(row, box) }
    },
  )

  deleteRoute(
    server,
    '/evaluators/:id',
    'manage',
    {
      summary: 'Delete an evaluator that no rule needs',
      params: id,
      response: errors('evaluator_not_found', 'evaluator_in_use'),
    },
    ({ caller, params }, by) =>
      deleteEvaluator(db, caller.agentId, rowId(params.id), isInUse, timestamp(clock()), by),
  )

  server.post(
    '/evaluators/:id/try',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Score a text with an evaluator; nothing is stored',
        params: id,
        body: evaluatorTry,
        response: { 200: single(evaluationSchema), ...errors('evaluator_not_found') },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const row = await findEvaluator(db, caller.agentId, params.id)
      const agent = await readAgent(db, caller.agentId)
      const signal = goneSignal(request, reply)
      const data = await tryEvaluator(evaluators, row, agent, body, clock(), signal)
      return data ? { data } : reply.hijack()
    },
  )
}
