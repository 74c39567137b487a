import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newTotpSecret, stepOfCode, totpAddress } from '../../../src/operators/two-factor.ts'

/** RFC 6238, appendix B: the secret is `12345678901234567890`; six of the eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const CASES = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
] as const

describe('codes of a second factor', () => {
  for (const [seconds, code] of CASES) {
    it(`${code} at ${seconds} s`, () => {
      assert.equal(stepOfCode(SECRET, code, seconds * 1000, null), Math.floor(seconds / 30))
    })
  }

  it('are taken half a minute early or late, and not later', () => {
    assert.equal(stepOfCode(SECRET, '287082', 89_000, null), 1)
    assert.equal(stepOfCode(SECRET, '287082', 29_000, null), 1)
    assert.equal(stepOfCode(SECRET, '287082', 91_000, null), null)
  })

  it('are not taken again, nor those before them', () => {
    assert.equal(stepOfCode(SECRET, '287082', 59_000, 1), null)
    assert.equal(stepOfCode(SECRET, '287082', 59_000, 2), null)
    assert.equal(stepOfCode(SECRET, '287082', 59_000, 0), 1)
  })

  it('come from secrets of 160 bits that apps can read', () => {
    const secret = newTotpSecret()
    assert.match(secret, /^[A-Z2-7]{32}$/)
    const address = new URL(totpAddress(secret, 'ada@example.com'))
    assert.equal(address.searchParams.get('secret'), secret)
    assert.equal(address.searchParams.get('issuer'), 'Parley')
  })
})
