import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { detectLanguage } from '../../../src/language/detect-language.ts'
import { messages, withoutLanguage } from './language-messages.ts'
import { samples } from './language-samples.ts'

/** Languages of messages for which the detector has another name, or none. */
const UNKNOWN = ['af', 'mk', 'ms', 'ne', 'sw']

function detectAll(texts: Readonly<Record<string, readonly string[]>>) {
  const all = Object.entries(texts).flatMap(([language, texts]) =>
    texts.map((text) => ({ language, text, detected: detectLanguage(text) })),
  )
  return {
    all,
    right: all.filter(({ language, detected }) => detected === language),
    wrong: all.filter(({ language, detected }) => detected !== null && detected !== language),
  }
}

describe('detectLanguage', () => {
  it('tells the language of nine in ten short questions, and hardly ever another', () => {
    const { all, right, wrong } = detectAll(samples)
    assert.ok(all.length > 200 && Object.keys(samples).length > 30)
    assert.ok(right.length >= all.length * 0.9, `${right.length} of ${all.length}`)
    assert.ok(wrong.length <= 2, JSON.stringify(wrong))
  })

  it('tells the language of nine in ten messages, with greetings, products and codes', () => {
    const known = Object.entries(messages).filter(([language]) => !UNKNOWN.includes(language))
    const { all, right, wrong } = detectAll(Object.fromEntries(known))
    assert.ok(all.length > 450 && known.length > 45)
    assert.ok(right.length >= all.length * 0.9, `${right.length} of ${all.length}`)
    assert.ok(wrong.length <= all.length * 0.02, JSON.stringify(wrong))
  })

  it('tells no language of numbers, codes, names and signs', () => {
    const told = withoutLanguage.filter((text) => detectLanguage(text) !== null)
    assert.ok(told.length <= withoutLanguage.length * 0.04, JSON.stringify(told))
  })

  it('goes by the whole message when it is a greeting or thanks in one language only', () => {
    assert.equal(detectLanguage('Hola!'), 'es')
    assert.equal(detectLanguage('danke'), 'de')
    assert.equal(detectLanguage('god dag'), null, 'Swedish and Norwegian')
  })

  it('tells Spanish by marks that no other language has', () => {
    assert.equal(detectLanguage('¿es gratis?'), 'es')
  })

  for (const language of Object.keys(samples)) {
    it(`tells ${language} in a few sentences`, () => {
      assert.equal(detectLanguage((samples[language] ?? []).join(' ')), language)
    })
  }

  for (const text of [
    '',
    ' ',
    '42',
    '+1 (415) 555-0132',
    '😀😀',
    'OK',
    'PDF',
    'SKU-1234 AB',
    'foo bar baz',
    'asdf qwer zxcv',
    'https://example.com/the/of/and',
    'the@of.example',
    'Ninapenda kula chakula cha jioni na familia yangu',
    'Ĉiuj homoj estas denaske liberaj kaj egalaj laŭ digno kaj rajtoj. Ili posedas racion kaj konsciencon.',
    'Saolaítear na daoine uile saor agus comhionann ina ndínit agus ina gcearta. Tá bauidh an réasúin acu.',
    'Omnes homines liberi aequique dignitate atque juribus nascuntur. Ratione conscientiaque praediti sunt.',
    'Dadka dhammaantood waxay dhashaan iyagoo xor ah kana siman xagga sharafta iyo xuquuqda.',
    '\ud800',
  ]) {
    it(`is not sure about ${JSON.stringify(text)}`, () => assert.equal(detectLanguage(text), null))
  }

  it('leaves addresses and a few foreign words aside', () => {
    assert.equal(detectLanguage('Wo ist meine Bestellung? https://example.com/where/is/the/order'), 'de')
    assert.equal(detectLanguage('What does 返金 mean in this letter?'), 'en')
    assert.equal(detectLanguage('iPhoneを買いたい'), 'ja')
  })

  it('bears diacritics left out and decomposed', () => {
    assert.equal(detectLanguage('¿donde esta mi pedido? no puedo entrar en mi cuenta'), 'es')
    assert.equal(detectLanguage('Où est ma commande ?'.normalize('NFD')), 'fr')
  })

  it('answers a code or null, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const detected = detectLanguage(text)
        assert.ok(detected === null || /^[a-z]{2}$/.test(detected))
      }),
    )
  })

  it('takes no longer for a long text than for its beginning', () => {
    const text = 'aaaa '.repeat(2_000_000)
    const started = process.cpuUsage()
    detectLanguage(text)
    assert.ok(process.cpuUsage(started).user < 200_000)
  })
})
