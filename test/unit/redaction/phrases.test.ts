import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { compilePhrases } from '../../../src/redaction/engine/phrases.ts'
import { compileTrie } from '../../../src/redaction/engine/trie.ts'

const SYMBOLS = 6
const symbolWord = fc.array(fc.integer({ min: 1, max: SYMBOLS }), { minLength: 1, maxLength: 7 })

/** The word that the whole walk ends at, one more than its index; -1 when the walk leaves the tree. */
function walk({ base, parent, word }: ReturnType<typeof compileTrie>, symbols: readonly number[]): number {
  let node = 0
  for (const symbol of symbols) {
    const next = (base[node] as number) + symbol
    if (parent[next] !== node) return -1
    node = next
  }
  return word[node] as number
}

it('a trie knows its words, their beginnings and nothing else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(symbolWord, { selector: String }), symbolWord, (words, other) => {
      const trie = compileTrie(words, SYMBOLS)
      for (const [index, word] of words.entries()) assert.equal(walk(trie, word), index + 1)
      const index = words.findIndex((word) => String(word) === String(other))
      const begins = words.some((word) => String(word.slice(0, other.length)) === String(other))
      assert.equal(walk(trie, other), index >= 0 ? index + 1 : begins ? 0 : -1)
    }),
  )
})

it('phrases are found whole, without regard to case, diacritics and the number of spaces', () => {
  const { match } = compilePhrases([['numero de serie', 'num*'], ['serie']])
  const found = (text: string, start = 0) => {
    const all: unknown[] = []
    match(text, start, (kind, from, until) => all.push([kind, from, until]))
    return all
  }
  assert.deepEqual(found('Número  de SERIE 12'), [
    [0, 0, 3],
    [0, 0, 16],
  ])
  assert.deepEqual(found('numero de series'), [[0, 0, 3]])
  assert.deepEqual(found('de serie', 3), [[1, 3, 8]])
  assert.deepEqual(found('nu'), [])
})
