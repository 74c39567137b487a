import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { joinUrl } from './links.ts'
import type { MailLink } from './mails/mail-link.ts'
import { presentOperator } from './operator.ts'
import { invitation, invitedSchema, operatorPatch, operatorSchema } from './schemas.ts'
import { selectOperatorsPage } from './store.ts'
import { changeOperator, inviteOperator, removeOperator, resetOperator } from './team-operators.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUniqueViolation'>
  clock: Clock
  /** The address under which people reach the service. */
  publicUrl: () => string
  mailLink: MailLink
  /** True if there is a mail server, so that links are mailed. */
  isMailing: boolean
}

const config = { right: 'own' } as const
const params = idParam('Operator id.')
const invited = single(invitedSchema)

/** Adds the routes with which the owners of a team manage its people. */
export function operatorRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock, publicUrl, isMailing } = dependencies

  server.get(
    '/operators',
    {
      config,
      schema: {
        summary: 'List the people of the team, newest first',
        querystring: listQuery,
        response: { 200: listOf(operatorSchema) },
      },
    },
    async ({ member, query }) =>
      presentPage(await selectOperatorsPage(db, member.teamId, query), presentOperator),
  )

  server.post(
    '/operators',
    {
      config,
      schema: {
        summary: 'Invite a person: the answer has the link by which they join',
        body: invitation,
        response: { 201: invited, ...errors('email_taken') },
      },
    },
    async (request, reply) => {
      const { member, body } = request
      const { operator, token } = await inviteOperator(
        dependencies,
        member.teamId,
        body,
        byCaller(request),
        clock(),
      )
      const data = { ...presentOperator(operator), join_url: joinUrl(publicUrl(), token), mailed: isMailing }
      return reply.code(201).send({ data })
    },
  )

  server.patch(
    '/operators/:id',
    {
      config,
      schema: {
        summary: 'Change a person: their name, right, scope, or whether they may sign in',
        params,
        body: operatorPatch,
        response: {
          200: single(operatorSchema),
          ...errors('operator_not_found', 'last_owner', 'version_outdated'),
        },
      },
    },
    async (request) => {
      const {
        member,
        params: { id },
        body,
      } = request
      const changed = await changeOperator(db, member.teamId, rowId(id), body, byCaller(request), clock())
      return { data: presentOperator(changed) }
    },
  )

  server.delete(
    '/operators/:id',
    {
      config,
      schema: {
        summary: 'Remove a person for good',
        params,
        response: { 204: z.void(), ...errors('operator_not_found', 'last_owner') },
      },
    },
    async (request, reply) => {
      const {
        member,
        params: { id },
      } = request
      await removeOperator(db, member.teamId, rowId(id), byCaller(request), clock())
      return reply.code(204).send()
    },
  )

  server.post(
    '/operators/:id/reset',
    {
      config,
      schema: {
        summary: 'Sign a person out and make the link by which they choose a new password',
        params,
        response: { 200: invited, ...errors('operator_not_found') },
      },
    },
    async (request) => {
      const {
        member,
        params: { id },
      } = request
      const { operator, token } = await resetOperator(
        dependencies,
        member.teamId,
        rowId(id),
        byCaller(request),
        clock(),
      )
      return {
        data: { ...presentOperator(operator), join_url: joinUrl(publicUrl(), token), mailed: isMailing },
      }
    },
  )
}
