import type { Schema } from '@cfworker/json-schema'
import { decodeUri } from '../lib/decode-uri.ts'
import { type LinearPattern, linearPattern } from '../lib/linear-pattern/linear-pattern.ts'
import { newest } from '../lib/newest.ts'
import { isObject, type JsonObject, toObject } from '../lib/untrusted-json.ts'

/** The most characters of a schema as JSON. */
export const SCHEMA_LIMIT = 32_768

/** The most different patterns of a schema. */
export const MOST_PATTERNS = 40

/** Counts microseconds of work, roughly. @throws Error when it has been too much */
export type Spend = (steps: number) => void

/** A schema as the library reads it. */
export interface PreparedSchema {
  schema: Schema | boolean
  /** The parts that references lead to. */
  lookup: Record<string, Schema | boolean>
  /** The patterns, each under the name of the format that replaces it. */
  patterns: ReadonlyMap<string, LinearPattern>
}

/** The steps that one evaluation of a part takes, and that reading a pattern takes for its size. */
const EVALUATION = 2
const READING = 250
const CHARACTERS_IN_A_STEP = 64
const PARTS_IN_A_STEP = 4

/** The formats that are checked: those with one meaning, whose check takes time in proportion to the text. */
const FORMATS = ['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid']

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isNumber = (value: unknown) => typeof value === 'number'

