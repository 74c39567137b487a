import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pageQuery } from '../../src/http/paging.ts'

describe('pageQuery', () => {
  it('has the defaults of the interface', () => {
    assert.deepEqual(pageQuery.parse({}), { page: 1, per_page: 50 })
  })

  it('takes any integer and keeps it within bounds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt(), (page, perPage) => {
        const read = pageQuery.parse({ page: String(page), per_page: String(perPage) })
        const last = BigInt(Number.MAX_SAFE_INTEGER)
        assert.equal(BigInt(read.page), page < 1n ? 1n : page > last ? last : page)
        assert.equal(BigInt(read.per_page), perPage < 1n ? 1n : perPage > 100n ? 100n : perPage)
      }),
    )
  })

  it('takes nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (text) => {
        const accepted = pageQuery.safeParse({ page: text }).success
        assert.equal(accepted, /^[+-]?[0-9]+$/.test(text), JSON.stringify(text))
      }),
    )
  })
})
