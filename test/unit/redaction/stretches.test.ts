import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Finding } from '../../../src/redaction/engine/finding.ts'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'
import { replaceFindings } from '../../../src/redaction/stretches.ts'

const finding = (start: number, end: number): Finding => ({ type: 'A', start, end, strength: 'alone' })

describe('replaced findings', () => {
  it('leave their types in brackets', () => {
    const { text } = replaceFindings('one two three', [finding(0, 3), finding(8, 13)])
    assert.equal(text, '[A] two [A]')
  })

  it('leave the parts of the text around them, which begin and end between words and never overlap', () => {
    const words = 'word '.repeat(400)
    const { text, stretches } = replaceFindings(words, [
      finding(600, 604),
      finding(700, 704),
      finding(1800, 1804),
    ])
    assert.equal(stretches.length, 2)
    const [first, second] = stretches.map(({ start, end }) => text.slice(start, end)) as [string, string]
    assert.match(first, /^word (?:word )+\[A\] (?:word )+\[A\] (?:word )+word$/)
    assert.match(second, /^word (?:word )+\[A\] (?:word )+word$/)
    assert.ok(first.length > 350 && first.length < 600 && second.length < 500)
  })
})

describe('a redactor', () => {
  const redactor = createPatternRedactor()
  const pieces = fc.constantFrom(
    ...[
      'order 123456789 ',
      'my name is ',
      'Anna Smith',
      'SSN ',
      '536904399',
      '+1 415 ',
      '555 0132',
      '12 Main Street, ',
    ],
    ...[
      'a@b.co',
      '/',
      '4111 1111 1111 1111',
      '1 ',
      'Dear ',
      '\n',
      'born on 12/03/1985 ',
      'some words between '.repeat(12),
    ],
  )

  it('changes nothing when it reads its own result again', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 2, maxLength: 40 }), (parts) => {
        const redacted = redactor.redact(parts.join(''))
        assert.deepEqual(redactor.find(redacted), [])
      }),
      { numRuns: 500 },
    )
  })
})
