import assert from 'node:assert/strict'
import { it } from 'node:test'
import { queues } from '../../../src/lib/pacing/queues.ts'

it('a queue a key: one after the other, a failure holds nobody up, other keys go on', async () => {
  const inTurn = queues<string>()
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    begun.push('first')
    await gate.promise
    throw new Error('first failed')
  })
  const second = inTurn('a', async () => begun.push('second'))
  await inTurn('b', async () => begun.push('other key'))
  assert.deepEqual(begun, ['first', 'other key'])
  gate.resolve()
  await assert.rejects(first, /first failed/)
  await second
  assert.equal(await inTurn('a', async () => 'again'), 'again')
  assert.deepEqual(begun, ['first', 'other key', 'second'])
})
