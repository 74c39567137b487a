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
