import type { FastifyRequest } from 'fastify'
import type {} from '../http/member.ts'
import type { TeamBy } from './record.ts'

/** Returns the caller of a request as the actor. */
export function byCaller({ member, ip }: Pick<FastifyRequest, 'member' | 'ip'>): TeamBy {
  return { teamId: member.teamId, actor: member.actor, address: ip }
}
