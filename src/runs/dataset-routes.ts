import type { Kysely } from 'kysely'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { type CountedDataset, selectDatasetsPage } from './dataset-store.ts'
import { changeDataset, createDataset, datasetVersion, readDataset, removeDataset } from './save-dataset.ts'
import { datasetPatch, datasetSchema, newDataset } from './schemas.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
}

const params = idParam('Dataset id.')
const notFound = errors('dataset_not_found')

/** Adds the endpoints of datasets, which are sets of test cases. */
export function datasetRoutes(server: Server, { db, clock }: Dependencies): void {
  server.get(
    '/datasets',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's datasets, newest first",
        querystring: listQuery,
        response: { 200: listOf(datasetSchema) },
      },
    },
    async ({ caller, query }) =>
      presentPage(await selectDatasetsPage(db, caller.agentId, query), (row) =>
        presentDataset({ ...row, cases: Number(row.cases) }),
      ),
  )

  server.post(
    '/datasets',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Make a dataset of test cases',
        body: newDataset,
        response: { 201: single(datasetSchema), ...errors('too_many_datasets') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const row = await createDataset(db, caller.agentId, body, now, byCaller(request))
      return reply.code(201).send({ data: presentDataset(row) })
    },
  )

  server.get(
    '/datasets/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A dataset',
        params,
        response: { 200: single(datasetSchema), ...notFound },
      },
    },
    async ({ caller, params }) => ({
      data: presentDataset(await readDataset(db, caller.agentId, params.id)),
    }),
  )

  server.patch(
    '/datasets/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Rename a dataset',
        params,
        body: datasetPatch,
        response: { 200: single(datasetSchema), ...notFound, ...errors('version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const row = await changeDataset(db, caller.agentId, params.id, body, now, byCaller(request))
      return { data: presentDataset(row) }
    },
  )

  deleteRoute(
    server,
    '/datasets/:id',
    'manage',
    { summary: 'Delete a dataset with its cases and runs', params, response: notFound },
    ({ caller, params }, by) => removeDataset(db, caller.agentId, params.id, timestamp(clock()), by),
  )
}

function presentDataset({ id, name, cases, created_at, updated_at }: CountedDataset) {
  return { id, name, cases, version: datasetVersion({ name }), created_at, updated_at }
}
