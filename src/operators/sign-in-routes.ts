import { z } from 'zod'
import { bodyErrors, errors, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { ConsoleCookie } from './console-cookie.ts'
import { join, personOfLink } from './join.ts'
import type { KnownDevices } from './known-device.ts'
import { visitorOf } from './require-session.ts'
import { joinBody, linkBody, signInBody, whoSchema } from './schemas.ts'
import { signIn } from './sign-in.ts'
import type { OperatorRow } from './tables.ts'
import type { WhoDependencies } from './who.ts'
import { who } from './who.ts'

interface Dependencies extends WhoDependencies {
  box: SecretBox
  clock: Clock
  cookie: ConsoleCookie
  devices: KnownDevices
}

const tags = ['console']
const signedIn = single(whoSchema)
export const linkSchema = z.object({
  email: z.string(),
  has_joined: z.boolean().describe('True for the link of somebody who has a password already.'),
})

/** Adds the routes for signing in: with a link the first time, and then with a password. */
export function signInRoutes(server: Server, dependencies: Dependencies): void {
  const { db, box, clock, cookie, devices } = dependencies
  const refusals = [...bodyErrors, 'rate_limited', 'internal_error', 'unavailable'] as const

  server.post(
    '/join',
    {
      schema: {
        operationId: 'join',
        summary: 'Take a join link, once: sets the password and signs in',
        tags,
        body: joinBody,
        response: { 200: signedIn, ...errors('invalid_invitation', 'cross_site', ...refusals) },
      },
    },
    async (request, reply) => {
      const joined = await join(db, request.body, visitorOf(request), clock())
      cookie.write(reply, joined.token)
      devices.write(reply, joined.operator)
      return { data: await present(joined.operator) }
    },
  )

  server.post(
    '/join/link',
    {
      schema: {
        operationId: 'getJoinLink',
        summary: 'The person whom a join link lets in; the link stays as it is',
        tags,
        body: linkBody,
        response: { 200: single(linkSchema), ...errors('invalid_invitation', 'cross_site', ...refusals) },
      },
    },
    async (request) => {
      const { email, joined_at } = await personOfLink(db, request.body.token, clock())
      return { data: { email, has_joined: joined_at !== null } }
    },
  )

  server.post(
    '/session',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'An unknown address and a wrong password get the same answer. `code_needed`: the password is right, and a code is missing.',
        tags,
        body: signInBody,
        response: { 200: signedIn, ...errors('invalid_login', 'code_needed', 'cross_site', ...refusals) },
      },
    },
    async (request, reply) => {
      const deviceOf = (operator: OperatorRow) => devices.read(request, operator)
      const session = await signIn({ db, box }, request.body, visitorOf(request), deviceOf, clock())
      cookie.write(reply, session.token)
      devices.write(reply, session.operator)
      return { data: await present(session.operator) }
    },
  )

  const present = (operator: OperatorRow): Promise<z.output<typeof whoSchema>> => who(dependencies, operator)
}
