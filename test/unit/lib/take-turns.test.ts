import assert from 'node:assert/strict'
import { it } from 'node:test'
import { anonymizer } from '../../../src/chat/anonymize.ts'
import { takeTurns } from '../../../src/lib/take-turns.ts'
import { evaluatorRow, inputOf, makeEvaluators } from '../evaluators/judge.ts'

/** Counts how often everybody else had a turn while something was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  await work()
  clearImmediate(next)
  return turns
}

it('takeTurns lets others have theirs after long work, and not after each piece', async () => {
  const pause = takeTurns()
  assert.equal(await turnsDuring(pause), 0)
  const until = performance.now() + 30
  while (performance.now() < until);
  assert.ok((await turnsDuring(pause)) > 0)
})

it('many texts are anonymized with others having their turns in between', async () => {
  const work = () => {
    const until = performance.now() + 5
    while (performance.now() < until);
    return '[X]'
  }
  const redactor = anonymizer({ redact: work, find: () => [] }, null)
  const values = Array.from({ length: 50 }, (_, n) => ({ kind: 'text' as const, value: `text ${n}` }))
  const turns = await turnsDuring(async () => {
    const { values: redacted, complete } = await redactor.redact(values)
    assert.deepEqual([redacted, complete], [values.map(() => '[X]'), true])
  })
  assert.ok(turns >= 5, `${turns} turns`)
})

it('many evaluators are asked with others having their turns in between', async () => {
  const evaluators = makeEvaluators()
  const { signal } = new AbortController()
  const text = 'a'.repeat(200_000)
  const turns = await turnsDuring(async () => {
    for (let id = 1; id <= 30; id++) {
      const evaluator = evaluatorRow('regex', { pattern: `[ab]{${id},100}c` }, { id })
      await evaluators.evaluate(evaluator, inputOf(text), signal)
    }
  })
  assert.ok(turns >= 5, `${turns} turns`)
})
