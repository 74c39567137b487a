import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newest } from '../../../src/lib/newest.ts'

it('newest keeps what was set last, and no more than it is told', () => {
  const kept = newest<string, number>(2)
  kept.set('a', 1)
  kept.set('b', 2)
  kept.set('a', 3)
  kept.set('c', 4)
  assert.deepEqual([kept.get('a'), kept.get('b'), kept.get('c')], [3, undefined, 4])
})

it('newest deletes a value after its time, but not one that was set later', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const kept = newest<string, string[]>(2)
  kept.set('a', ['first'], 100)
  t.mock.timers.tick(60)
  kept.set('a', ['second'], 100)
  t.mock.timers.tick(60)
  assert.deepEqual(kept.get('a'), ['second'])
  t.mock.timers.tick(60)
  assert.equal(kept.get('a'), undefined)
})
