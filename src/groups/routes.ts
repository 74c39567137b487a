import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { hoursSchema, storedHours } from '../http/hours.ts'
import { boundedText, errors, idParam, rowIdField, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { changeGroup, createGroup, type GroupDependencies, removeGroup } from './save-group.ts'
import { listGroups } from './store.ts'

const ids = z.array(rowIdField).max(1000)

export const newGroup = z.strictObject({
  name: boundedText(100).trim().min(1).describe('Unique in the team.'),
  operators: ids.default([]).describe('The people in it.'),
  agents: ids.default([]).describe('The agents whose conversations it is for; empty: all of the team.'),
  assignment: z
    .enum(['off', 'round_robin', 'least_loaded'])
    .default('off')
    .describe(
      'Who is given a conversation that waits in the group: nobody by itself, each in turn, or whoever has the fewest.',
    ),
  at_once: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('A person with this many conversations in hand is given no more; null: no limit.'),
  hours: hoursSchema
    .nullable()
    .default(null)
    .describe('When its people look after conversations of the group; null: in the hours of the agent.'),
})

export const groupPatch = z
  .strictObject({
    name: newGroup.shape.name,
    operators: newGroup.shape.operators.unwrap(),
    agents: newGroup.shape.agents.unwrap(),
    assignment: newGroup.shape.assignment.unwrap(),
    at_once: newGroup.shape.at_once.unwrap(),
    hours: newGroup.shape.hours.unwrap(),
    version: sentVersion,
  })
  .partial()

export const groupSchema = z
  .object({
    id: z.int(),
    ...newGroup.shape,
    operators: z.array(z.int()),
    agents: z.array(z.int()).describe('Empty: all of the team.'),
    assignment: newGroup.shape.assignment.unwrap(),
    at_once: z.int().nullable(),
    hours: storedHours.nullable(),
    created_at: time,
    version: recordVersion,
  })
  .meta({ id: 'Group' })

const params = idParam('Id of the group.')

/** Adds the routes of a team's groups. */
export function groupRoutes(server: Server, dependencies: GroupDependencies & { clock: Clock }): void {
  const { db, clock } = dependencies

  server.get(
    '/groups',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The groups of the team',
        response: { 200: single(z.array(groupSchema)) },
      },
    },
    async ({ member }) => ({ data: await listGroups(db, member.teamId) }),
  )

  server.post(
    '/groups',
    {
      config: { right: 'own' },
      schema: {
        summary: 'Add a group',
        body: newGroup,
        response: { 201: single(groupSchema), ...errors('group_name_taken', 'too_many_groups') },
      },
    },
    async (request, reply) => {
      const made = await createGroup(dependencies, request.body, timestamp(clock()), byCaller(request))
      return reply.code(201).send({ data: made })
    },
  )

  server.patch(
    '/groups/:id',
    {
      config: { right: 'own' },
      schema: {
        summary: 'Change a group field by field',
        params,
        body: groupPatch,
        response: {
          200: single(groupSchema),
          ...errors('group_not_found', 'group_name_taken', 'version_outdated'),
        },
      },
    },
    async (request) => {
      const id = rowId(request.params.id)
      const now = timestamp(clock())
      return { data: await changeGroup(dependencies, id, request.body, now, byCaller(request)) }
    },
  )

  deleteRoute(
    server,
    '/groups/:id',
    'own',
    {
      summary: 'Delete a group: its conversations are in no group then, and keep their assignees',
      params,
      response: errors('group_not_found'),
    },
    ({ params }, by) => removeGroup(db, rowId(params.id), timestamp(clock()), by),
  )
}
