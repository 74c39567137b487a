import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Condition, Facts } from '../../../src/conditions/condition.ts'
import { decideCondition } from '../../../src/conditions/decide-condition.ts'
import { evaluatorsOf, fieldsOf } from '../../../src/conditions/evaluators-of.ts'

const passes = (id: number): Condition => ({ field: `evaluator.${id}.passed`, op: 'eq', value: true })
const hour = (value: number): Condition => ({ field: 'hour', op: 'eq', value })
const facts: Facts = { hour: 9 }

/** Decides with evaluators of which some pass, and tells which were asked. */
async function decide(condition: Condition, passing: number[], order?: number[]) {
  const asked: number[] = []
  const ask = async (id: number) => {
    asked.push(id)
    return id === 99 ? null : { score: id === 98 ? null : 0.5, passed: passing.includes(id) }
  }
  return { holds: await decideCondition(condition, facts, ask, order), asked }
}

describe('decideCondition', () => {
  for (const [condition, passing, order, expected] of [
    [hour(9), [], undefined, { holds: true, asked: [] }],
    [{ all: [passes(1), hour(10)] }, [1], undefined, { holds: false, asked: [] }],
    [{ any: [passes(1), hour(9)] }, [], undefined, { holds: true, asked: [] }],
    [{ all: [passes(1), passes(2)] }, [2], undefined, { holds: false, asked: [1] }],
    [{ all: [passes(1), passes(2)] }, [1, 2], undefined, { holds: true, asked: [1, 2] }],
    [{ all: [passes(1), passes(2)] }, [1], [2, 1], { holds: false, asked: [2] }],
    [{ any: [passes(1), passes(2)] }, [1], undefined, { holds: true, asked: [1] }],
    [{ any: [{ all: [passes(1), hour(3)] }, passes(2)] }, [1], undefined, { holds: false, asked: [2] }],
    [{ not: passes(1) }, [], undefined, { holds: true, asked: [1] }],
    [{ all: [passes(1), passes(1)] }, [1], undefined, { holds: true, asked: [1] }],
    // No such evaluator, and one without a score: their facts are missing.
    [passes(99), [99], undefined, { holds: false, asked: [99] }],
    [{ field: 'evaluator.98.score', op: 'exists' }, [], undefined, { holds: false, asked: [98] }],
    [{ field: 'evaluator.98.passed', op: 'exists' }, [], undefined, { holds: true, asked: [98] }],
  ] as [Condition, number[], number[] | undefined, object][]) {
    it(JSON.stringify([condition, passing]), async () => {
      assert.deepEqual(await decide(condition, passing, order), expected)
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
