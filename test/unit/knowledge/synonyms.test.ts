import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSynonyms, type Synonyms } from '../../../src/knowledge/search/synonyms.ts'
import { processorTime } from '../../support/processor-time.ts'

const waysToAsk = (question: string, groups: Synonyms) => readSynonyms(groups)(question)

describe('readSynonyms', () => {
  const groups = [
    ['refund', 'money back'],
    ['invoice', 'bill', 'receipt'],
    ['café', 'bistro'],
    ['back', 'rear'],
  ]

  it('puts what means the same in the place of words and phrases, the longest first', () => {
    for (const [question = '', ...others] of [
      ['Where is the museum?'],
      ['A refund?', 'a money back'],
      ['Can I get my MONEY back?', 'can i get my refund'],
      ['The back door', 'the rear door'],
      ['Two invoices', 'two bill', 'two receipt'],
      ['Is the cafe open?', 'is the bistro open'],
      [
        'refund the bill',
        'money back the bill',
        'refund the invoice',
        'money back the invoice',
        'refund the receipt',
        'money back the receipt',
      ],
      ['money for a back', 'money for a rear'],
    ]) {
      const [asked, ...ways] = waysToAsk(question, groups)
      assert.equal(asked, question)
      assert.deepEqual(ways.toSorted(), others.toSorted(), question)
    }
  })

  it('knows a word of several groups, and words without spaces between', () => {
    assert.deepEqual(
      waysToAsk('bike', [
        ['bike', 'cycle'],
        ['bike', 'bicycle'],
      ]),
      ['bike', 'cycle', 'bicycle'],
    )
    assert.deepEqual(waysToAsk('退款', [['退款', '返金']]), ['退款', '返金'])
  })

  it('is bounded, however many groups there are and however long a question is', () => {
    const many = Array.from({ length: 100 }, (_, group) =>
      Array.from({ length: 10 }, (_, at) => (at === 0 ? 'same' : `word${group}x${at}`)),
    )
    const used = processorTime()
    const ways = waysToAsk('same '.repeat(800), many)
    assert.equal(ways.length, 8)
    assert.ok(used() < 1000)
  })
})
