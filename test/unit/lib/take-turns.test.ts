import assert from 'node:assert/strict'
import { it } from 'node:test'
import { takeTurns } from '../../../src/lib/pacing/take-turns.ts'
import { startRedactionWork } from '../../../src/redaction/redaction-work.ts'
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
  const work = startRedactionWork()
  // Shorter than what another thread is asked for.
  const text = 'Write to ada@example.org. '.repeat(1200)
  const turns = await turnsDuring(() =>
    Promise.all(Array.from({ length: 100 }, () => work.run(1, 'anonymize', 'text', text, 'key', {}))),
  )
  assert.ok(turns >= 3, `${turns} turns`)
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
