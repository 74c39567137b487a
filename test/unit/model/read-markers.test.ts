import assert from 'node:assert/strict'
import { it } from 'node:test'
import { citeMarked, placesOfMarkers, withoutMarkers } from '../../../src/model/cite-marked.ts'

const PASSAGES = ['A', 'B', 'C'].map((title) => ({ title, url: null, snippet: '' }))

/** A text as it is shown, and the titles that it cites. */
function read(text: string, pieces: string[] | null): [string, string] {
  const marked = citeMarked(PASSAGES)
  marked.shown = PASSAGES.length
  let shown: string
  if (pieces) {
    const reader = marked.inPieces()
    shown = pieces.map(reader.feed).join('') + reader.end()
  } else shown = marked.in(text) as string
  const used = marked.used().map(({ title }) => title)
  return [shown, used.join('')]
}

for (const [name, text, shown, used] of [
  ['no marker', 'It is blue.', 'It is blue.', ''],
  ['one marker', 'It is blue [2].', 'It is blue [1].', 'B'],
  ['numbered by their first use', 'x [3], y [1], z [3].', 'x [1], y [2], z [1].', 'CA'],
  ['without white space', 'blue[3].', 'blue[1].', 'C'],
  ['several in one', 'blue [1, 3].', 'blue [1][2].', 'AC'],
  ['a range', 'blue [1-3]', 'blue [1][2][3]', 'ABC'],
  ['one beside the other', 'blue [2][1].', 'blue [1][2].', 'BA'],
  ['as some models write it', 'blue【2】.', 'blue[1].', 'B'],
  ['out of range', 'blue [4].', 'blue.', ''],
  ['zero', 'blue [0].', 'blue.', ''],
  ['out of range beside one that is not', 'blue [9][2].', 'blue [1].', 'B'],
  ['out of range in a list', 'blue [2, 9].', 'blue [1].', 'B'],
  ['out of range at the beginning of a line', '[7] It is.\n[2] So.', 'It is.\n[1] So.', 'B'],
  ['at the very end', 'blue [', 'blue [', ''],
  ['cut off', 'blue [1', 'blue [1', ''],
  ['numbers that are no marker', 'in [2024], [a1] and [10, 20, 30]', 'in [2024], [a1] and [10, 20, 30]', ''],
  ['a range beyond the passages', 'from [0-9] to [2-7] [2]', 'from [0-9] to [2-7] [1]', 'B'],
  ['a list with a zero', 'in [0, 1] and [1,0]', 'in [0, 1] and [1,0]', ''],
  ['a pattern', 'of [1]{6} and [2]', 'of [1]{6} and [1]', 'B'],
  ['the text of a link', '[1](https://a.example) [2]', '[1](https://a.example) [1]', 'B'],
  ['code', '`a[1]` and [2]', '`a[1]` and [1]', 'B'],
  ['code with a backtick', '``a`[1]`` [2]', '``a`[1]`` [1]', 'B'],
  ['a code block', '```js\na[1] = b[9]\n\nx\n```\nSee [2].', '```js\na[1] = b[9]\n\nx\n```\nSee [1].', 'B'],
  ['a backtick that ends nowhere', 'the ` sign [1]\nand [9] so', 'the ` sign [1]\nand so', ''],
  ['white space at the end', 'blue [9] \n ', 'blue \n ', ''],
] as const) {
  it(`reads markers: ${name}`, () => {
    const expected = [shown, used]
    assert.deepEqual(read(text, null), expected, 'as a whole')
    assert.deepEqual(read(text, [...text]), expected, 'a character at a time')
    for (let at = 0; at <= text.length; at++)
      assert.deepEqual(read(text, [text.slice(0, at), text.slice(at)]), expected, `cut at ${at}`)
  })
}

it('holds back no more than what may become a marker', () => {
  const marked = citeMarked(PASSAGES)
  marked.shown = PASSAGES.length
  const reader = marked.inPieces()
  assert.deepEqual(['You have ', '30 days', ' [', '1', ']', '. More', ' [see below] '].map(reader.feed), [
    'You have',
    ' 30 days',
    '',
    '',
    '',
    ' [1]. More',
    ' [see below]',
  ])
  assert.equal(reader.end(), ' ')
})

it('leaves texts as they are when the model was shown no passages', () => {
  const marked = citeMarked(PASSAGES)
  const reader = marked.inPieces()
  assert.equal(reader.feed('a [1] [9] ') + reader.end(), 'a [1] [9] ')
  assert.equal(marked.in('a [1]'), 'a [1]')
  assert.deepEqual(marked.used(), [])
})

it('removes numbers of passages that were left out', () => {
  const marked = citeMarked(PASSAGES)
  marked.shown = 2
  assert.equal(marked.in('a [3] b [2]'), 'a b [1]')
  assert.deepEqual(
    marked.used().map(({ title }) => title),
    ['B'],
  )
})

it('takes time in proportion to the text, however it looks', () => {
  for (const text of ['[', ' ', '[1', '[1,', '`', '` [', '[1][', '\n['].map((part) =>
    part.repeat(1_000_000),
  )) {
    const marked = citeMarked(PASSAGES)
    marked.shown = PASSAGES.length
    // In proportion to the square of the text it would take longer than a test may.
    assert.ok((marked.in(text) ?? '').length <= text.length, JSON.stringify(text.slice(0, 10)))
  }
})

it('finds the first place of each citation, and takes their numbers out', () => {
  const text = 'Blue [1], `b[2]`, green [2]; blue [1], [3].'
  const places = placesOfMarkers(text, 2)
  assert.deepEqual(
    [...places].map(([number, { start, end }]) => [number, text.slice(start, end), start]),
    [
      [1, '[1]', 5],
      [2, '[2]', 24],
    ],
  )
  assert.equal(withoutMarkers(text, 2), 'Blue, `b[2]`, green; blue, [3].')
  assert.equal(withoutMarkers(text, 0), text)
})
