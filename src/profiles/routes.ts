import type { Kysely } from 'kysely'
import { byCaller } from '../audit/by-caller.ts'
import { listOf, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { USER_NAMED, userSchema } from '../users/schemas.ts'
import { blockUser } from './block-user.ts'
import { findUser } from './find-user.ts'
import { listUsers } from './list-users.ts'
import { changeProfile, presentUser, readProfile } from './profile.ts'
import { blockedBody, profilePatch, profileSchema, usersQuery } from './schemas.ts'

const id = idParam(USER_NAMED)

export function profileRoutes(server: Server, { db, clock }: { db: Kysely<Tables>; clock: Clock }): void {
  server.get(
    '/users',
    {
      config: { right: 'read' },
      schema: {
        summary: 'End users, those who came last first',
        querystring: usersQuery,
        response: { 200: listOf(userSchema) },
      },
    },
    async ({ caller, query }) => presentPage(await listUsers(db, caller, query.q, query), presentUser),
  )

  server.get(
    '/users/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'An end user: profile, counts, newest conversations',
        params: id,
        response: { 200: single(profileSchema), ...errors('user_not_found', 'user_ambiguous') },
      },
    },
    async ({ caller, params }) => {
      const key = await findUser(db, caller, params.id)
      return { data: await readProfile(db, caller, key) }
    },
  )

  server.patch(
    '/users/:id',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Set the name and attributes of an end user',
        params: id,
        body: profilePatch,
        response: {
          200: single(profileSchema),
          ...errors('version_outdated', 'user_not_found', 'user_ambiguous'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const key = await findUser(db, caller, params.id)
      await changeProfile(db, caller.agentId, key, body, timestamp(clock()), byCaller(request))
      return { data: await readProfile(db, caller, key) }
    },
  )

  server.put(
    '/users/:id/blocked',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'setUserBlocked',
        summary: 'Block an end user, whom nobody answers from then on, or unblock them',
        description:
          'Ends the conversations of a blocked user, which stay ended: what they write is kept there, and neither the agent nor a person answers it. Nothing tells them.',
        params: id,
        body: blockedBody,
        response: { 200: single(profileSchema), ...errors('user_not_found', 'user_ambiguous') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const key = await findUser(db, caller, params.id)
      await blockUser(db, caller.agentId, key, body.blocked, timestamp(clock()), byCaller(request))
      return { data: await readProfile(db, caller, key) }
    },
  )
}
