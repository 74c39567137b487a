import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inlineReferences, SchemaError } from '../../../../src/tools/mcp/inline-references.ts'

const many = (length: number, of: (at: number) => unknown) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`p${at}`, of(at)]))

describe('references in the schemas of servers', () => {
  it('are replaced by what they refer to; beside them stands what stood there', () => {
    const schema = {
      type: 'object',
      properties: { of: { $ref: '#/$defs/order', description: 'Which.' } },
      $defs: { order: { type: 'string', description: 'Any.' } },
    }
    assert.deepEqual(inlineReferences(schema), {
      type: 'object',
      properties: { of: { type: 'string', description: 'Which.' } },
    })
  })

  it('leave patterns out that cannot run in linear time, and those above the bound', () => {
    const evil = inlineReferences({ properties: { x: { pattern: '(a)\\1' }, y: { pattern: '^a+$' } } })
    assert.deepEqual(evil, { properties: { x: {}, y: { pattern: '^a+$' } } })
    const { properties } = inlineReferences({ properties: many(100, (at) => ({ pattern: `^a${at}$` })) })
    assert.equal(JSON.stringify(properties).split('pattern').length - 1, 40)
  })

  it('keep a field that is called __proto__', () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}')
    assert.deepEqual(Object.keys(inlineReferences(schema).properties as object), ['__proto__'])
  })

  for (const [name, schema] of Object.entries({
    'too many parts': { properties: many(5000, () => ({})) },
    'a long text again and again': {
      properties: many(1000, () => ({ $ref: '#/$defs/a' })),
      $defs: { a: { description: 'x'.repeat(20_000) } },
    },
    'references that double': {
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => {
          const next = { $ref: `#/$defs/d${at + 1}` }
          return [`d${at}`, at === 19 ? {} : { properties: { a: next, b: next } }]
        }),
      ),
    },
  }))
    it(`are refused soon: ${name}`, () => assert.throws(() => inlineReferences(schema as never), SchemaError))
})
