import { isObject, type JsonObject } from '../../lib/untrusted-json.ts'
import { readPattern, referred } from '../check-arguments.ts'

const MOST_PARTS = 4000
const DEEPEST = 30

/** A schema that cannot be given to a model, in words for the operator. */
export class SchemaError extends Error {}

/**
 * A schema whose references within it are replaced by what they refer to, which all models understand. Where it refers
 * to itself, anything goes. Patterns that cannot run in linear time are left out.
 * @throws SchemaError for a reference that leads elsewhere or nowhere, and for a schema that is too large
 */
export function inlineReferences(schema: JsonObject): JsonObject {
  let parts = 0

  function inline(part: unknown, depth: number, open: readonly string[]): unknown {
    if (++parts > MOST_PARTS) throw new SchemaError('its schema is too large')
    if (depth > DEEPEST) throw new SchemaError('its schema is nested too deep')
    if (Array.isArray(part)) return part.map((item) => inline(item, depth + 1, open))
    if (!isObject(part)) return part
    const { $ref, ...others } = part
    if (typeof $ref !== 'string') return inlineAll(part, depth, open)
    if (open.includes($ref)) return {}
    const target = referred(schema, $ref)
    if (target === undefined)
      throw new SchemaError(`its schema refers to ${$ref.slice(0, 100)}, which is not in it`)
    const found = inline(target, depth + 1, [...open, $ref])
    const beside = inlineAll(others, depth, open)
    return isObject(found) ? { ...found, ...beside } : found
  }

  function inlineAll(part: JsonObject, depth: number, open: readonly string[]): JsonObject {
    const kept = Object.entries(part).filter(
      ([key, value]) => !(key === 'pattern' && typeof value === 'string' && readPattern(value) === null),
    )
    return Object.fromEntries(kept.map(([key, value]) => [key, inline(value, depth + 1, open)]))
  }

  const { $defs, definitions, $schema, $id, ...own } = schema
  return inline(own, 0, ['#']) as JsonObject
}
