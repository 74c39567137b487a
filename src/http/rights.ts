import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Server } from './server.ts'

/**
 * The rights of callers. Each right includes those before it: `chat` is for a web site's own server, `read` for
 * looking, `respond` for working with people, `manage` for setting up agents, `own` for the team itself.
 */
export const rights = ['chat', 'read', 'respond', 'manage', 'own'] as const

export type Right = (typeof rights)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The right that a route needs. */
    right?: Right
  }
}

export function isRight(text: string): text is Right {
  return (rights as readonly string[]).includes(text)
}

/** True if one right includes another. */
export function includes(held: Right, needed: Right): boolean {
  return rights.indexOf(held) >= rights.indexOf(needed)
}

/**
 * Makes every route of a scope require the right that it declares (`config.right`). The service does not start when a
 * route declares none. Register this after the hook that sets `request.member`.
 */
export function enforceRights(scope: Server): void {
  scope.addHook('onRoute', ({ config, method, url }) => {
    if (config?.right === undefined) throw new Error(`${method} ${url} declares no right`)
  })
  scope.addHook('onRequest', async ({ member, method, routeOptions }) => {
    const needed = neededBy(member, method, routeOptions.config.right ?? 'own')
    if (!includes(member.right, needed))
      throw new ApiError('insufficient_right', { message: `This requires the right '${needed}'.` })
  })
}

/**
 * Returns the right that a request needs. `chat` is for machines: a person with only the right to read may not prompt
 * or react.
 */
function neededBy({ actor }: FastifyRequest['member'], method: string, right: Right): Right {
  const isRead = method === 'GET' || method === 'HEAD'
  return actor.kind === 'operator' && right === 'chat' && !isRead ? 'respond' : right
}
