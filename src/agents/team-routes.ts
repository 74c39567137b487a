import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { boundedText, errors, idParam, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import type { Clock } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Erasures } from '../receipts/erasures.ts'
import type { Tables } from '../storage/tables.ts'
import { presentAgent } from './agent.ts'
import type { CheckPatch } from './check-patch.ts'
import { deleteAgent } from './delete-agent.ts'
import { agentChange, agentSchema } from './settings.ts'
import { addAgent, changeTeam, findTeamAgent, listTeamAgents, readTeam, type SignsInSafely } from './team.ts'
import { type UpdateDependencies, updateAgent } from './update-agent.ts'

interface Dependencies extends UpdateDependencies {
  clock: Clock
  /** Checks rules that the schema of a patch cannot express, such as permitted addresses. Throws an ApiError. */
  checkPatch: CheckPatch
  signsInSafely: SignsInSafely
  revokeKeys: (db: Kysely<Tables>, agentId: number, now: string) => Promise<void>
  erasures: Erasures
}

const config = { right: 'own' } as const
const params = idParam('Agent id.')
const name = boundedText(200).trim().min(1)
export const teamSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    require_two_factor: z
      .boolean()
      .describe(
        'Whether people who sign in with a password need a second factor: without one they can only set it up.',
      ),
    version: recordVersion,
    created_at: time,
  })
  .meta({ id: 'Team' })

export const listedAgent = agentSchema
  .extend({
    deletion: z
      .object({ started_at: time, rows_erased: z.int() })
      .nullable()
      .describe('How far the erasing of a deleted agent has come.'),
  })
  .meta({ id: 'ListedAgent' })

export const teamPatch = z.strictObject({
  name: name.optional(),
  require_two_factor: z
    .boolean()
    .optional()
    .describe(
      'A person who switches it on needs a second factor: the answer is 409 `two_factor_missing` without.',
    ),
  version: sentVersion,
})

export const newAgent = z.strictObject({ name })

/** Adds the routes of a team and its agents, for its owners. */
export function teamRoutes(server: Server, dependencies: Dependencies): void {
  const { db, box, clock, checkPatch, revokeKeys, erasures } = dependencies

  server.get(
    '/team',
    {
      config,
      schema: { summary: 'The team', response: { 200: single(teamSchema) } },
    },
    async ({ member }) => ({ data: await readTeam(db, member.teamId) }),
  )

  server.patch(
    '/team',
    {
      config,
      schema: {
        summary: 'Change the team',
        body: teamPatch,
        response: { 200: single(teamSchema), ...errors('two_factor_missing', 'version_outdated') },
      },
    },
    async (request) => ({ data: await changeTeam(dependencies, request.body, byCaller(request), clock()) }),
  )

  server.get(
    '/agents',
    {
      config,
      schema: {
        summary: "The team's agents, newest first",
        querystring: listQuery,
        response: { 200: listOf(listedAgent) },
      },
    },
    async ({ member, query }) => {
      const page = await listTeamAgents(db, member.teamId, query)
      return presentPage(page, (agent) => ({ ...presentAgent(agent, box), deletion: agent.deletion }))
    },
  )

  server.post(
    '/agents',
    {
      config,
      schema: {
        summary: 'Make an agent; it has no key yet',
        body: newAgent,
        response: { 201: single(agentSchema) },
      },
    },
    async (request, reply) => {
      const agent = await addAgent(db, request.body.name, byCaller(request), clock())
      return reply.code(201).send({ data: presentAgent(agent, box) })
    },
  )

  server.patch(
    '/agents/:id',
    {
      config,
      schema: {
        operationId: 'renameAgent',
        summary: 'Change settings of an agent',
        params,
        body: agentChange,
        response: { 200: single(agentSchema), ...errors('agent_not_found', 'version_outdated') },
      },
    },
    async (request) => {
      const { member, params, body } = request
      const { id, settings } = await findTeamAgent(db, member.teamId, rowId(params.id))
      await checkPatch(body, settings)
      const changed = await updateAgent(dependencies, id, body, byCaller(request), clock())
      return { data: presentAgent(changed, box) }
    },
  )

  server.delete(
    '/agents/:id',
    {
      config,
      schema: {
        summary: 'Delete a paused agent; its keys end at once, and its data is erased from then on',
        params,
        response: {
          202: z.object({}).describe('It is being erased: the list of agents tells how far.'),
          ...errors('agent_not_found', 'agent_in_use'),
        },
      },
    },
    async (request, reply) => {
      await deleteAgent(db, rowId(request.params.id), revokeKeys, erasures, byCaller(request), clock())
      return reply.code(202).send({})
    },
  )
}
