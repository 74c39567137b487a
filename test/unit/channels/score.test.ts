import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readScore } from '../../../src/channels/score.ts'

const scores: [string, number | null][] = [
  ['4', 4],
  [' 5.\n', 5],
  ['3/5', 3],
  ['3 / 5', 3],
  ['５', 5],
  ['٤', 4],
  ['۲', 2],
  ['5️⃣', 5],
  ['★★★', 3],
  ['⭐⭐⭐⭐⭐', 5],
  ['4 ★', 4],
  ['0', null],
  ['6', null],
  ['45', null],
  ['4/10', null],
  ['4 people', null],
  ['★★★★★★', null],
  ['', null],
]

for (const [text, score] of scores)
  it(`reads ${JSON.stringify(text)} as ${score}`, () => assert.equal(readScore(text), score))
