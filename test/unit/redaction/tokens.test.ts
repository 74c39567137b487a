import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Tokens } from '../../../src/redaction/engine/tokens.ts'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'

it('tokens are kept however many there are, until they are cleared', () => {
  const tokens = new Tokens()
  for (let at = 0; at < 200_000; at++) tokens.add(at * 10, at * 10 + 5, at % 3, at % 2)
  assert.equal(tokens.count, 200_000)
  assert.deepEqual(
    [tokens.start(150_001), tokens.end(150_001), tokens.lead(150_001), tokens.isNumber(150_001)],
    [1_500_010, 1_500_015, 1, false],
  )
  tokens.clear()
  assert.equal(tokens.count, 0)
  tokens.add(1, 2, 0, 0)
  assert.deepEqual([tokens.start(0), tokens.isNumber(0)], [1, true])
})

it('what one text holds is not looked for in the next', () => {
  const redactor = createPatternRedactor()
  const text = 'SSN 536-90-4399'
  assert.deepEqual(redactor.find('1,'.repeat(100_000)), [])
  assert.equal(redactor.redact(text), 'SSN [US_SSN]')
  assert.deepEqual(redactor.find('nothing here'), [])
})
