import { isObject, type JsonObject } from '../../lib/untrusted-json.ts'
import { MOST_PATTERNS, readPattern, referred, SCHEMA_LIMIT } from '../prepare-schema.ts'

const MOST_PARTS = 4000
const DEEPEST = 30

/** The error of a schema that cannot be given to a model, in words for the operator. */
export class SchemaError extends Error {}

/**
 * Replaces the references within a schema by what they refer to, which all models understand. A part that refers to
 * itself allows anything. Leaves out patterns that cannot run in linear time, and those above `MOST_PATTERNS`.
 * @throws SchemaError for a reference that leads elsewhere or nowhere, and for a schema that is too large
 */
export function inlineReferences(schema: JsonObject): JsonObject {
  let parts = 0
  let size = 0
  const patterns = new Set<string>()

  function inline(part: unknown, depth: number, open: readonly string[]): unknown {
    if (typeof part === 'string') size += part.length
    if (++parts > MOST_PARTS || size > SCHEMA_LIMIT) throw new SchemaError('its schema is too large')
    if (depth > DEEPEST) throw new SchemaError('its schema is nested too deep')
    if (Array.isArray(part)) return part.map((item) => inline(item, depth + 1, open))
    if (!isObject(part)) return part
    if (typeof part.$ref !== 'string') return inlineAll(part, depth, open)
    const { $ref, ...others } = part as JsonObject & { $ref: string }
    if (open.includes($ref)) return {}
    const target = referred(schema, $ref)
    if (target === undefined)
      throw new SchemaError(`its schema refers to ${$ref.slice(0, 100)}, which is not in it`)
    const found = inline(target, depth + 1, [...open, $ref])
    const beside = inlineAll(others, depth, open)
    return isObject(found) ? { ...found, ...beside } : found
  }

  function inlineAll(part: JsonObject, depth: number, open: readonly string[]): JsonObject {
    const inlined: JsonObject = {}
    for (const key in part) {
      const value = part[key]
      size += key.length
      if (key === 'pattern' && typeof value === 'string' && !isUsable(value)) continue
      // A field may be called `__proto__`.
      Object.defineProperty(inlined, key, {
        value: inline(value, depth + 1, open),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return inlined
  }

  function isUsable(pattern: string): boolean {
    return patterns.add(pattern).size <= MOST_PATTERNS && readPattern(pattern) !== null
  }

  const { $defs, definitions, $schema, $id, ...own } = schema
  return inline(own, 0, ['#']) as JsonObject
}
