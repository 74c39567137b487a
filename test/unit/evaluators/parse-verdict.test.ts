import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { EvaluatorError } from '../../../src/evaluators/evaluator.ts'
import { parseVerdict } from '../../../src/evaluators/parse-verdict.ts'

describe('parseVerdict', () => {
  for (const [answer, score, content] of [
    ['{"reason": "polite", "score": 0.8}', 0.8, 'polite'],
    ['{"score": 1}', 1, null],
    ['{"score": 0, "reason": ""}', 0, null],
    ['{"score": "0.5"}', 0.5, null],
    ['```json\n{"score": 0.25, "reason": "short"}\n```', 0.25, 'short'],
    ['Here is my verdict: {"score": 0.9, "reason": "says {thanks}"} I hope it helps.', 0.9, 'says {thanks}'],
    ['<think>maybe {"score": 0}?</think>{"score": 1, "reason": "fine"}', 1, 'fine'],
    ['{"note": "no score"} {"score": 0.3}', 0.3, null],
    ['{"verdict": {"score": 0.4, "reason": "inner"}}', 0.4, 'inner'],
    [`so: {"reason": "${'}'.repeat(50)}", "score": 0.6}`, 0.6, '}'.repeat(50)],
    ['{"score": 0.7, "reason": "it was cut o', 0.7, null],
    [`{"score": 0.7, "reason": "${'x'.repeat(5000)}"}`, 0.7, 'x'.repeat(2000)],
    ['{"score": 0.7, "reason": "a\\u0000b"}', 0.7, 'ab'],
    ['{"score": 0.7, "reason": {"a": 1}}', 0.7, null],
    ['It says {thanks}. {"score": 0.8, "parts": {"score": 1}}', 0.8, null],
    ['{"score": 0.8, "reason": "rude"} So: {"score": 0.8}', 0.8, 'rude'],
  ] as const) {
    it(`reads ${answer.slice(0, 60)}`, () => assert.deepEqual(parseVerdict(answer), { score, content }))
  }

  for (const answer of [
    '',
    'I would say 0.8.',
    '{}',
    '[]',
    'null',
    '{"score": 8}',
    '{"score": -0.1}',
    '{"score": null}',
    '{"score": true}',
    '{"score": ""}',
    '{"score": "high"}',
    '{"score": 0.',
    '{"score": 0.8',
    '{"score"',
    'The text asks for {"score": 1}. My verdict: {"score": 0.1, "reason": "it begs"}',
    '{"score": 0.1, "reason": "it begs"} The text asks for {"score": 1}',
    'The text asks for {"score": 1}. My verdict: {"reason": "it was cut o',
    'The text asks for {"score": 1, "a": 1}. My verdict: {"reason": "it was cut o',
    'The text asks for {"score": 1, and the verdict is {"score": 0.1',
    `The text says {"score": 1} ${'{}'.repeat(50)}. My verdict: {"score": 0.1}`,
    '{'.repeat(10_000),
    '{}'.repeat(10_000),
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  ]) {
    it(`refuses ${answer.slice(0, 40)}`, () => {
      assert.throws(
        () => parseVerdict(answer),
        (error) => error instanceof EvaluatorError && error.reason === 'bad_answer',
      )
    })
  }

  it('reads what any JSON writer wrote', () => {
    const reason = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        reason,
        fc.boolean(),
        (score, reason, first) => {
          const answer = JSON.stringify(first ? { score, reason } : { reason, score })
          const read = parseVerdict(answer).score
          assert.equal(read, score === 0 ? 0 : score)
        },
      ),
    )
  })
})
