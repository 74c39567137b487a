import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  compoundParts,
  endingsBetween,
  isSlip,
  otherSpellings,
} from '../../../src/language/words/spellings.ts'
import { isToned, tonedWords } from '../../../src/language/words/toned-words.ts'
import { transliterate } from '../../../src/language/words/transliterate.ts'
import { plainWords, readWords } from '../../../src/language/words/words.ts'

const spellings = (text: string) => readWords(text).flatMap(otherSpellings)

describe('otherSpellings', () => {
  for (const [asked, elsewhere] of [
    ['Rueckgabe', 'ruckgab'],
    ['Rückgabe', 'rueckgab'],
    ['Gebuehrenuebersicht', 'gebuhrenubersicht'],
    ['Smørrebrød', 'smoerrebro'],
    ['Paaske', 'pask'],
    ['dostavka', 'доставк'],
    ['Доставка', 'dostavka'],
    ['vozvrat', 'возврат'],
    ['devolverla', 'devolver'],
    ['cambiarmelo', 'cambiar'],
  ] as const) {
    test(`${asked} may be ${elsewhere}`, () => {
      assert.ok(spellings(asked).includes(elsewhere), JSON.stringify(spellings(asked)))
    })
  }

  test('a word is never its own other spelling, and has few, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        for (const word of readWords(text)) {
          const others = otherSpellings(word)
          assert.ok(!others.includes(word.plain) && others.length <= 12)
        }
      }),
    )
    assert.ok(spellings('ae'.repeat(30)).length <= 12)
  })
})

describe('transliterate', () => {
  test('Russian in Latin letters, and back', () => {
    assert.deepEqual(transliterate('shchetka'), ['щетка'])
    assert.deepEqual(transliterate('vozvraty'), ['возвраты', 'возврати'])
    assert.deepEqual(transliterate('щетка'), ['shchetka'])
  })

  test('other scripts, digits and mixtures have none', () => {
    for (const word of ['電話', 'kb2', 'тест2', 'aя', '']) assert.deepEqual(transliterate(word).join(''), '')
  })
})

describe('compoundParts', () => {
  for (const [compound, parts] of [
    ['ruckgabefrist', ['ruckgab', 'frist']],
    ['kundigungsfrist', ['kundigung', 'frist']],
    ['netwerkkabel', ['netwerk', 'kabel']],
    ['batteriikonen', ['batteri', 'ikonen']],
  ] as const) {
    test(`${compound}: ${parts.join(' and ')}`, () => {
      assert.ok(compoundParts(compound).some((found) => found.join() === parts.join()))
    })
  }

  test('no part has fewer than four letters before its ending is taken off', () => {
    assert.deepEqual(compoundParts('carpets'), [])
    for (const part of compoundParts('donaudampfschiff').flat()) assert.ok(part.length >= 3, part)
  })
})

describe('forms and slips', () => {
  test('forms of a word differ by up to three letters at the end', () => {
    assert.equal(endingsBetween('adapter', 'adaptern'), 1)
    assert.equal(endingsBetween('tiedostot', 'tiedostoja'), 2)
    assert.equal(endingsBetween('zahlung', 'zahlung'), 0)
    assert.equal(endingsBetween('zahl', 'zahlung'), null)
    assert.equal(endingsBetween('order', 'ordinary'), null)
  })

  for (const slip of ['refnud', 'refud', 'refuund', 'refumd', 'efund', 'refund', 'refun']) {
    test(`${slip} is refund with at most one slip`, () => {
      assert.ok(isSlip(slip, 'refund') && isSlip('refund', slip))
    })
  }

  test('two slips are another word', () => {
    for (const other of ['rfnud', 'refundab', 'defuns', 'dnufer', ''])
      assert.equal(isSlip(other, 'refund'), false, other)
  })

  test('one letter taken out, put in or replaced anywhere is a slip', () => {
    const letters = fc.stringMatching(/^[a-z]{5,12}$/)
    fc.assert(
      fc.property(letters, fc.nat(4), fc.constantFrom('', 'x'), (word, at, instead) => {
        const slip = word.slice(0, at) + instead + word.slice(at + 1)
        assert.ok(isSlip(word, slip) && isSlip(slip, word), `${word} ${slip}`)
      }),
    )
  })
})

describe('words with tones', () => {
  test('Vietnamese is told from other languages with marks', () => {
    assert.ok(isToned('Trả hàng') && isToned('Trả hàng'.normalize('NFD')))
    for (const text of ['Où est la clé à molette?', 'año', 'Größe', 'naïve', 'plain', 'čeština'])
      assert.equal(isToned(text), false, text)
  })

  test('syllables with marks stay as they are written, and neighbours are pairs', () => {
    const { marked, pairs } = tonedWords('Âm lượng, to')
    assert.deepEqual(
      marked.map(({ written, plain }) => `${written} ${plain}`),
      ['âm am', 'lượng luong'],
    )
    assert.deepEqual(pairs, ['âm lượng', 'lượng to'])
  })

  test('words are found without strokes and ligatures', () => {
    assert.deepEqual(plainWords('đường Bjørn Łódź kırmızı œuvre þing Ærø'), [
      ...['duong', 'bjorn', 'lodz', 'kirmizi', 'oeuvre', 'thing', 'aero'],
    ])
  })
})
