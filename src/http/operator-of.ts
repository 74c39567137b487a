import { ApiError } from '../errors.ts'
import type { Member } from './member.ts'

/**
 * Returns the id of the person who makes a request that only people can make.
 * @throws ApiError operator_needed for a token
 */
export function operatorOf({ actor }: Pick<Member, 'actor'>): number {
  if (actor.kind !== 'operator') throw new ApiError('operator_needed')
  return actor.id
}
