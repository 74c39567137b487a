import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { tellingness } from '../../../src/language/words/common-words.ts'
import { indexWords, isFiller, plainWords, questionWords } from '../../../src/language/words/words.ts'

describe('plainWords', () => {
  test('folds case, width and diacritics', () => {
    assert.deepEqual(plainWords('Ｐａｒｌｅｙ CAFÉ Straße Überblick'), [
      'parley',
      'cafe',
      'strasse',
      'uberblick',
    ])
  })

  test('parts names at their punctuation, alike with and without other letters around', () => {
    assert.deepEqual(plainWords('PARLEY_MODEL_URL x-api-key 127.0.0.1'), [
      ...['parley', 'model', 'url', 'x', 'api', 'key', '127', '0', '0', '1'],
    ])
    assert.deepEqual(plainWords('é x-api-key'), ['e', 'x', 'api', 'key'])
  })

  test('cuts Japanese, Chinese and Thai into words', () => {
    assert.ok(plainWords('パスワードをリセットするには').includes('パスワード'))
    assert.ok(plainWords('我的密码忘记了').includes('密码'))
    assert.ok(plainWords('ฉันจะรีเซ็ตรหัสผ่านได้อย่างไร').includes('รีเซ็ต'))
  })

  test('keeps the voiced marks of Japanese and the vowels of Thai and Hindi', () => {
    assert.deepEqual(plainWords('ガ'), ['ガ'])
    assert.deepEqual(plainWords('हिन्दी'), ['हिन्दी'])
  })

  test('keeps raised digits apart from a number', () => {
    assert.deepEqual(plainWords('49¹ € for 5⁹⁹, 20 m²'), ['49', '1', 'for', '5', '99', '20', 'm2'])
  })

  test('reads a word that may be broken as the same word', () => {
    for (const text of ['Ver\u00ADsand\u00ADkosten', 'Ver\u200Bsand\u200Bkosten'])
      assert.deepEqual(indexWords(text), indexWords('Versandkosten'))
    assert.deepEqual(plainWords('ภาษา\u200Bไทย'), ['ภาษา', 'ไทย'])
  })

  test('cuts a word without end', () => {
    assert.equal(plainWords('a'.repeat(1_000_000))[0]?.length, 64)
    assert.equal(Array.from(plainWords('𝒳𐐀'.repeat(100))[0] ?? '').length, 64)
  })

  test('marks without a letter are no word', () => {
    assert.deepEqual(plainWords('\u0300 \u0301a'), ['a'])
  })

  test('takes any string, and gives words that any database stores', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const word of plainWords(`${text}\uD800`)) {
          assert.ok(word !== '' && word.isWellFormed() && !word.includes('\0'))
        }
      }),
    )
  })
})

describe('indexWords', () => {
  test('leaves out what every question has', () => {
    assert.deepEqual(indexWords('How do I get the webhook?'), ['webhook'])
    assert.deepEqual(indexWords('Wie kann ich den Agenten pausieren?').length, 2)
    assert.deepEqual(indexWords('what is it'), [])
  })

  for (const family of [
    ['pause', 'pauses', 'paused', 'pausing'],
    ['redact', 'redacts', 'redacted', 'redacting', 'redaction', 'redactions'],
    ['reply', 'replies', 'replied'],
    ['batch', 'batches', 'batched'],
    ['setting', 'settings'],
    ['install', 'installed', 'installation'],
    ['validate', 'validating', 'validation'],
    ['locate', 'location'],
    ['stop', 'stopped', 'stopping'],
    ['shipment', 'shipments'],
  ]) {
    test(`brings ${family.join(', ')} together`, () => {
      assert.equal(new Set(family.flatMap((word) => indexWords(word))).size, 1)
    })
  }

  for (const [one, other] of [
    ['status', 'state'],
    ['address', 'add'],
    ['process', 'processor'],
    ['need', 'new'],
    ['station', 'state'],
    ['format', 'form'],
  ] as const) {
    test(`keeps ${one} and ${other} apart`, () => {
      assert.notDeepEqual(indexWords(one), indexWords(other))
    })
  }
})

describe('questionWords', () => {
  test('keeps stop words, marked so that no stem is taken for one', () => {
    assert.deepEqual(questionWords('Who made the kettles?'), ['~who', 'made', '~the', 'kettl'])
    assert.deepEqual(questionWords('who the').map(isFiller), [true, true])
    assert.equal(isFiller('kettl'), false)
  })
})

describe('tellingness', () => {
  test('grows from the words of every other sentence to rare ones, endings left aside', () => {
    const [time = 0, order = 0, voucher = 0] = indexWords('times ordered vouchers').map(tellingness)
    assert.ok(0 < time && time < order && order < voucher)
    assert.equal(voucher, 1)
  })
})
