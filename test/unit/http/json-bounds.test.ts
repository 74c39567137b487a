import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { requireJsonBounds } from '../../../src/http/json-bounds.ts'

const passes = (json: string) => requireJsonBounds(Buffer.from(json))
const refused = (json: string, why: RegExp) => assert.throws(() => passes(json), why)
const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, [n, { n }]])))
const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth)

describe('requireJsonBounds', () => {
  it('takes 1,000 fields in an object, 50,000 values and 100 levels, and no more', () => {
    passes(fields(1000))
    refused(fields(1001), /more than 1000 fields/)
    passes(`[${fields(1000)},${fields(1000)}]`)
    refused(`[${fields(1000)},${fields(1001)}]`, /more than 1000 fields/)
    passes(JSON.stringify(Array(49_999).fill(1)))
    refused(JSON.stringify(Array(50_000).fill(1)), /more than 50000 values/)
    refused(JSON.stringify(Array(25_001).fill([])), /more than 50000 values/)
    passes(nested(100))
    refused(nested(101), /nested more than 100 deep/)
  })

  it('counts nothing within texts, wherever their quotes and backslashes stand, and goes on behind them', () => {
    const odd = fc.string({
      unit: fc.constantFrom('"', '\\', '[', '{', ',', ']', 'x', 'é'.repeat(70)),
      maxLength: 300,
    })
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 20 }), (texts) => {
        passes(nested(99, JSON.stringify(texts)))
        refused(nested(100, JSON.stringify(texts)), /nested/)
      }),
    )
  })

  it('ends with any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        requireJsonBounds(bytes)
      }),
    )
    for (const text of ['', '"', '"\\', `"${'x'.repeat(65)}\\`, ']]]]', '"]"]]['.repeat(9)]) passes(text)
  })
})
