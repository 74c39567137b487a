import { z } from 'zod'
import { errors, single } from '../../http/schemas.ts'

export const tags = ['widget protocol']
export const params = z.object({ public_key: z.string().describe("The widget's.") })

/** The errors that every route may return. */
export const refusals = [
  'origin_refused',
  'widget_not_found',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const

/** Returns the answers of a visitor's routes that act on a conversation or one of its answers. */
export function answers<T extends z.ZodType>(data: T) {
  return { 200: single(data), ...errors(...refusals, 'conversation_not_found') }
}
