import { isObject, type JsonObject, toObject } from '../lib/untrusted-json.ts'
import { MOST_PATTERNS, readPattern, referred } from './prepare-schema.ts'

const DEEPEST = 30

/**
 * Checks the schema of a tool's arguments before it is stored.
 * @returns what is wrong, in words for its author; null: nothing
 */
export function checkSchema(schema: JsonObject): string | null {
  if (schema.type !== undefined && schema.type !== 'object') return 'must be a schema of type object'
  if (schema.properties !== undefined && !isObject(schema.properties))
    return 'must have an object as properties'
  return checkPart(schema, schema, 0, new Set())
}

function checkPart(schema: JsonObject, part: unknown, depth: number, patterns: Set<string>): string | null {
  if (depth > DEEPEST) return `must be nested at most ${DEEPEST} deep`
  if (Array.isArray(part)) return first(part, (item) => checkPart(schema, item, depth + 1, patterns))
  if (!isObject(part)) return null
  const { pattern, patternProperties, $ref } = part
  for (const source of [pattern, ...Object.keys(toObject(patternProperties) ?? {})]) {
    if (typeof source !== 'string') continue
    if (patterns.add(source).size > MOST_PATTERNS)
      return `must have at most ${MOST_PATTERNS} different patterns`
    if (readPattern(source) === null)
      return `has a pattern that is not valid or cannot run in linear time: ${source.slice(0, 100)}`
  }
  if (typeof $ref === 'string' && referred(schema, $ref) === undefined)
    return `refers to ${$ref.slice(0, 100)}, which is not in it`
  return first(Object.values(part), (item) => checkPart(schema, item, depth + 1, patterns))
}

function first(items: readonly unknown[], check: (item: unknown) => string | null): string | null {
  for (const item of items) {
    const wrong = check(item)
    if (wrong !== null) return wrong
  }
  return null
}
