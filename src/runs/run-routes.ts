import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Agent } from '../agents/agent.ts'
import type { CheckPatch } from '../agents/check-patch.ts'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { record } from '../audit/record.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, rowNumber, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { eraseRun } from './erase-run.ts'
import { findRun, presentRun, readCaseResults, readRun } from './read-run.ts'
import { selectRunsPage } from './run-store.ts'
import { findDataset } from './save-dataset.ts'
import { caseResults, newRun, runSchema, runWithResults } from './schemas.ts'
import { startRun } from './start-run.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
  checkPatch: CheckPatch
  nameOfModel: (agent: Agent) => string
}

const params = idParam('Run id.')
const notFound = errors('run_not_found')
export const runsQuery = listQuery.extend({
  dataset_id: rowNumber.optional().describe('Only runs of this dataset.'),
})
const against = rowNumber.optional().describe('Id of a run to compare with: adds what is better and worse.')

export const runQuery = z.object({ against })

/** Adds the endpoints of test runs, which work in the background. */
export function runRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock } = dependencies

  server.post(
    '/runs',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Run a dataset in the background',
        description:
          "The run keeps the cases, settings and evaluators as they are now. It uses the agent's knowledge and its model. It stores no conversation, raises no event, and calls no tool, no webhook of an evaluator and no automation. The newest 50 runs of a dataset are kept.",
        body: newRun,
        response: {
          201: single(runSchema),
          ...errors('dataset_not_found', 'version_not_found', 'too_many_runs'),
        },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const run = await startRun(dependencies, caller.agentId, body, timestamp(clock()), byCaller(request))
      return reply.code(201).send({ data: presentRun(run) })
    },
  )

  server.get(
    '/runs',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The test runs, newest first',
        querystring: runsQuery,
        response: { 200: listOf(runSchema), ...errors('dataset_not_found') },
      },
    },
    async ({ caller, query: { dataset_id, ...request } }) => {
      const of =
        dataset_id === undefined
          ? { agent_id: caller.agentId }
          : { dataset_id: (await findDataset(db, caller.agentId, dataset_id)).id }
      return presentPage(await selectRunsPage(db, of, request), presentRun)
    },
  )

  server.get(
    '/runs/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A test run with what came of each case',
        params,
        querystring: runQuery,
        response: { 200: single(runWithResults), ...notFound },
      },
    },
    async ({ caller, params, query }) => ({
      data: await readRun(db, caller.agentId, rowId(params.id), query.against),
    }),
  )

  server.get(
    '/runs/:id/cases/:case_id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A case of a test run in each repeat, with what a customer and the agent said',
        params: params.extend({ case_id: z.string().describe('Id of the case.') }),
        response: { 200: single(caseResults), ...errors('run_not_found', 'case_not_found') },
      },
    },
    async ({ caller, params: { id, case_id } }) => ({
      data: await readCaseResults(db, caller.agentId, rowId(id), rowId(case_id)),
    }),
  )

  deleteRoute(
    server,
    '/runs/:id',
    'manage',
    { summary: 'Delete a test run; one that is under way ends', params, response: notFound },
    async ({ caller, params }, by) => {
      const { id, agent_id } = await findRun(db, caller.agentId, rowId(params.id))
      const at = timestamp(clock())
      await record(db, { ...by, agentId: agent_id, at, action: 'run.removed', target: `run ${id}` })
      await eraseRun(db, id)
    },
  )
}
