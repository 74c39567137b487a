import { byCaller } from '../audit/by-caller.ts'
import { listOf, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Database } from '../storage/opened-database.ts'
import { USER_NAMED, userSchema } from '../users/schemas.ts'
import { blockUser } from './block-user.ts'
import { findIdentity, findUser } from './find-user.ts'
import { listUsers } from './list-users.ts'
import { mergeUsers, undoMerge } from './merge-users.ts'
import { changeProfile, presentUser, readProfile } from './profile.ts'
import { blockedBody, mergeBody, profilePatch, profileSchema, usersQuery } from './schemas.ts'

const id = idParam(USER_NAMED)

export function profileRoutes(
  server: Server,
  { database, clock }: { database: Database; clock: Clock },
): void {
  const { db } = database
  server.get(
    '/users',
    {
      config: { right: 'read' },
      schema: {
        summary: 'End users, the newest first',
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
      return { data: await readProfile(db, caller, key, clock()) }
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
      return { data: await readProfile(db, caller, key, clock()) }
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
      return { data: await readProfile(db, caller, key, clock()) }
    },
  )

  server.post(
    '/users/:id/merge',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'mergeUser',
        summary: 'Make an end user one person with another',
        description:
          'All that is read, exported, searched or erased of one is that of both from then on, also what they write later. The profile is that of `into`, which gets what it lacks. When one of them is blocked, both are. Each keeps writing under their own id and sees only their own conversations. It can be undone for 30 days, unless the person is erased.',
        params: id,
        body: mergeBody,
        response: {
          200: single(profileSchema),
          ...errors('user_not_found', 'user_ambiguous', 'user_merged'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const key = await findUser(db, caller, params.id)
      const into = await findUser(db, caller, body.into)
      await mergeUsers(database, caller.agentId, key, into, timestamp(clock()), byCaller(request))
      return { data: await readProfile(db, caller, into, clock()) }
    },
  )

  server.delete(
    '/users/:id/merge',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'undoMerge',
        summary: 'Undo the merge of an end user, who gets their own profile back',
        description:
          'Who was blocked before the merge is blocked alone. A block that was set while they were one person holds for both from then on, and is lifted for each by itself.',
        params: idParam(`The end user who was merged. ${USER_NAMED}`),
        response: {
          200: single(profileSchema),
          ...errors('user_not_found', 'user_ambiguous', 'user_not_merged', 'merge_final'),
        },
      },
    },
    async (request) => {
      const { caller, params } = request
      const key = await findIdentity(db, caller, params.id)
      await undoMerge(database, caller.agentId, key, timestamp(clock()), byCaller(request))
      return { data: await readProfile(db, caller, key, clock()) }
    },
  )
}
