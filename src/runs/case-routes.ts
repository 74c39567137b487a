import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { toParts } from './case.ts'
import { selectCasesPage } from './case-store.ts'
import {
  addCase,
  caseVersion,
  changeCase,
  readCase,
  removeCase,
  type WholeCase,
  wholeCases,
} from './save-case.ts'
import { readDataset } from './save-dataset.ts'
import { casePatch, caseSchema, newCase } from './schemas.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
}

const ofDataset = idParam('Dataset id.')
const ofCase = ofDataset.extend({ case_id: z.string().describe('Id of the case.') })
const notFound = errors('dataset_not_found', 'case_not_found')

/** Adds the endpoints of the test cases of a dataset. */
export function caseRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock } = dependencies

  server.get(
    '/datasets/:id/cases',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The cases of a dataset, oldest first',
        params: ofDataset,
        querystring: listQuery,
        response: { 200: listOf(caseSchema), ...errors('dataset_not_found') },
      },
    },
    async ({ caller, params, query }) => {
      const { id } = await readDataset(db, caller.agentId, params.id)
      const page = await selectCasesPage(db, id, query)
      return presentPage({ ...page, rows: await wholeCases(db, page.rows) }, presentCase)
    },
  )

  server.post(
    '/datasets/:id/cases',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Add a case, or make one of a completion',
        description:
          'Give `messages`, a `customer` who talks with the agent, or `completion_id`: then the case has the prompt with up to 20 messages before it, the results of the tools that were called, and expects that they are called and the same source is cited. What is given beside it goes first. Redaction of a completion reaches the texts of cases made of it.',
        params: ofDataset,
        body: newCase,
        response: {
          201: single(caseSchema),
          ...errors('dataset_not_found', 'completion_not_found', 'too_many_cases'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const made = await addCase(dependencies, caller, params.id, body, now, byCaller(request))
      return reply.code(201).send({ data: presentCase(made) })
    },
  )

  server.get(
    '/datasets/:id/cases/:case_id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A case',
        params: ofCase,
        response: { 200: single(caseSchema), ...notFound },
      },
    },
    async ({ caller, params }) => {
      const { id } = await readDataset(db, caller.agentId, params.id)
      return { data: presentCase(await readCase(db, id, params.case_id)) }
    },
  )

  server.patch(
    '/datasets/:id/cases/:case_id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change a case field by field',
        params: ofCase,
        body: casePatch,
        response: { 200: single(caseSchema), ...notFound, ...errors('version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { id, case_id } = params
      const now = timestamp(clock())
      const by = byCaller(request)
      const changed = await changeCase(dependencies, caller.agentId, id, case_id, body, now, by)
      return { data: presentCase(changed) }
    },
  )

  deleteRoute(
    server,
    '/datasets/:id/cases/:case_id',
    'manage',
    { summary: 'Delete a case; runs keep what came of it', params: ofCase, response: notFound },
    ({ caller, params }, by) =>
      removeCase(dependencies, caller.agentId, params.id, params.case_id, timestamp(clock()), by),
  )
}

function presentCase({ row, texts }: WholeCase): z.output<typeof caseSchema> {
  const { id, dataset_id, completion_id, tags, created_at, updated_at } = row
  return {
    id,
    dataset_id,
    completion_id,
    ...toParts(texts),
    tags: JSON.parse(tags) as Record<string, unknown>,
    version: caseVersion({ row, texts }),
    created_at,
    updated_at,
  }
}
