import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkArguments } from '../../../src/tools/check-arguments.ts'

describe('arguments of tools', () => {
  const object = (properties: object) => ({ type: 'object', properties })

  for (const [name, schema, args, wrong] of [
    ['an enumeration', object({ lang: { enum: ['en', 'de'] } }), { lang: 'de' }, null],
    ['another value', object({ lang: { enum: ['en', 'de'] } }), { lang: 'fr' }, /lang must be one of/],
    ['an enumerated object', object({ at: { enum: [{ x: 1 }, { x: 2 }] } }), { at: { x: 2 } }, null],
    ['another object', object({ at: { enum: [{ x: 1 }] } }), { at: { x: 3 } }, /at must be one of/],
    ['a constant', object({ one: { const: [1, 2] } }), { one: [1, 2] }, null],
    ['another constant', object({ one: { const: [1, 2] } }), { one: [2, 1] }, /one must be/],
    ['a pattern', object({ id: { pattern: '^[0-9]+$' } }), { id: '42' }, null],
    ['what does not match', object({ id: { pattern: '^[0-9]+$' } }), { id: 'x' }, /id must match/],
  ] as const)
    it(name, () => {
      const told = checkArguments(schema as never, args)
      if (wrong === null) assert.equal(told, null)
      else assert.match(told ?? '', wrong)
    })

  const large = { all: Array.from({ length: 20_000 }, (_, at) => at) }
  const long = 'x'.repeat(90_000)
  const references = (schema: object) => ({
    $defs: { one: schema },
    allOf: Array.from({ length: 1000 }, () => ({ $ref: '#/$defs/one' })),
  })
  for (const [name, schema, args] of [
    [
      'a large value among thousands',
      references({ not: { enum: Array.from({ length: 4000 }, () => ({})) } }),
      large,
    ],
    ['a large value again and again', references({ not: { const: {} } }), large],
    [
      'a long text and a pattern again and again',
      references(object({ text: { pattern: 'x+$' } })),
      { text: long },
    ],
    [
      'very many patterns, in turn',
      object({
        list: {
          items: { allOf: Array.from({ length: 600 }, (_, at) => ({ pattern: `^(a|b${at}){1,20}$` })) },
        },
      }),
      { list: Array(30_000).fill('a') },
    ],
    [
      'a pattern that cannot be read, again and again',
      object({ list: { items: { pattern: '[a-z]{1,120}'.repeat(16) } } }),
      { list: Array(30_000).fill('a') },
    ],
  ] as const)
    it(`gives up soon: ${name}`, () =>
      assert.equal(checkArguments(schema as never, args), 'The arguments are too complex to be checked'))
})
