import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSynonyms } from '../../../src/knowledge/synonyms.ts'
import { questionWords } from '../../../src/lib/words/words.ts'

describe('readSynonyms', () => {
  const variantsOf = readSynonyms([
    ['parcel', 'package', 'shipment'],
    ['Bicycles', 'bike'],
    ['money back', 'refund'],
    ['the', 'of'],
  ])
  const variants = (question: string) =>
    variantsOf([...new Set(questionWords(question))]).map(({ of, words }) => [of.join(' '), words.join(' ')])

  it('finds what means the same as a word, in any of its forms', () => {
    assert.deepEqual(variants('Where are my Parcels?'), [
      ['parcel', 'packag'],
      ['parcel', 'ship'],
    ])
    assert.deepEqual(variants('a bike'), [['bike', 'bicycl']])
  })

  it('finds what means the same as several words when all of them are asked for', () => {
    assert.deepEqual(variants('I want my money back'), [['monei back', 'refund']])
    assert.deepEqual(variants('what money?'), [])
    assert.deepEqual(variants('a refund'), [['refund', 'monei back']])
  })

  it('finds nothing for other words, for words that every sentence has, and for what is asked for anyway', () => {
    assert.deepEqual(variants('the museum of art'), [])
    assert.deepEqual(variants('bikes and bicycles'), [])
    assert.deepEqual(variants(''), [])
  })
})
