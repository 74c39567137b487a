import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineDifference } from '../../../console/pages/settings/versions/line-difference.ts'

const shown = (before: string, after: string) =>
  lineDifference(before, after).map(({ kind, text }) =>
    kind === 'left-out' ? text : `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`,
  )

describe('lineDifference', () => {
  for (const [name, before, after, expected] of [
    ['one line', 'Hello', 'Hi', ['-Hello', '+Hi']],
    ['the same', 'a\nb', 'a\nb', ['…']],
    ['a line between', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a line less', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['lines that repeat', 'a\na', 'a\na\na', [' a', ' a', '+a']],
    [
      'far apart',
      '1\n2\n3\n4\n5\n6\n7\n8',
      '0\n2\n3\n4\n5\n6\n7\n9',
      ['-1', '+0', ' 2', ' 3', '…', ' 6', ' 7', '-8', '+9'],
    ],
  ] as const)
    it(name, () => assert.deepEqual(shown(before, after), expected))

  it('long texts with nothing in common, at once', () => {
    const lines = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name} ${at}`).join('\n')
    assert.equal(lineDifference(lines('a'), lines('b')).length, 40_000)
  })
})
