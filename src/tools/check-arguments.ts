import { linearPattern } from '../lib/linear-pattern/linear-pattern.ts'
import { newest } from '../lib/newest.ts'
import { isObject, type JsonObject } from '../lib/untrusted-json.ts'

/** The most steps that a check takes, because a schema may be from anybody. */
const MOST_STEPS = 20_000
/**
 * The numbers of characters that one step pays for: characters to compare, and characters that a pattern goes through.
 */
const COMPARED_IN_A_STEP = 64
const MATCHED_IN_A_STEP = 16
/** The steps that reading a pattern costs, which takes up to two milliseconds. */
const STEPS_OF_A_PATTERN = 250
/** The most different patterns of a schema. */
export const MOST_PATTERNS = 40
const DEEPEST = 64

class TooComplex extends Error {}

/**
 * Checks arguments by a JSON Schema: types, required and further properties, enumerations, ranges, lengths, patterns,
 * combinations and references within the schema. Ignores keywords that it does not know. Time is bounded for any
 * schema: patterns run in linear time.
 * @returns what is wrong, in words for a model; null: nothing
 */
export function checkArguments(schema: JsonObject, args: unknown): string | null {
  let steps = 0
  const patterns = new Set<string>()

  function spend(more: number): void {
    steps += more
    if (steps > MOST_STEPS) throw new TooComplex()
  }

  function patternOf(source: string) {
    if (!patterns.has(source)) spend(STEPS_OF_A_PATTERN)
    patterns.add(source)
    return readPattern(source)
  }

  function check(schema: unknown, value: unknown, path: string, depth: number): string | null {
    spend(1)
    if (depth > DEEPEST) throw new TooComplex()
    if (schema === false) return `${path} is not allowed`
    if (!isObject(schema)) return null
    return (
      checkReference(schema, value, path, depth) ??
      checkValue(schema, value, path, spend) ??
      checkNumber(schema, value, path) ??
      checkText(schema, value, path, spend, patternOf) ??
      checkItems(schema, value, path, depth) ??
      checkProperties(schema, value, path, depth) ??
      checkCombinations(schema, value, path, depth)
    )
  }

  function checkReference({ $ref }: JsonObject, value: unknown, path: string, depth: number) {
    const target = typeof $ref === 'string' ? referred(schema, $ref) : undefined
    return target === undefined ? null : check(target, value, path, depth + 1)
  }

  function checkItems(
    { items, prefixItems, minItems, maxItems }: JsonObject,
    value: unknown,
    path: string,
    depth: number,
  ) {
    if (!Array.isArray(value)) return null
    if (isCount(minItems) && value.length < minItems) return `${path} must have at least ${minItems} items`
    if (isCount(maxItems) && value.length > maxItems) return `${path} must have at most ${maxItems} items`
    const first = Array.isArray(prefixItems) ? prefixItems : []
    for (const [at, item] of value.entries()) {
      const wrong = check(first[at] ?? items, item, `${path}[${at}]`, depth + 1)
      if (wrong) return wrong
    }
    return null
  }

  function checkProperties(
    { properties, required, additionalProperties }: JsonObject,
    value: unknown,
    path: string,
    depth: number,
  ) {
    if (!isObject(value)) return null
    const known = isObject(properties) ? properties : {}
    for (const name of Array.isArray(required) ? required : [])
      if (typeof name === 'string' && !Object.hasOwn(value, name)) return `${inside(path, name)} is missing`
    for (const [name, item] of Object.entries(value)) {
      const isKnown = Object.hasOwn(known, name)
      if (!isKnown && additionalProperties === false) return `${inside(path, name)} is not known`
      const wrong = check(isKnown ? known[name] : additionalProperties, item, inside(path, name), depth + 1)
      if (wrong) return wrong
    }
    return null
  }

  function checkCombinations(
    { allOf, anyOf, oneOf, not }: JsonObject,
    value: unknown,
    path: string,
    depth: number,
  ) {
    const fits = (schema: unknown) => check(schema, value, path, depth + 1) === null
    for (const schema of Array.isArray(allOf) ? allOf : []) {
      const wrong = check(schema, value, path, depth + 1)
      if (wrong) return wrong
    }
    if (Array.isArray(anyOf) && !anyOf.some(fits)) return `${path} has none of the forms that it may have`
    if (Array.isArray(oneOf) && oneOf.filter(fits).length !== 1)
      return `${path} must have exactly one of the forms that it may have`
    return isObject(not) && fits(not) ? `${path} has a form that it must not have` : null
  }

  try {
    return check(schema, args, '', 0)
  } catch (error) {
    if (error instanceof TooComplex) return 'The arguments are too complex to be checked'
    throw error
  }
}

