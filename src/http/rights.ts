import { ApiError } from '../errors.ts'
import type { Member } from './member.ts'
import type { Server } from './server.ts'

/**
 * What a caller may do, each including those before it: `chat` for a web site's own server, `read` to look, `respond`
 * to work with people, `manage` to set up agents, `own` for the team itself.
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

/** Whether one right includes another. */
export function includes(held: Right, needed: Right): boolean {
  return rights.indexOf(held) >= rights.indexOf(needed)
}

/**
 * Makes every route of a scope need the right that it declares (`config.right`). One that declares none stops the start.
 * Register it behind what finds out who asks: `request.member` must be known.
 */
export function enforceRights(scope: Server): void {
  scope.addHook('onRoute', ({ config, method, url }) => {
    if (config?.right === undefined) throw new Error(`${method} ${url} declares no right`)
  })
  scope.addHook('onRequest', async ({ member, method, routeOptions }) => {
    const needed = neededBy(member, method, routeOptions.config.right ?? 'own')
    if (!includes(member.right, needed))
      throw new ApiError('insufficient_right', { message: `This needs the right '${needed}'.` })
  })
}

/** `chat` is for machines: a person who may only look prompts nobody and reacts to nothing. */
function neededBy({ actor }: Member, method: string, right: Right): Right {
  const isRead = method === 'GET' || method === 'HEAD'
  return actor.kind === 'operator' && right === 'chat' && !isRead ? 'respond' : right
}
