import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'
import { recognizers } from '../../../src/redaction/recognizers/all.ts'

const redactor = createPatternRedactor()

for (const recognizer of recognizers) {
  describe(recognizer.type, () => {
    for (const marked of recognizer.examples) {
      it(`finds ${marked}`, () => {
        const expected = marked.replace(/«[^»]*»/g, `[${recognizer.type}]`)
        assert.equal(redactor.redact(marked.replace(/[«»]/g, '')), expected)
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
