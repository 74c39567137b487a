import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { readAvailability, setAvailability } from './availability.ts'
import type { ConsoleCookie } from './console-cookie.ts'
import { endSession } from './end-session.ts'
import type { KnownDevices } from './known-device.ts'
import { presentOperator } from './operator.ts'
import {
  beginTwoFactor,
  changePassword,
  changeProfile,
  confirmTwoFactor,
  removeTwoFactor,
  type Self,
} from './own-account.ts'
import {
  availabilityBody,
  availabilitySchema,
  codeBody,
  operatorSchema,
  passwordBody,
  preparedFactor,
  presentPassword,
  profilePatch,
  recoveryCodes,
  sessionSchema,
  whoSchema,
} from './schemas.ts'
import { listSessions } from './sessions.ts'
import { selectOperatorById } from './store.ts'
import { type WhoDependencies, who } from './who.ts'

interface Dependencies extends WhoDependencies {
  box: SecretBox
  clock: Clock
  cookie: ConsoleCookie
  devices: KnownDevices
}

const tags = ['console']
const own = { right: 'read' } as const
/**
 * Settings of the routes that are open to people who lack a second factor that their team requires: to see their
 * account, set the factor up, and sign out.
 */
const setup = { ...own, withoutTwoFactor: true } as const

/** Adds the routes for people's own accounts. */
export function accountRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock, cookie, devices } = dependencies

  server.get(
    '/session',
    {
      config: setup,
      schema: {
        summary: 'Who is signed in',
        tags,
        response: { 200: single(whoSchema) },
      },
    },
    async ({ signedIn }) => {
      const operator = await selectOperatorById(db, signedIn.operatorId)
      if (!operator) throw new ApiError('no_session')
      return { data: await who(dependencies, operator) }
    },
  )

  server.delete(
    '/session',
    {
      config: setup,
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        tags,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await endSession(db, selfOf(request), request.signedIn.sessionId, clock())
      cookie.clear(reply)
      return reply.code(204).send()
    },
  )

  server.get(
    '/availability',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Whether the person is given conversations of their groups',
        tags,
        response: { 200: single(availabilitySchema) },
      },
    },
    async ({ signedIn }) => ({ data: await readAvailability(db, signedIn.operatorId, clock()) }),
  )

  server.put(
    '/availability',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Become available for conversations, or go away',
        tags,
        body: availabilityBody,
        response: { 200: single(availabilitySchema) },
      },
    },
    async ({ signedIn, body }) => ({
      data: await setAvailability(db, { signedIn }, body.available, clock()),
    }),
  )

  server.get(
    '/sessions',
    {
      config: own,
      schema: {
        summary: 'The sessions of the person who is signed in',
        tags,
        response: { 200: single(z.array(sessionSchema)) },
      },
    },
    async ({ signedIn }) => {
      const sessions = await listSessions(db, signedIn.operatorId, clock())
      const data = sessions.map(({ id, created_at, used_at, address, user_agent }) => ({
        id,
        created_at,
        used_at,
        address,
        user_agent,
        current: id === signedIn.sessionId,
      }))
      return { data }
    },
  )

  server.delete(
    '/sessions/:id',
    {
      config: own,
      schema: {
        summary: 'Sign out elsewhere',
        tags,
        params: idParam('Session id.'),
        response: { 204: z.void(), ...errors('session_not_found') },
      },
    },
    async (request, reply) => {
      await endSession(db, selfOf(request), rowId(request.params.id), clock())
      return reply.code(204).send()
    },
  )

  server.patch(
    '/profile',
    {
      config: own,
      schema: {
        summary: 'Change the names by which colleagues and end users know the person',
        tags,
        body: profilePatch,
        response: { 200: single(operatorSchema), ...errors('version_outdated') },
      },
    },
    async (request) => {
      const changed = await changeProfile(dependencies, selfOf(request), request.body, clock())
      return { data: presentOperator(changed) }
    },
  )

  server.put(
    '/password',
    {
      config: own,
      schema: {
        summary: 'Change the password; all other sessions end',
        tags,
        body: passwordBody,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      const operator = await changePassword(dependencies, selfOf(request), request.body, clock())
      devices.write(reply, operator)
      return reply.code(204).send()
    },
  )

  server.post(
    '/two-factor',
    {
      config: setup,
      schema: {
        operationId: 'beginTwoFactor',
        summary: 'Prepare a second factor: it is on when a code of it has been shown',
        tags,
        body: presentPassword,
        response: {
          200: single(preparedFactor),
        },
      },
    },
    async (request) => {
      const data = await beginTwoFactor(dependencies, selfOf(request), request.body.present, clock())
      return { data }
    },
  )

  server.put(
    '/two-factor',
    {
      config: setup,
      schema: {
        operationId: 'turnOnTwoFactor',
        summary: 'Turn the prepared second factor on; all other sessions end',
        tags,
        body: codeBody,
        response: {
          200: single(recoveryCodes),
        },
      },
    },
    async (request) => {
      const recovery_codes = await confirmTwoFactor(dependencies, selfOf(request), request.body, clock())
      return { data: { recovery_codes } }
    },
  )

  server.delete(
    '/two-factor',
    {
      config: own,
      schema: {
        operationId: 'turnOffTwoFactor',
        summary: 'Turn the second factor off, unless the team requires it',
        tags,
        body: presentPassword,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await removeTwoFactor(dependencies, selfOf(request), request.body.present, clock())
      return reply.code(204).send()
    },
  )
}

function selfOf({ signedIn, ip }: { signedIn: Self['signedIn']; ip: string }): Self {
  return { signedIn, address: ip }
}
