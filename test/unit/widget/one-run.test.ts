import assert from 'node:assert/strict'
import { it } from 'node:test'
import { oneRun } from '../../../widget/panel/one-run.ts'

it('does the work once at a time, and begins it again after a failure', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const run = oneRun(() => {
    const begun = Promise.withResolvers<void>()
    runs.push(begun)
    return begun.promise
  })
  const first = run()
  await run()
  assert.equal(runs.length, 1)
  runs[0]?.reject(new Error('it cannot be drawn'))
  await assert.rejects(first, /drawn/)
  const second = run()
  assert.equal(runs.length, 2)
  runs[1]?.resolve()
  await second
})
