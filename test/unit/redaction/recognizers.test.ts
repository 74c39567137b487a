import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'
import { recognizers } from '../../../src/redaction/recognizers/all.ts'

const redactor = createPatternRedactor()
/** A value, possibly with the type that it has instead of the recognizer's: `«CREDIT_CARD|4111 1111 1111 1111»`. */
const MARKED = /«(?:([A-Z_]+)\|)?([^»]*)»/g

for (const recognizer of recognizers) {
  describe(recognizer.type, () => {
    for (const marked of recognizer.examples) {
      it(`finds ${marked}`, () => {
        const expected = marked.replace(MARKED, (_, type) => `[${type ?? recognizer.type}]`)
        assert.equal(redactor.redact(marked.replace(MARKED, '$2')), expected)
      })
    }
    for (const text of recognizer.counterExamples) {
      it(`is not in ${text}`, () => {
        assert.deepEqual(
          redactor.find(text).filter(({ type }) => type === recognizer.type),
          [],
        )
      })
    }
    it('has examples, counter-examples and a name that a placeholder protects', () => {
      assert.ok(recognizer.examples.length > 0 && recognizer.counterExamples.length > 0)
      assert.equal(redactor.redact(`[${recognizer.type}]`), `[${recognizer.type}]`)
      assert.match(recognizer.type, /^[A-Z][A-Z0-9_]{1,63}$/)
    })
  })
}