/** Returns the part of a schema that a reference names; undefined when it is elsewhere or nowhere. */
export function referred(schema: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let found: unknown = schema
  for (const name of reference.split('/').slice(1)) {
    const key = decode(name).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!(isObject(found) || Array.isArray(found)) || !Object.hasOwn(found, key)) return undefined
    found = (found as JsonObject)[key]
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Counts steps. @throws TooComplex */
type Spend = (steps: number) => void

function checkValue(schema: JsonObject, value: unknown, path: string, spend: Spend): string | null {
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `${path || 'The arguments'} must be ${types.map(withArticle).join(' or ')}`
  const isSame = comparison(value, spend)
  if (Array.isArray(schema.enum) && !schema.enum.some(isSame))
    return `${path} must be one of ${JSON.stringify(schema.enum).slice(0, 500)}`
  if ('const' in schema && !isSame(schema.const))
    return `${path} must be ${JSON.stringify(schema.const)?.slice(0, 500)}`
  return null
}

function checkNumber(schema: JsonObject, value: unknown, path: string): string | null {
  if (typeof value !== 'number') return null
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return `${path} must be at least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `${path} must be at most ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return `${path} must be more than ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return `${path} must be less than ${exclusiveMaximum}`
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(value / multipleOf))
    return `${path} must be a multiple of ${multipleOf}`
  return null
}

function checkText(
  schema: JsonObject,
  value: unknown,
  path: string,
  spend: Spend,
  patternOf: typeof readPattern,
): string | null {
  if (typeof value !== 'string') return null
  const { minLength, maxLength, pattern } = schema
  if (isCount(minLength) && value.length < minLength)
    return `${path} must have at least ${minLength} characters`
  if (isCount(maxLength) && value.length > maxLength)
    return `${path} must have at most ${maxLength} characters`
  if (typeof pattern !== 'string') return null
  spend(Math.ceil(value.length / MATCHED_IN_A_STEP))
  const linear = patternOf(pattern)
  return linear && !linear.test(value) ? `${path} must match ${pattern.slice(0, 200)}` : null
}

const LONGEST_PATTERN = 500

/** Patterns that cannot run in linear time. Finding that out takes up to two milliseconds. */
const refused = newest<string, true>(1000)

/** Reads a pattern that runs in linear time; null for one that cannot. */
export function readPattern(source: string): ReturnType<typeof linearPattern> | null {
  if (source.length > LONGEST_PATTERN || refused.get(source)) return null
  try {
    return linearPattern(source)
  } catch {
    refused.set(source, true)
    return null
  }
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/** Returns a comparison with a value, which becomes text only once. */
function comparison(value: unknown, spend: Spend): (other: unknown) => boolean {
  let own: string | undefined
  const textOf = (one: object): string => {
    const text = JSON.stringify(one)
    spend(Math.ceil(text.length / COMPARED_IN_A_STEP))
    return text
  }
  return (other) => {
    spend(1)
    if (other === value) return true
    if (typeof other !== 'object' || other === null || typeof value !== 'object' || value === null)
      return false
    own ??= textOf(value)
    return textOf(other) === own
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function inside(path: string, name: string): string {
  return path === '' ? name.slice(0, 100) : `${path}.${name.slice(0, 100)}`
}
