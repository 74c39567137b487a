import { ApiError } from '../errors.ts'
import type { Member } from './member.ts'

/**
 * The id of the person who asks, for what only people can do.
 * @throws ApiError operator_needed for a token
 */
export function operatorOf({ actor }: Pick<Member, 'actor'>): number {
  if (actor.kind !== 'operator') throw new ApiError('operator_needed')
  return actor.id
}
