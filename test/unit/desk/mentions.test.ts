import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findMentions } from '../../../src/desk/notes/mentions.ts'
import { processorTime } from '../../support/processor-time.ts'

const people = [
  { id: 1, name: 'Ada Lovelace', display_name: 'Ada' },
  { id: 2, name: 'Ada Byron', display_name: 'Countess' },
  { id: 3, name: 'Grace Hopper', display_name: 'Grace' },
  { id: 4, name: 'Grace Kelly', display_name: 'Grace' },
  { id: 5, name: '山田 花子', display_name: '山田' },
]
const idsIn = (text: string) => findMentions(text, people).map(({ id }) => id)

describe('findMentions', () => {
  for (const [text, ids] of [
    ['@Ada please look', [1]],
    ['@ada lovelace, please', [1]],
    ['(@ADA  BYRON)', [2]],
    ['@Countess and @Ada', [2, 1]],
    ['@Ada @Ada', [1]],
    ['@Grace: two of us', [3, 4]],
    ['@Grace Kelly only', [4]],
    ['@山田 花子', [5]],
    ['mail ada@grace.example, see Ada', []],
    ['@Adam, @ Ada, @_Ada', []],
    ['@', []],
  ] as const) {
    it(JSON.stringify(text), () => assert.deepEqual(idsIn(text), ids))
  }

  it('any text: never throws, and mentions only people of the team, each once', () => {
    const text = fc.string({
      unit: fc.constantFrom('@', 'Ada', ' ', 'Grace', 'x', '山田', '\ud800', '\u200b'),
    })
    fc.assert(
      fc.property(text, (text) => {
        const ids = idsIn(text)
        assert.equal(new Set(ids).size, ids.length)
      }),
    )
  })

  it('a text of nothing but signs takes no long time', () => {
    const many = Array.from({ length: 300 }, (_, id) => ({
      id,
      name: `${'a'.repeat(id % 90)} b`,
      display_name: 'a',
    }))
    const used = processorTime()
    findMentions('@a'.repeat(10_000), many)
    assert.ok(used() < 200)
  })
})
