import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/lib/untrusted-json.ts'
import { checkArguments } from '../../../src/tools/check-arguments.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const many = <Made>(length: number, make: (at: number) => Made) => Array.from({ length }, (_, at) => make(at))

/** A keyword. The linter takes an object with such a property for a promise. */
const THEN = 'then'

const tree = {
  $defs: {
    node: object({ value: { type: 'integer' }, next: { $ref: '#/$defs/node' } }, { required: ['value'] }),
  },
  ...object({ tree: { $ref: '#/$defs/node' } }),
}

/** Schemas as people and servers write them, arguments, and what is said of these; null: they fit. */
const everyday: [name: string, schema: object, args: object, said: string | null][] = [
  [
    'multipleOf 0.01 of 19.99',
    object({ price: { type: 'number', multipleOf: 0.01 } }),
    { price: 19.99 },
    null,
  ],
  [
    'multipleOf 0.01 of 19.999',
    object({ price: { type: 'number', multipleOf: 0.01 } }),
    { price: 19.999 },
    'price must be a multiple of 0.01',
  ],
  ['multipleOf 0.1 of 0.3', object({ price: { multipleOf: 0.1 } }), { price: 0.3 }, null],
  ['multipleOf 5 of 1e20', object({ n: { multipleOf: 5 } }), { n: 1e20 }, null],
  ['multipleOf 1e-7 of 3e-7', object({ n: { multipleOf: 1e-7 } }), { n: 3e-7 }, null],
  ['one emoji maxLength 1', object({ e: { type: 'string', maxLength: 1 } }), { e: '😀' }, null],
  [
    'two emoji maxLength 1',
    object({ e: { type: 'string', maxLength: 1 } }),
    { e: '😀😀' },
    'e must have at most 1 characters',
  ],
  [
    'emoji minLength 2',
    object({ e: { type: 'string', minLength: 2 } }),
    { e: '😀' },
    'e must have at least 2 characters',
  ],
  ['enum key order', object({ at: { enum: [{ x: 1, y: 2 }] } }), { at: { y: 2, x: 1 } }, null],
  [
    'enum other object',
    object({ at: { enum: [{ x: 1, y: 2 }] } }),
    { at: { y: 2, x: 2 } },
    'at must be one of [{"x":1,"y":2}]',
  ],
  ['enum array order', object({ at: { enum: [[1, 2]] } }), { at: [2, 1] }, 'at must be one of [[1,2]]'],
  ['const key order', object({ at: { const: { x: 1, y: [1] } } }), { at: { y: [1], x: 1 } }, null],
  ['const null', object({ at: { const: null } }), { at: null }, null],
  ['const false', object({ at: { const: false } }), { at: 0 }, 'at must be false'],
  ['enum null', object({ at: { enum: ['a', null] } }), { at: null }, null],
  ['minProperties', object({}, { minProperties: 1 }), {}, 'The arguments must have at least 1 fields'],
  [
    'maxProperties',
    object({}, { maxProperties: 1 }),
    { a: 1, b: 2 },
    'The arguments must have at most 1 fields',
  ],
  [
    'uniqueItems no',
    object({ l: { uniqueItems: true } }),
    { l: [1, 2, 1] },
    'l must not have the same item twice',
  ],
  ['uniqueItems yes', object({ l: { uniqueItems: true } }), { l: [1, '1', true] }, null],
  [
    'uniqueItems objects',
    object({ l: { uniqueItems: true } }),
    {
      l: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    },
    'l must not have the same item twice',
  ],
  [
    'if/then no',
    object(
      {},
      { if: { properties: { c: { const: 'US' } }, required: ['c'] }, [THEN]: { required: ['zip'] } },
    ),
    { c: 'US' },
    'zip is missing',
  ],
  [
    'if/then other',
    object(
      {},
      { if: { properties: { c: { const: 'US' } }, required: ['c'] }, [THEN]: { required: ['zip'] } },
    ),
    { c: 'DE' },
    null,
  ],
  ['if/else', object({}, { if: { required: ['a'] }, else: { required: ['b'] } }), {}, 'b is missing'],
  [
    'patternProperties',
    object({}, { patternProperties: { '^x-': { type: 'string' } } }),
    { 'x-a': 1 },
    'x-a must be a string',
  ],
  [
    'patternProperties + additional false',
    object({}, { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }),
    { 'x-a': 'a' },
    null,
  ],
  [
    'patternProperties + additional false other',
    object({}, { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }),
    { 'y-a': 'a' },
    'y-a is not known',
  ],
  [
    'propertyNames',
    object({}, { propertyNames: { maxLength: 3 } }),
    { long: 1 },
    'The name long must have at most 3 characters',
  ],
  [
    'propertyNames pattern',
    object({}, { propertyNames: { pattern: '^[a-z]+$' } }),
    { A: 1 },
    'The name A must match ^[a-z]+$',
  ],
  [
    'dependentRequired',
    object({}, { dependentRequired: { card: ['address'] } }),
    { card: 1 },
    'The arguments must have "address" with "card"',
  ],
  [
    'dependentSchemas',
    object({}, { dependentSchemas: { card: { required: ['address'] } } }),
    { card: 1 },
    'address is missing',
  ],
  [
    'contains',
    object({ l: { contains: { const: 1 } } }),
    { l: [2] },
    'l must have an item of the form that is asked for',
  ],
  ['contains yes', object({ l: { contains: { const: 1 } } }), { l: [2, 1] }, null],
  ['minContains', object({ l: { contains: { const: 1 }, minContains: 2 } }), { l: [2, 1] }, 'l[0] must be 1'],
  [
    'maxContains',
    object({ l: { contains: { const: 1 }, maxContains: 1 } }),
    { l: [1, 1] },
    'l may contain at most 1 items matching schema. 2 items were found',
  ],
  [
    'prefixItems',
    object({ l: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } }),
    { l: ['a', 1] },
    null,
  ],
  [
    'prefixItems more',
    object({ l: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } }),
    { l: ['a', 1, 2] },
    'l[2] is not allowed',
  ],
  [
    'items list of draft 7',
    object({ l: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } }),
    { l: ['a', 'b'] },
    'l[1] must be a number',
  ],
  [
    'items list of draft 7, more',
    object({ l: { items: [{ type: 'string' }], additionalItems: false } }),
    { l: ['a', 'b'] },
    'l[1] is not allowed',
  ],
  [
    'exclusiveMinimum of draft 4',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ n: { minimum: 0, exclusiveMinimum: true } }),
    },
    { n: 0 },
    'n must be more than 0',
  ],
  ['exclusiveMinimum', object({ n: { exclusiveMinimum: 0 } }), { n: 0 }, 'n must be more than 0'],
  ['integer 1.0', object({ n: { type: 'integer' } }), { n: 1.0 }, null],
  ['integer 1.5', object({ n: { type: 'integer' } }), { n: 1.5 }, 'n must be an integer'],
  ['integer text', object({ n: { type: 'integer' } }), { n: '1' }, 'n must be an integer'],
  ['type list', object({ n: { type: ['string', 'null'] } }), { n: null }, null],
  ['type list no', object({ n: { type: ['string', 'null'] } }), { n: 1 }, 'n must be a string or null'],
  [
    'nullable anyOf',
    object({ n: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    { n: 1 },
    'n must have one of the forms that are allowed',
  ],
  [
    'oneOf by const',
    object({
      n: {
        oneOf: [
          object({ k: { const: 'a' } }, { required: ['k'] }),
          object({ k: { const: 'b' } }, { required: ['k'] }),
        ],
      },
    }),
    { n: { k: 'b' } },
    null,
  ],
  [
    'oneOf two',
    object({ n: { oneOf: [{ type: 'number' }, { minimum: 1 }] } }),
    { n: 3 },
    'n must have exactly one of the forms that are allowed',
  ],
  ['not', object({ n: { not: { const: 1 } } }), { n: 1 }, 'n must not have the form that is ruled out'],
  ['recursion', tree, { tree: { value: 1, next: { value: 2 } } }, null],
  ['recursion no', tree, { tree: { value: 1, next: { value: 'x' } } }, 'tree.next.value must be an integer'],
  [
    'definitions',
    { definitions: { a: { type: 'string' } }, ...object({ a: { $ref: '#/definitions/a' } }) },
    { a: 1 },
    'a must be a string',
  ],
  [
    'ref with siblings',
    { $defs: { a: { type: 'string' } }, ...object({ a: { $ref: '#/$defs/a', maxLength: 1 } }) },
    { a: 'ab' },
    'a must have at most 1 characters',
  ],
  [
    'ref to a property',
    object({ a: { type: 'string' }, b: { $ref: '#/properties/a' } }),
    { b: 1 },
    'b must be a string',
  ],
  [
    'additionalProperties false',
    object({ a: {} }, { additionalProperties: false }),
    { b: 1 },
    'b is not known',
  ],
  [
    'additionalProperties false, toString',
    object({ a: {} }, { additionalProperties: false }),
    { toString: 1 },
    'toString is not known',
  ],
  [
    'additionalProperties schema',
    object({ a: {} }, { additionalProperties: { type: 'number' } }),
    { b: 'x' },
    'b must be a number',
  ],
  [
    'unevaluatedProperties',
    { allOf: [object({ a: {} })], unevaluatedProperties: false, type: 'object' },
    { b: 1 },
    'b is not known',
  ],
  [
    'unevaluatedProperties ok',
    { allOf: [object({ a: {} })], unevaluatedProperties: false, type: 'object' },
    { a: 1 },
    null,
  ],
  ['required toString', object({}, { required: ['toString'] }), {}, 'toString is missing'],
  ['required __proto__ field', object({}, { required: ['__proto__'] }), {}, '__proto__ is missing'],
  ['slug', object({ s: { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' } }), { s: 'a-b' }, null],
  [
    'slug no',
    object({ s: { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' } }),
    { s: 'a--b' },
    's must match ^[a-z0-9]+(?:-[a-z0-9]+)*$',
  ],
  ['pattern in the middle', object({ s: { pattern: 'b' } }), { s: 'abc' }, null],
  [
    'format date',
    object({ d: { type: 'string', format: 'date' } }),
    { d: '2026-02-30' },
    'd must be in the format date',
  ],
  ['format date ok', object({ d: { type: 'string', format: 'date' } }), { d: '2026-02-28' }, null],
  [
    'format date-time',
    object({ d: { format: 'date-time' } }),
    { d: 'tomorrow' },
    'd must be in the format date-time',
  ],
  ['format date-time ok', object({ d: { format: 'date-time' } }), { d: '2026-02-28T10:00:00Z' }, null],
  ['format email', object({ d: { format: 'email' } }), { d: 'nobody' }, 'd must be in the format email'],
  ['format uri', object({ d: { format: 'uri' } }), { d: 'no uri' }, 'd must be in the format uri'],
  ['format uuid', object({ d: { format: 'uuid' } }), { d: 'x' }, 'd must be in the format uuid'],
  ['format unknown', object({ d: { format: 'int32' } }), { d: 1 }, null],
  ['format unknown text', object({ d: { format: 'binary' } }), { d: 'x' }, null],
  ['bool schema', object({ d: false }), { d: 1 }, 'd is not allowed'],
  ['number exclusiveMaximum', object({ d: { exclusiveMaximum: 10 } }), { d: 10 }, 'd must be less than 10'],
  ['empty string minLength', object({ d: { minLength: 1 } }), { d: '' }, 'd must have at least 1 characters'],
  ['min on string ignored', object({ d: { minimum: 5 } }), { d: 'a' }, null],
  ['minItems', object({ d: { minItems: 1 } }), { d: [] }, 'd must have at least 1 items'],
  [
    'nested path',
    object({ d: { items: object({ q: { type: 'integer' } }) } }),
    { d: [{ q: 1 }, { q: 'x' }] },
    'd[1].q must be an integer',
  ],
  [
    'description is no keyword',
    object({ description: { type: 'string', description: 'x', title: 'T', default: 'd', examples: ['e'] } }),
    { description: 'x' },
    null,
  ],
]

describe('arguments of tools', () => {
  for (const [name, schema, args, said] of everyday)
    it(`are checked as JSON Schema says: ${name}`, () =>
      assert.equal(checkArguments(schema as JsonObject, args), said))

  it('fit whatever the library says that they fit, in whichever form it gets the schema', () => {
    const keywords = (schema: fc.Arbitrary<object>) => ({
      type: fc.constantFrom('object', 'array', 'integer', 'string', ['number', 'null']),
      enum: fc.constant([1, 'a', { a: 1 }, null]),
      minimum: fc.integer({ min: 0, max: 2 }),
      maxLength: fc.integer({ min: 0, max: 2 }),
      required: fc.constantFrom(['a'], ['a', 'b']),
      minProperties: fc.integer({ min: 0, max: 2 }),
      uniqueItems: fc.boolean(),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), schema, { maxKeys: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), schema),
      items: fc.oneof(fc.boolean(), schema),
      prefixItems: fc.array(schema, { maxLength: 2 }),
      contains: schema,
      allOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
      not: schema,
      unevaluatedProperties: fc.boolean(),
    })
    const pair = (inner: fc.Arbitrary<object>): fc.Arbitrary<object> => {
      const one = fc.oneof(
        ...Object.entries(keywords(inner)).map(([keyword, value]) =>
          (value as fc.Arbitrary<unknown>).map((made) => ({ [keyword]: made })),
        ),
      )
      return fc.tuple(one, one, one).map((parts) => Object.assign({}, ...parts))
    }
    const schema = pair(pair(pair(fc.constant({}))))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom(0, 1, 2.5, 'a', 'abc', null, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(schema, value, (schema, value) => {
        const { valid } = validate(value, structuredClone(schema), '2020-12')
        assert.equal(checkArguments(schema as JsonObject, value) === null, valid)
      }),
      { numRuns: 500 },
    )
  })
})

/** Schemas and arguments of somebody who wants the check to take long or to fail. */
const long = 'x'.repeat(90_000)
const numbers = many(30_000, (at) => at)
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
const fields = (length: number) => Object.fromEntries(many(length, (at) => [`k${at}`, at]))
const doubling = (keyword: string, last: object) => ({
  $defs: {
    ...Object.fromEntries(
      many(25, (at) => [`d${at}`, { [keyword]: many(2, () => ({ $ref: `#/$defs/d${at + 1}` })) }]),
    ),
    d25: last,
  },
  $ref: '#/$defs/d0',
})
const hostile: Record<string, [schema: object, args: unknown]> = {
  'ref to itself': [{ $ref: '#' }, {}],
  'refs in a circle': [
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    {},
  ],
  'allOf of itself': [{ allOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
  'anyOf of itself': [{ anyOf: many(2, () => ({ $ref: '#' })) }, {}],
  'not of itself': [{ not: { $ref: '#' } }, {}],
  'references that double': [doubling('anyOf', { not: {} }), {}],
  'references that double, true': [doubling('anyOf', {}), {}],
  'oneOf that double': [doubling('oneOf', { type: 'object' }), {}],
  'huge enum of texts': [
    object({ l: { items: { enum: many(4000, (i) => `v${i}`) } } }),
    { l: many(10_000, () => 'none') },
  ],
  'huge enum of objects': [
    object({ l: { items: { enum: many(2000, () => ({ a: { b: 1 } })) } } }),
    { l: many(5000, () => ({ a: { b: 2 } })) },
  ],
  'huge enum, anyOf': [{ anyOf: many(100, () => ({ enum: many(50, (i) => [i, i]) })) }, { a: numbers }],
  'long anyOf': [
    object({ l: { items: { anyOf: many(3000, (i) => ({ const: i })) } } }),
    { l: many(20_000, () => -1) },
  ],
  'long type list': [
    object({ l: { items: { type: many(4000, () => 'integer') } } }),
    { l: many(30_000, () => 'x') },
  ],
  'unique numbers': [object({ l: { uniqueItems: true } }), { l: numbers.slice(0, 15_000) }],
  'unique texts': [object({ l: { uniqueItems: true } }), { l: many(90, (i) => 'x'.repeat(1000) + i) }],
  'unique lists': [object({ l: { uniqueItems: true } }), { l: many(900, (i) => [...many(20, () => 1), i]) }],
  'unique again and again': [
    { allOf: many(1000, () => object({ l: { uniqueItems: true } })) },
    { l: many(500, (i) => i) },
  ],
  'wide object, allOf of nothing': [{ allOf: many(4000, () => ({})) }, fields(9000)],
  'wide object, not required': [{ allOf: many(2000, () => ({ required: ['zz'] })) }, fields(9000)],
  'many properties, many items': [
    object({ l: { items: object(Object.fromEntries(many(1500, (i) => [`p${i}`, {}]))) } }),
    { l: many(20_000, () => ({})) },
  ],
  'many required, many items': [
    object({ l: { items: { required: many(3000, (i) => `p${i}`) } } }),
    { l: many(20_000, () => ({})) },
  ],
  'property names': [{ propertyNames: { allOf: many(200, () => ({ maxLength: 5 })) } }, fields(9000)],
  'long text again and again': [{ allOf: many(1000, () => object({ t: { minLength: 1 } })) }, { t: long }],
  'long text with emoji': [
    { allOf: many(1000, () => object({ t: { maxLength: 1 } })) },
    { t: '😀'.repeat(45_000) },
  ],
  'long text and a pattern again and again': [
    {
      $defs: { one: object({ text: { pattern: 'x+$' } }) },
      allOf: many(1000, () => ({ $ref: '#/$defs/one' })),
    },
    { text: long },
  ],
  'a large pattern': [object({ text: { pattern: '^(?:.?){500}y$' } }), { text: long }],
  'a nested pattern': [
    object({ text: { pattern: `${'(?:'.repeat(45)}a|b|x|.${')+'.repeat(45)}y` } }),
    { text: long },
  ],
  'many large patterns': [
    { allOf: many(40, (i) => object({ t: { pattern: `^(?:.?){${400 + i}}y$` } })) },
    { t: 'x' },
  ],
  'very many patterns, in turn': [
    object({ list: { items: { allOf: many(600, (i) => ({ pattern: `^(a|b${i}){1,20}$` })) } } }),
    { list: many(30_000, () => 'a') },
  ],
  'unreadable pattern': [
    object({ list: { items: { pattern: '[a-z]{1,120}'.repeat(16) } } }),
    { list: many(30_000, () => 'a') },
  ],
  'many unreadable patterns': [{ allOf: many(500, (i) => ({ pattern: `(?=a)${i}` })) }, {}],
  'many patterns of names': [
    { patternProperties: Object.fromEntries(many(500, (i) => [`k.*${i}`, {}])) },
    fields(9000),
  ],
  'a pattern of long names': [
    { patternProperties: { '^(?:.?){500}y$': {} } },
    Object.fromEntries(many(9, (i) => ['k'.repeat(9000) + i, i])),
  ],
  'deep arguments': [
    { $defs: { n: { properties: { a: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' },
    nested(99),
  ],
  'deep arguments, branching': [
    {
      $defs: { n: { properties: { a: { anyOf: [{ $ref: '#/$defs/n' }, { $ref: '#/$defs/n' }] } } } },
      $ref: '#/$defs/n',
    },
    nested(99),
  ],
  'deep const': [{ allOf: many(1000, () => ({ const: nested(90) })) }, nested(90)],
  'deep schema': [many(5000, () => 0).reduce((s: object) => ({ not: s }), {}), {}],
  contains: [
    object({ l: { contains: { contains: { const: 1 } } } }),
    { l: many(300, () => many(100, () => 2)) },
  ],
  'contains again': [
    { allOf: many(300, () => object({ l: { contains: { const: 1 } } })) },
    { l: numbers.slice(0, 15000) },
  ],
  multipleOf: [
    { allOf: many(1500, () => object({ n: { multipleOf: 1e-308 } })) },
    { n: 1.7976931348623157e308 },
  ],
  'format email': [
    { allOf: many(500, () => object({ t: { format: 'email' } })) },
    { t: `"${'a'.repeat(90_000)}` },
  ],
  'format uri': [
    { allOf: many(500, () => object({ t: { format: 'uri' } })) },
    { t: `a:${'a@'.repeat(40_000)}%` },
  ],
  'format uri 2': [object({ t: { format: 'uri' } }), { t: `a:${'a'.repeat(90_000)}%` }],
  'format uri 3': [object({ t: { format: 'uri' } }), { t: `a://${'a:'.repeat(45_000)} ` }],
  'format uri 4': [object({ t: { format: 'uri' } }), { t: `a:${'/a'.repeat(45_000)} ` }],
  'format uri 5': [object({ t: { format: 'uri' } }), { t: `${'a'.repeat(90_000)}/` }],
  'format hostname': [object({ t: { format: 'hostname' } }), { t: 'a-'.repeat(45_000) }],
  'format ipv6': [object({ t: { format: 'ipv6' } }), { t: '1:'.repeat(45_000) }],
  'format date-time': [object({ t: { format: 'date-time' } }), { t: 't '.repeat(45_000) }],
  'format duration': [object({ t: { format: 'duration' } }), { t: `P${'1'.repeat(90_000)}` }],
  'format duration 2': [object({ t: { format: 'duration' } }), { t: `P${'1Y'.repeat(45_000)}` }],
  'format time': [object({ t: { format: 'time' } }), { t: `10:00:00.${'1'.repeat(90_000)}` }],
  unevaluated: [{ allOf: many(1000, () => object({ a: {} })), unevaluatedProperties: false }, fields(9000)],
  'unevaluated wide': [
    { allOf: many(200, () => ({ additionalProperties: {} })), unevaluatedProperties: false },
    fields(2000),
  ],
  'errors that are gathered': [
    {
      $defs: { e: { anyOf: many(60, () => ({ anyOf: many(60, () => ({ type: 'null' })) })) } },
      not: { $ref: '#/$defs/e' },
    },
    {},
  ],
  'if in if': [many(25, () => 0).reduce((s: object) => ({ if: s, [THEN]: s, else: s }), { const: 1 }), {}],
  dependencies: [
    { dependencies: Object.fromEntries(many(1000, (i) => [`k${i}`, many(20, (j) => `k${j}`)])) },
    fields(1000),
  ],
  'half a character': [{ properties: { '\ud800': { type: 'string' } } }, { '\ud800': 1 }],
  nonsense: [
    {
      properties: 3,
      required: 5,
      anyOf: {},
      allOf: [null, 3, 'x'],
      enum: {},
      items: 'x',
      type: [1],
      not: null,
      if: 7,
      pattern: {},
      $ref: 7,
      format: '__proto__',
      minLength: 'x',
      multipleOf: 0,
      dependentRequired: { a: 1 },
      patternProperties: 4,
    },
    { a: 1 },
  ],
}

describe('the check of arguments', () => {
  for (const [name, [schema, args]] of Object.entries(hostile))
    it(`ends soon: ${name}`, () => {
      const started = process.cpuUsage()
      const said = checkArguments(schema as JsonObject, args)
      assert.ok(process.cpuUsage(started).user < 500_000)
      assert.ok(said === null || said.length < 1000)
    })

  it('gives up on what is too complex, and on nothing that people write', () => {
    const refused = Object.entries(hostile).filter(
      ([, [schema, args]]) =>
        checkArguments(schema as JsonObject, args) === 'The arguments are too complex to be checked',
    )
    assert.ok(refused.length > 30)
    const items = object({ a: { type: 'string' }, b: { type: 'number' }, c: { pattern: '^x' } })
    const list = many(700, (at) => ({ a: `text ${at}`, b: at, c: 'xyz' }))
    assert.equal(checkArguments(object({ list: { items } }), { list }), null)
  })

  it('never fails and ends soon, whatever the schema says', () => {
    const { part } = fc.letrec((tie) => ({
      part: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          null,
          true,
          false,
          0,
          -1,
          1e308,
          '',
          'object',
          'string',
          '#',
          '#/$defs/a',
          '(a+)+$',
          '(?=x)',
        ),
        fc.array(tie('part'), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom(
            ...['$ref', '$defs', '$id', '$anchor', '$recursiveRef', '$dynamicRef', 'type', 'enum', 'const'],
            ...[
              'properties',
              'patternProperties',
              'additionalProperties',
              'required',
              'dependencies',
              'items',
            ],
            ...[
              'prefixItems',
              'contains',
              'minContains',
              'uniqueItems',
              'allOf',
              'anyOf',
              'oneOf',
              'not',
              'if',
            ],
            ...[
              'then',
              'else',
              'pattern',
              'format',
              'multipleOf',
              'minimum',
              'maxLength',
              'propertyNames',
              'a',
            ],
            ...['unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas', '__proto__', 'constructor'],
          ),
          tie('part'),
          { maxKeys: 6 },
        ),
      ),
    }))
    const argument = fc.jsonValue()
    fc.assert(
      fc.property(part, part, argument, (schema, defined, value) => {
        const whole = { ...(schema as object), $defs: { a: defined } }
        const said = checkArguments(whole, { a: value, object: schema })
        assert.ok(said === null || typeof said === 'string')
      }),
      { numRuns: 1000 },
    )
  })
})
