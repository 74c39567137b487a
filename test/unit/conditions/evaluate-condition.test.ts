import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checkCondition } from '../../../src/conditions/check-condition.ts'
import { type Condition, type Facts, operators } from '../../../src/conditions/condition.ts'
import { evaluateCondition, settleCondition } from '../../../src/conditions/evaluate-condition.ts'
import { fields } from '../../../src/conditions/fields.ts'

const facts: Facts = {
  'prompt.text': 'I want a REFUND for order o-1234, please.',
  'prompt.length': 40,
  answered: false,
  'retrieval.score': 0.25,
  message_count: 3,
  language: 'en',
  'page.path': '/Pricing/plans',
  weekday: 6,
  hour: 0,
  'tags.plan': 'pro',
  'tags.seats': 5,
  'tags.interests': ['boats', 'Fishing rods'],
  'response.text': null,
}

describe('evaluateCondition', () => {
  for (const [field, op, value, expected] of [
    ['prompt.text', 'contains', 'refund', true],
    ['prompt.text', 'contains', 'refunds', true],
    ['prompt.text', 'contains_any', ['exchanges', 'Orders'], true],
    ['prompt.text', 'contains', 'fund', false],
    ['prompt.text', 'contains', 'order o-1234', true],
    ['prompt.text', 'contains_any', ['exchange', 'Refund'], true],
    ['prompt.text', 'contains_any', ['exchange', 'return'], false],
    ['prompt.text', 'matches', '\\bO-[0-9]{4}\\b', true],
    ['prompt.text', 'matches', '^refund', false],
    ['prompt.text', 'starts_with', 'i want', true],
    ['prompt.text', 'starts_with', 'want', false],
    ['prompt.text', 'eq', 'i want a refund for order o-1234, please.', false],
    ['prompt.length', 'eq', 40, true],
    ['prompt.length', 'gt', 40, false],
    ['prompt.length', 'gte', 40, true],
    ['prompt.length', 'lt', 40, false],
    ['prompt.length', 'lte', 40, true],
    ['message_count', 'in', [1, 3], true],
    ['message_count', 'in', [1, 2], false],
    ['answered', 'eq', false, true],
    ['answered', 'neq', false, false],
    ['answered', 'exists', undefined, true],
    ['language', 'neq', 'de', true],
    ['page.path', 'starts_with', '/pricing', true],
    ['hour', 'lt', 8, true],
    ['weekday', 'in', ['saturday', 'Sunday'], true],
    ['weekday', 'eq', 'Saturday', true],
    ['weekday', 'eq', 6, true],
    ['weekday', 'lte', 5, false],
    ['weekday', 'gte', 'saturday', true],
    ['tags.plan', 'eq', 'pro', true],
    ['tags.plan', 'eq', 'Pro', false],
    ['tags.plan', 'gt', 1, false],
    ['tags.seats', 'gte', 5, true],
    ['tags.seats', 'contains', '5', false],
    ['tags.interests', 'contains', 'fishing', true],
    ['tags.interests', 'contains', 'boat', false],
    ['page.path', 'contains', 'pricing', true],
    ['page.path', 'contains', 'plan', false],
    ['tags.interests', 'eq', 'boats', true],
    ['tags.interests', 'neq', 'boats', false],
    ['tags.interests', 'neq', 'cars', true],
    ['tags.plan', 'exists', true, true],
    ['tags.plan', 'exists', false, false],
    // A fact that is missing, absent or null: only `neq` and `exists: false` hold.
    ['response.text', 'contains', 'x', false],
    ['response.text', 'exists', undefined, false],
    ['response.text', 'exists', false, true],
    ['tags.absent', 'eq', 'x', false],
    ['tags.absent', 'neq', 'x', true],
    ['tags.absent', 'in', ['x'], false],
    ['tags.absent', 'lt', 5, false],
    ['channel', 'lte', 5, false],
    ['evaluator.1.passed', 'eq', false, false],
    ['tags.toString', 'exists', undefined, false],
  ] as const) {
    it(`${field} ${op} ${JSON.stringify(value)}: ${expected}`, () => {
      const condition = { field, op, ...(value === undefined ? {} : { value }) } as Condition
      assert.equal(checkCondition(condition), null)
      assert.equal(evaluateCondition(condition, facts), expected)
    })
  }

  it('joins with all, any and not', () => {
    const yes: Condition = { field: 'hour', op: 'eq', value: 0 }
    const no: Condition = { field: 'hour', op: 'eq', value: 1 }
    const holds = (condition: Condition) => evaluateCondition(condition, facts)
    assert.equal(holds({ all: [yes, yes] }), true)
    assert.equal(holds({ all: [yes, no] }), false)
    assert.equal(holds({ all: [] }), true)
    assert.equal(holds({ any: [no, yes] }), true)
    assert.equal(holds({ any: [no, no] }), false)
    assert.equal(holds({ not: no }), true)
    assert.equal(holds({ all: [{ not: { any: [no, { not: yes }] } }] }), true)
  })

  it('asks a costly fact only when a comparison needs it', () => {
    let asked = 0
    const lazy: Facts = {
      hour: 3,
      get language() {
        asked++
        return 'de'
      },
    }
    const german: Condition = { field: 'language', op: 'eq', value: 'de' }
    assert.equal(evaluateCondition({ all: [{ field: 'hour', op: 'gt', value: 8 }, german] }, lazy), false)
    assert.equal(asked, 0)
    assert.equal(evaluateCondition({ any: [{ field: 'hour', op: 'gt', value: 8 }, german] }, lazy), true)
    assert.equal(asked, 1)
  })
})

