import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { ApiError } from '../errors.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, optionalBody, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { presentTool, toolSchema } from './present-tool.ts'
import { createTool, deleteTool, type SaveDependencies, updateTool } from './save-tool.ts'
import { newTool, toolPatch, toolTry, triedTool } from './schemas.ts'
import { selectTool, selectToolsPage } from './store.ts'
import { tryTool } from './try-tool.ts'

interface Dependencies extends SaveDependencies {
  clock: Clock
}

const id = idParam('Tool id.')

/** Adds the endpoints of the tools that an agent's model may call. */
export function toolRoutes(server: Server, dependencies: Dependencies): void {
  const { db, box, clock, outbound } = dependencies

  server.get(
    '/tools',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's tools, newest first",
        querystring: listQuery,
        response: { 200: listOf(toolSchema) },
      },
    },
    async ({ caller, query }) =>
      presentPage(await selectToolsPage(db, caller.agentId, query), (row) => presentTool(row, box)),
  )

  server.post(
    '/tools',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Give the agent a tool',
        body: newTool,
        response: { 201: single(toolSchema), ...errors('tool_name_taken', 'too_many_tools') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const row = await createTool(dependencies, caller.agentId, body, now, byCaller(request))
      return reply.code(201).send({ data: presentTool(row, box) })
    },
  )

  server.patch(
    '/tools/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Change a tool field by field',
        params: id,
        body: toolPatch,
        response: {
          200: single(toolSchema),
          ...errors('version_outdated', 'tool_not_found', 'tool_name_taken'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const now = timestamp(clock())
      const toolId = rowId(params.id)
      const row = await updateTool(dependencies, caller.agentId, toolId, body, now, byCaller(request))
      return { data: presentTool(row, box) }
    },
  )

  deleteRoute(
    server,
    '/tools/:id',
    'manage',
    { summary: 'Take a tool away from the agent', params: id, response: errors('tool_not_found') },
    ({ caller, params }, by) =>
      deleteTool(dependencies, caller.agentId, rowId(params.id), timestamp(clock()), by),
  )

  server.post(
    '/tools/:id/try',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Call a tool as the model would; nothing is stored',
        description: 'The call is a real one, whatever the tool does.',
        params: id,
        body: optionalBody(toolTry),
        response: { 200: single(triedTool), ...errors('tool_not_found') },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const [row] = await selectTool(db, { agent_id: caller.agentId, id: rowId(params.id) })
      if (!row) throw new ApiError('tool_not_found')
      const http = outbound.of(caller.teamId)
      const data = await tryTool({ box, http }, row, body, goneSignal(request, reply))
      return data ? { data } : reply.hijack()
    },
  )
}
