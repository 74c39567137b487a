import { format, type OutputUnit, validate } from '@cfworker/json-schema'
import { isObject, type JsonObject } from '../lib/untrusted-json.ts'
import { namesIn, type PreparedSchema, prepareSchema, type Spend } from './prepare-schema.ts'

/** The most steps that a check takes, because a schema may be from anybody. One takes about a microsecond. */
const MOST_STEPS = 20_000
const CHARACTERS_IN_A_STEP = 128
const NAMES_IN_A_STEP = 4

class TooComplex extends Error {}

/**
 * Checks arguments by a JSON Schema (2020-12, and what earlier drafts wrote otherwise). Ignores keywords that it does
 * not know. The work is bounded for any schema and any arguments: a library interprets the schema, and spends steps for
 * each part of it that it evaluates and each part of the arguments that it reads.
 * @returns what is wrong, in words for a model; null: nothing
 */
export function checkArguments(schema: JsonObject, args: unknown): string | null {
  let steps = 0
  const spend: Spend = (more) => {
    steps += more
    if (steps > MOST_STEPS) throw new TooComplex()
  }
  try {
    const prepared = prepareSchema(schema, args, spend)
    const { errors } = withFormats(prepared, spend, () =>
      validate(counted(args, spend), prepared.schema, '2020-12', prepared.lookup),
    )
    return errors.length === 0 ? null : describe(errors, prepared, args)
  } catch (error) {
    // A schema that refers to itself for ever overflows the stack, and half a character in a name cannot be a location.
    if (error instanceof TooComplex || error instanceof RangeError || error instanceof URIError)
      return 'The arguments are too complex to be checked'
    throw error
  }
}

/** Makes a value spend steps for whatever is read of it. */
function counted<Value>(value: Value, spend: Spend): Value {
  if (typeof value === 'string') spend(1 + value.length / CHARACTERS_IN_A_STEP)
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key) {
      spend(1 / NAMES_IN_A_STEP)
      return counted(Reflect.get(target, key), spend)
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target)
      spend(1 + keys.length / NAMES_IN_A_STEP)
      return keys
    },
  })
}

/** Has the library know the patterns of a schema as formats, the one place where it calls functions from outside. */
function withFormats<Result>({ patterns }: PreparedSchema, spend: Spend, check: () => Result): Result {
  for (const [name, pattern] of patterns)
    format[name] = (text) => {
      spend(text.length * pattern.cost)
      return pattern.test(text)
    }
  try {
    return check()
  } finally {
    for (const name of patterns.keys()) delete format[name]
  }
}

/** Keywords whose errors only say that there are others inside. */
const AROUND = [
  ...['properties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', '$ref', 'allOf', 'if'],
]

function describe(errors: readonly OutputUnit[], prepared: PreparedSchema, args: unknown): string {
  const at = errors.findIndex(({ keyword }) => !AROUND.includes(keyword))
  const error = errors[Math.max(at, 0)] as OutputUnit
  const { path, value } = follow(args, error.instanceLocation)
  const expected = expectedBy(prepared, error.keywordLocation)
  if (error.keyword === 'required' && Array.isArray(expected) && isObject(value))
    return `${inside(
      path,
      expected.find((name) => !Object.hasOwn(value, name)),
    )} is missing`
  const around = errors.slice(0, at).map(({ keyword }) => keyword)
  const subject = path === '' ? 'The arguments' : path
  if (error.keyword === 'false')
    return `${subject} is not ${/Properties$/.test(around.at(-1) ?? '') ? 'known' : 'allowed'}`
  const said = SENTENCES[error.keyword]?.(expected) ?? reworded(error.error)
  return `${around.includes('propertyNames') ? 'The name ' : ''}${subject} ${said.slice(0, 500)}`
}

const SENTENCES: Readonly<Record<string, (expected: unknown) => string>> = {
  type: (types) => `must be ${[types].flat().map(withArticle).join(' or ')}`,
  enum: (values) => `must be one of ${JSON.stringify(values)}`,
  const: (value) => `must be ${JSON.stringify(value)}`,
  minimum: (least) => `must be at least ${least}`,
  maximum: (most) => `must be at most ${most}`,
  exclusiveMinimum: (bound) => `must be more than ${bound}`,
  exclusiveMaximum: (bound) => `must be less than ${bound}`,
  multipleOf: (unit) => `must be a multiple of ${unit}`,
  minLength: (least) => `must have at least ${least} characters`,
  maxLength: (most) => `must have at most ${most} characters`,
  minItems: (least) => `must have at least ${least} items`,
  maxItems: (most) => `must have at most ${most} items`,
  minProperties: (least) => `must have at least ${least} fields`,
  maxProperties: (most) => `must have at most ${most} fields`,
  uniqueItems: () => 'must not have the same item twice',
  contains: () => 'must have an item of the form that is asked for',
  anyOf: () => 'must have one of the forms that are allowed',
  oneOf: () => 'must have exactly one of the forms that are allowed',
  not: () => 'must not have the form that is ruled out',
  format: (name) =>
    String(name).startsWith('pattern ')
      ? `must match ${String(name).slice('pattern '.length)}`
      : `must be in the format ${name}`,
}

/** Turns an error of the library, which continues a sentence of its own, into one that continues ours. */
function reworded(error: string): string {
  const asked = error.replace(/^Instance has (.*) but does not have (.*)\.$/s, 'must have $2 with $1')
  return asked.replace(/^(?:Instance|Array) |\.$/g, '')
}

function withArticle(type: unknown): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`
}

/** Returns the value of the keyword that an error is of. Its location names references on the way. */
function expectedBy({ schema, lookup }: PreparedSchema, location: string): unknown {
  let found: unknown = schema
  for (const name of namesIn(location)) {
    if (typeof found !== 'object' || found === null) return undefined
    const inner = (found as JsonObject)[name]
    found = name === '$ref' && typeof inner === 'string' ? lookup[inner] : inner
  }
  return found
}

/** Returns what stands at a place of the arguments, and the path to it as a person writes it. */
function follow(args: unknown, location: string): { path: string; value: unknown } {
  let path = ''
  let value = args
  for (const name of namesIn(location)) {
    path = Array.isArray(value) ? `${path}[${name}]` : inside(path, name)
    value = (value as JsonObject | undefined)?.[name]
  }
  return { path, value }
}

function inside(path: string, name: string): string {
  return path === '' ? name.slice(0, 100) : `${path}.${name.slice(0, 100)}`
}
