import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Condition, Facts } from '../../../src/conditions/condition.ts'
import { decideCondition } from '../../../src/conditions/decide-condition.ts'
import { evaluatorsOf, fieldsOf } from '../../../src/conditions/evaluators-of.ts'

const passes = (id: number): Condition => ({ field: `evaluator.${id}.passed`, op: 'eq', value: true })
const hour = (value: number): Condition => ({ field: 'hour', op: 'eq', value })
const facts: Facts = { hour: 9 }

/** Decides with evaluators of which some pass, and tells which were asked. */
async function decide(condition: Condition, passing: number[]) {
  const asked: number[] = []
  const ask = async (id: number) => {
    asked.push(id)
    return id === 99 ? null : { score: id === 98 ? null : 0.5, passed: passing.includes(id) }
  }
  return { holds: await decideCondition(condition, facts, ask), asked }
}

describe('decideCondition', () => {
  for (const [condition, passing, expected] of [
    [hour(9), [], { holds: true, asked: [] }],
    [{ all: [passes(1), hour(10)] }, [1], { holds: false, asked: [] }],
    [{ any: [passes(1), hour(9)] }, [], { holds: true, asked: [] }],
    [{ all: [passes(1), passes(2)] }, [2], { holds: false, asked: [1] }],
    [{ all: [passes(1), passes(2)] }, [1, 2], { holds: true, asked: [1, 2] }],
    [{ any: [passes(1), passes(2)] }, [1], { holds: true, asked: [1] }],
    [{ any: [{ all: [passes(1), hour(3)] }, passes(2)] }, [1], { holds: false, asked: [2] }],
    [{ not: passes(1) }, [], { holds: true, asked: [1] }],
    [{ all: [passes(1), passes(1)] }, [1], { holds: true, asked: [1] }],
    // No such evaluator, and one without a score: their facts are missing.
    [passes(99), [99], { holds: false, asked: [99] }],
    [{ field: 'evaluator.98.score', op: 'exists' }, [], { holds: false, asked: [98] }],
    [{ field: 'evaluator.98.passed', op: 'exists' }, [], { holds: true, asked: [98] }],
  ] as [Condition, number[], object][]) {
    it(JSON.stringify([condition, passing]), async () => {
      assert.deepEqual(await decide(condition, passing), expected)
    })
  }

  it('rejects when an evaluator cannot be asked', async () => {
    await assert.rejects(
      decideCondition(passes(1), facts, () => Promise.reject(new Error('gone'))),
      /gone/,
    )
  })
})

describe('evaluatorsOf', () => {
  it('lists each evaluator once, in order', () => {
    const condition = { all: [passes(7), { not: { any: [passes(3), hour(9), passes(7)] } }] }
    assert.deepEqual(evaluatorsOf(condition), [7, 3])
    assert.deepEqual(evaluatorsOf(hour(9)), [])
    const [seven, three] = ['evaluator.7.passed', 'evaluator.3.passed']
    assert.deepEqual(fieldsOf(condition), [seven, three, 'hour', seven])
  })
})
