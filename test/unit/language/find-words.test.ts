import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foldText, holdsWord } from '../../../src/language/words/find-words.ts'

const holds = (text: string, word: string) => holdsWord(foldText(text), foldText(word))

describe('holdsWord', () => {
  for (const [text, word] of [
    ['The Cat sat.', 'cat'],
    ['cat', 'cat'],
    ['(cat)', 'CAT'],
    ['concatenate a cat', 'cat'],
    ['Über alles', 'über'],
    ['STRASSE', 'strasse'],
    ['Cafe\u0301 au lait', 'café'],
    ["don't", 'don'],
    ['I love C++!', 'c++'],
    ['credit   card\nnumber', 'credit card'],
    ['pass\u00adword', 'password'],
    ['p\u200bassword', 'password'],
    ['ｐａｓｓｗｏｒｄ', 'password'],
    ['𝒞at', 'cat'],
    ['🙂ok🙂', 'ok'],
    ['что такое возврат?', 'Возврат'],
    ['返金したいです', '返金'],
    ['京都へ行く', '京都'],
    ['キャンセルポリシー', 'キャンセル'],
    ['iPhoneを買う', 'iphone'],
    ['我要退款', '退款'],
    ['怎么退货呢', '退货'],
    ['ขอเงินคืนหน่อย', 'เงินคืน'],
    ['환불을 원합니다', '환불'],
  ] as const) {
    it(`finds ${word} in ${JSON.stringify(text)}`, () => assert.ok(holds(text, word)))
  }

  for (const [text, word] of [
    ['concatenate', 'cat'],
    ['cats', 'cat'],
    ['my_cat', 'cat'],
    ['cat5', 'cat'],
    ['café', 'caf'],
    ['cafe\u0301', 'cafe'],
    ['tübering', 'über'],
    ['$1000', '$100'],
    ['東京都に住む', '京都'],
    ['재환불', '환불'],
    ['', 'cat'],
    ['cat', ''],
    ['cat', ' \u200b'],
  ] as const) {
    it(`does not find ${JSON.stringify(word)} in ${JSON.stringify(text)}`, () =>
      assert.ok(!holds(text, word)))
  }

  it('finds every word of a text between spaces', () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((text) => foldText(text) !== '')
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        // A word that begins or ends with a space has no ends of its own.
        fc.pre(![a, b, c].some((text) => foldText(text) !== foldText(`x ${text} x`).slice(2, -2)))
        assert.ok(holds(`${a} ${b} ${c}`, b))
      }),
    )
  })

  it('stays fast on repetitions, in scripts without spaces too', () => {
    const started = process.cpuUsage()
    assert.ok(!holdsWord('aaaa'.repeat(50_000), 'a'))
    assert.ok(!holdsWord('東京都'.repeat(100), '京都'))
    holdsWord('東京都'.repeat(500_000), '京都')
    for (let length = 1; length <= 200; length++)
      assert.ok(!holdsWord('a'.repeat(200_000), 'a'.repeat(length)))
    assert.ok(process.cpuUsage(started).user < 1_500_000)
  })
})
