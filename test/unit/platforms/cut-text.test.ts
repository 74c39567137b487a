import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cutText } from '../../../src/platforms/cut-text.ts'

const utf16 = (length: number) => ({ length, unit: 'utf16' as const })

describe('cutText', () => {
  it('cuts at paragraphs, then sentences, then words', () => {
    assert.deepEqual(cutText('One one.\n\nTwo two. Three.', utf16(16)), ['One one.', 'Two two. Three.'])
    assert.deepEqual(cutText('First one. Second one. Third.', utf16(24)), [
      'First one. Second one.',
      'Third.',
    ])
    assert.deepEqual(cutText('alpha beta gamma', utf16(12)), ['alpha beta', 'gamma'])
    assert.deepEqual(cutText('x'.repeat(25), utf16(10)), ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)])
    assert.deepEqual(cutText('', utf16(10)), [])
    assert.deepEqual(cutText('  \n ', utf16(10)), [])
  })

  it('leaves characters whole', () => {
    for (const part of cutText('👨‍👩‍👧‍👦'.repeat(50), utf16(100))) assert.ok(/^(👨‍👩‍👧‍👦)+$/.test(part))
    assert.equal(cutText('😀'.repeat(10), { length: 4, unit: 'code_points' })[0], '😀'.repeat(4))
  })

  it('any text: parts within the limit, nothing lost but blanks, nothing cut apart', () => {
    const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.lorem({ maxCount: 60 }))
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 20, max: 80 }),
        fc.constantFrom('utf16', 'code_points', 'utf8'),
        (text, length, unit) => {
          const parts = cutText(text, { length, unit })
          for (const part of parts) {
            assert.ok(part !== '' && part.isWellFormed() === text.isWellFormed())
            const units = { utf16: part.length, code_points: Array.from(part).length }
            // Half of a surrogate pair becomes U+FFFD in UTF-8, which takes three bytes.
            assert.ok({ ...units, utf8: Buffer.byteLength(part) }[unit] <= length)
          }
          const solid = (some: string) => some.replace(/\s+/gu, '')
          assert.equal(solid(parts.join('')), solid(text))
        },
      ),
    )
  })

  it('a megabyte without an end in less than a second of processor time', () => {
    const before = process.cpuUsage()
    cutText('a'.repeat(1_000_000), utf16(2000))
    cutText('. '.repeat(500_000), utf16(2000))
    const { user } = process.cpuUsage(before)
    assert.ok(user < 5_000_000, `${user} µs`)
  })
})
