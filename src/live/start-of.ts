import type { FastifyRequest } from 'fastify'
import { invalidField } from '../errors.ts'
import { readPlace } from '../events/place.ts'
import type { Start } from './hub.ts'

/** Returns the start of a stream. A browser sends its last place by itself, and could not react to a refusal. */
export function startOf({ headers }: Pick<FastifyRequest, 'headers'>, after: string | undefined): Start {
  const last = headers['last-event-id']
  if (typeof last === 'string' && last !== '') return readPlace(last) ?? 'anew'
  if (after === undefined) return 'now'
  const place = readPlace(after)
  if (!place) throw invalidField('after', 'is not the id of an event')
  return place
}
