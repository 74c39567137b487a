import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { longestFind, wordFinder } from '../../../src/language/words/word-finder.ts'

describe('wordFinder', () => {
  for (const [word, text] of [
    ['price', 'Any prices?'],
    ['refund', 'refunded'],
    ['ＲＥＦＵＮＤ', 'refunds'],
    ['возврат', 'сроки возврата'],
    ['подписка', 'Отмените подписку!'],
    ['оплата', 'спосіб оплати'],
    ['فاتورة', 'أين الفاتورة؟'],
    ['Rechnung', 'Alle Rechnungen bitte'],
    ['devolución', 'las devoluciones'],
    ['credit card', 'my credit cards'],
    ['credit-card', 'my credit cards'],
    ['secret code', 'The secret\ncode is 5.'],
    ["don't", 'I don’t'],
    ['café', 'the cafe'],
    ['iphone', 'iPhoneを買う'],
    ['返金', '返金したいです'],
    ['환불', '환불을 원합니다'],
    ['c++', 'I love C++!'],
  ] as const) {
    it(`finds ${word} in ${JSON.stringify(text)}`, () => assert.deepEqual(wordFinder([word])(text), [word]))
  }

  for (const [word, text] of [
    ['cat', 'concatenate'],
    ['cat', 'my_cat'],
    ['cat', 'cat5'],
    ['caf', 'café'],
    ['money back', 'I have no money. Back home it rains'],
    ['京都', '東京都に住む'],
    ['$100', '$1000'],
    ['cat', ''],
  ] as const) {
    it(`does not find ${word} in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(wordFinder([word])(text), []))
  }

  it('exact: only as they are written, in any case', () => {
    const find = wordFinder(['refund', 'café'], { exact: true })
    assert.deepEqual(find('Refunds at the cafe'), [])
    assert.deepEqual(find('CAFÉ REFUND'), ['refund', 'café'])
  })
})

it('longestFind tells how many words a find may take', () => {
  assert.equal(longestFind([]), 0)
  assert.equal(longestFind(['refund', 'my money  back']), 3)
  assert.equal(longestFind(['credit-card']), 2)
  assert.equal(longestFind(['解約する']), 4)
})