/** By keyword without schemas in it: tells whether a value is allowed. */
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isText(value) || (isTexts(value) && value.length > 0),
  const: () => true,
  enum: Array.isArray,
  required: isTexts,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isTexts),
  uniqueItems: (value) => value === true,
  format: (value) => FORMATS.includes(value as string),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minContains: isNumber,
  maxContains: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
}
const SCHEMA = [
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties'],
  ...['unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
]
const SCHEMA_LIST = ['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf']
const SCHEMA_MAP = ['properties', 'dependentSchemas']

/**
 * Copies a schema from outside so that the library can neither fail on it nor run for long: keywords that are unknown
 * or malformed are left out, each evaluation of a part spends steps, and no pattern is left to `RegExp`. A `pattern`
 * becomes a format that the caller defines. `patternProperties` become `properties` with the names of the arguments
 * that they match.
 */
export function prepareSchema(schema: JsonObject, args: unknown, spend: Spend): PreparedSchema {
  let names: readonly string[] | undefined
  const lookup: PreparedSchema['lookup'] = Object.create(null)
  const patterns = new Map<string, LinearPattern>()
  const copies = new Map<JsonObject, Schema>()

  function copy(part: unknown): Schema | boolean {
    if (!isObject(part)) return part !== false
    const known = copies.get(part)
    if (known) return known
    const made: JsonObject & Schema = {}
    copies.set(part, made)
    let size = 0
    const copyAll = (parts: readonly unknown[]) => {
      size += parts.length * (CHARACTERS_IN_A_STEP / PARTS_IN_A_STEP)
      return parts.map(copy)
    }
    const copyMap = (map: JsonObject) => {
      const keys = Object.keys(map)
      const values = copyAll(Object.values(map))
      return Object.fromEntries(keys.map((key, at) => [key, values[at]]))
    }
    spend(1)
    const { $ref, pattern, patternProperties, dependencies, ...others } = part
    const whole: JsonObject = { ...others, ...splitDependencies(dependencies, others) }
    for (const [keyword, value] of Object.entries(whole)) {
      if (isObject(value) ? SCHEMA.includes(keyword) : typeof value === 'boolean' && SCHEMA.includes(keyword))
        Object.assign(made, { [keyword]: copy(value) })
      else if (Array.isArray(value) && SCHEMA_LIST.includes(keyword))
        Object.assign(made, { [keyword]: copyAll(value) })
      else if (isObject(value) && SCHEMA_MAP.includes(keyword))
        Object.assign(made, { [keyword]: copyMap(value) })
      else if (Object.hasOwn(PLAIN, keyword) && PLAIN[keyword]?.(value)) {
        Object.assign(made, { [keyword]: value })
        size += JSON.stringify(value).length
      }
    }
    // Draft 4 has a boolean here.
    if (part.exclusiveMinimum === true && isNumber(part.minimum))
      made.exclusiveMinimum = part.minimum as number
    if (part.exclusiveMaximum === true && isNumber(part.maximum))
      made.exclusiveMaximum = part.maximum as number
    if (isObject(patternProperties)) matchNames(made, patternProperties)
    const format = typeof pattern === 'string' ? formatOf(pattern) : null
    if (format !== null) made.allOf = [...(made.allOf ?? []), { format }]
    const reference = typeof $ref === 'string' ? refer($ref) : undefined
    const cost = EVALUATION + size / CHARACTERS_IN_A_STEP
    // The library reads this keyword once in each evaluation.
    Object.defineProperty(made, '$ref', {
      get: () => {
        spend(cost)
        return reference
      },
    })
    return made
  }

  function refer(reference: string): string | undefined {
    const target = referred(schema, reference)
    if (target === undefined) return undefined
    lookup[reference] ??= copy(target)
    return reference
  }

  function formatOf(source: string): string | null {
    const name = `pattern ${source}`
    if (!patterns.has(name)) {
      spend(READING)
      const pattern = readPattern(source)
      if (pattern === null) return null
      spend(READING * 4 * pattern.cost)
      patterns.set(name, pattern)
    }
    return name
  }

  /** A pattern that cannot be read may match any name, so that none is refused for being unknown. */
  function matchNames(made: Schema, map: JsonObject): void {
    const properties = new Map(Object.entries(made.properties ?? {}))
    for (const [source, part] of Object.entries(map)) {
      const pattern = patterns.get(formatOf(source) ?? '')
      if (!pattern) {
        delete made.additionalProperties
        delete made.unevaluatedProperties
        continue
      }
      names ??= namesOf(args, spend)
      for (const name of names) {
        spend(1 + name.length * pattern.cost)
        const others = properties.get(name)
        if (pattern.test(name))
          properties.set(name, {
            allOf: [...(others === undefined ? [] : [others as Schema]), copy(part) as Schema],
          })
      }
    }
    made.properties = Object.fromEntries(properties)
  }

  return { schema: copy(schema), lookup, patterns }
}

/** Returns the names of all properties in a value, each once. */
function namesOf(value: unknown, spend: Spend): string[] {
  const names = new Set<string>()
  function walk(part: unknown): void {
    if (typeof part !== 'object' || part === null) return
    if (isObject(part)) for (const name of Object.keys(part)) names.add(name)
    const inner = Object.values(part)
    spend(inner.length / PARTS_IN_A_STEP)
    inner.forEach(walk)
  }
  walk(value)
  return [...names]
}

/** Splits the keyword of older drafts into those that have taken its place. */
function splitDependencies(
  dependencies: unknown,
  { dependentRequired, dependentSchemas }: JsonObject,
): JsonObject {
  if (!isObject(dependencies)) return {}
  const entries = Object.entries(dependencies)
  const lists = Object.fromEntries(entries.filter(([, one]) => Array.isArray(one)))
  const schemas = Object.fromEntries(entries.filter(([, one]) => !Array.isArray(one)))
  return {
    dependentRequired: { ...toObject(dependentRequired), ...lists },
    dependentSchemas: { ...toObject(dependentSchemas), ...schemas },
  }
}

const LONGEST_PATTERN = 500

/** Patterns that cannot run in linear time. Finding that out takes up to two milliseconds. */
const refused = newest<string, true>(1000)

/** Reads a pattern that runs in linear time; null for one that cannot. */
export function readPattern(source: string): LinearPattern | null {
  if (source.length > LONGEST_PATTERN || refused.get(source)) return null
  try {
    return linearPattern(source, { testsOnly: true })
  } catch {
    refused.set(source, true)
    return null
  }
}

/** Returns the part of a schema that a reference names; undefined when it is elsewhere or nowhere. */
export function referred(schema: JsonObject, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined
  let found: unknown = schema
  for (const key of namesIn(reference)) {
    if (!(isObject(found) || Array.isArray(found)) || !Object.hasOwn(found, key)) return undefined
    found = (found as JsonObject)[key]
  }
  return found
}

/** Returns the names on the way that a JSON pointer in a fragment describes. */
export function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => decodeUri(name).replaceAll('~1', '/').replaceAll('~0', '~'))
}