const fieldNames = [...Object.keys(fields), 'tags.plan', 'tags.x', 'evaluator.1.score', 'evaluator.2.passed']
const scalar = fc.oneof(
  fc.constantFrom('refund', 'pro', 'en', 'a', '/x', 'monday', 'a+'),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.integer({ min: -2, max: 30 }),
  fc.double(),
  fc.boolean(),
)
const anyFacts = fc.dictionary(
  fc.constantFrom(...fieldNames),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant(null)),
)
/** Conditions that may be saved. */
const { condition } = fc.letrec<{ condition: Condition; comparison: Condition }>((tie) => ({
  comparison: fc
    .record({
      field: fc.constantFrom(...fieldNames),
      op: fc.constantFrom(...operators),
      value: fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 })),
    })
    .filter((comparison) => checkCondition(comparison) === null),
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('comparison'),
    fc.array(tie('condition'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}))

describe('any condition over any facts', () => {
  it('never throws, and is settled alike when all evaluators are known', () => {
    const results = { 'evaluator.1.score': null, 'evaluator.2.passed': null }
    fc.assert(
      fc.property(condition, anyFacts, (condition, facts) => {
        const known = { ...results, ...facts }
        assert.equal(settleCondition(condition, known), evaluateCondition(condition, known))
      }),
    )
  })

  it("follows de Morgan's laws", () => {
    const several = fc.array(condition, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(several, anyFacts, (parts, facts) => {
        const nots = parts.map((not) => ({ not }))
        const holds = (condition: Condition) => evaluateCondition(condition, facts)
        assert.equal(holds({ not: { all: parts } }), holds({ any: nots }))
        assert.equal(holds({ not: { any: parts } }), holds({ all: nots }))
        assert.equal(holds({ not: { not: { all: parts } } }), holds({ all: parts }))
      }),
    )
  })

  it('a result that is settled early stays, whatever the evaluators say', () => {
    const result = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), passed: fc.boolean() })
    fc.assert(
      fc.property(condition, anyFacts, result, (condition, facts, { score, passed }) => {
        const { 'evaluator.1.score': _score, 'evaluator.2.passed': _passed, ...before } = facts
        const settled = settleCondition(condition, before)
        fc.pre(settled !== null)
        const after = { ...before, 'evaluator.1.score': score, 'evaluator.2.passed': passed }
        assert.equal(evaluateCondition(condition, after), settled)
      }),
    )
  })
})
