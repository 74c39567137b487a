import { invalidField } from '../errors.ts'
import { brokenBound } from '../lib/json-bounds.ts'

const BOUNDS = { depth: 100, fields: 1000, values: 50_000, parts: Number.POSITIVE_INFINITY }

/** The bounds of a JSON body, as text. */
export const jsonBounds =
  `at most ${BOUNDS.depth} objects and lists within each other, ` +
  `${BOUNDS.fields} fields in an object and ${BOUNDS.values} values in all`

/**
 * Refuses a JSON text with so many parts that parsing, checking and storing it would take long. Length alone costs
 * little. A text that is not JSON may pass.
 * @param json UTF-8
 * @throws ApiError invalid_request
 */
export function requireJsonBounds(json: Uint8Array): void {
  const broken = brokenBound(json, BOUNDS)
  if (broken === null) return
  const what = {
    depth: `is nested more than ${BOUNDS.depth} deep`,
    fields: `has an object of more than ${BOUNDS.fields} fields`,
    values: `has more than ${BOUNDS.values} values`,
    parts: 'has too many parts',
  }[broken]
  throw invalidField('', `The body ${what}.`)
}
