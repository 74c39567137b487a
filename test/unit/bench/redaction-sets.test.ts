import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { seededRandom } from '../../../bench/redaction/random.ts'
import { scoreAlarms, scoreRecall, scoreWordsLost } from '../../../bench/redaction/score.ts'
import { type Case, loadSet } from '../../../bench/redaction/sets.ts'
import { PLANS } from '../../../bench/redaction/values/phones.ts'
import { fillMask } from '../../../bench/redaction/values/slot.ts'

const planted = [...loadSet('checkable'), ...loadSet('contextual')]

test('bench sets: as many cases and languages as promised, the same every time', () => {
  const languages = (cases: Case[]) => new Set(cases.map((one) => one.language)).size
  assert.ok(languages(loadSet('checkable')) >= 16)
  assert.ok(languages(loadSet('contextual')) >= 12)
  assert.ok(languages(loadSet('ordinary')) >= 16)
  assert.ok(loadSet('ordinary').length >= 600)
  assert.ok(loadSet('hard-negatives').length >= 400)
  assert.deepEqual(loadSet('contextual'), loadSet('contextual'))
  assert.notDeepEqual(loadSet('contextual', 2), loadSet('contextual'))
})

test('bench sets: every slot is filled and every secret stands in its stretch', () => {
  for (const one of planted) {
    assert.doesNotMatch(one.text, /\{[a-z][a-z0-9:-]*\}/)
    for (const { start, end, secrets } of one.planted) {
      const stretch = one.text.slice(start, end)
      for (const secret of secrets) assert.ok(stretch.includes(secret), `${secret} in ${stretch}`)
    }
  }
})

test('bench score: untouched text finds nothing, blanked text finds everything and loses no word', () => {
  const untouched = planted.map((one) => one.text)
  const blanked = planted.map((one) =>
    one.planted.reduceRight(
      (text, { start, end }) => `${text.slice(0, start)} [X] ${text.slice(end)}`,
      one.text,
    ),
  )
  const found = (outputs: string[]) => planted.length - scoreRecall(planted, outputs).misses.length
  const values = planted.reduce((sum, one) => sum + one.planted.length, 0)
  assert.equal(scoreRecall(planted, untouched).misses.length, values)
  assert.deepEqual(scoreRecall(planted, blanked).misses, [])
  assert.ok(found(blanked) > 0)
  assert.equal(scoreWordsLost(planted, blanked).found, 0)
  assert.equal(scoreAlarms(planted, untouched).length, 0)
  assert.equal(scoreAlarms(planted, blanked).length, planted.length)
})

test('bench score: part of a value left behind is a miss, other digits are not', () => {
  const text = 'card 4111 1111 1111 1111, order 8123'
  const one: Case = {
    language: 'en',
    text,
    planted: [{ type: 'card', secrets: ['4111 1111 1111 1111'], start: 5, end: 24 }],
  }
  const misses = (output: string) => scoreRecall([one], [output]).misses.length
  assert.equal(misses('card [CARD] 1111, order 8123'), 1)
  assert.equal(misses('card 4111 [CARD], order 8123'), 1)
  assert.equal(misses('card ４１１１, order 8123'), 1)
  assert.equal(misses('card [CARD], order 8123'), 0)
  assert.equal(scoreWordsLost([one], ['card [CARD], order']).found, 1)
})

test('bench phones: the numbering plans make numbers that exist', () => {
  const random = seededRandom('plans')
  assert.ok(new Set(PLANS.map((plan) => plan.country)).size >= 40)
  for (const { country, code, masks } of PLANS) {
    for (const mask of masks) {
      const numbers = Array.from({ length: 40 }, () => `+${code}${fillMask(random, mask).replace(/\D/g, '')}`)
      const valid = numbers.filter((number) => parsePhoneNumberFromString(number)?.isValid())
      assert.ok(valid.length >= 36, `${country} ${mask}: ${valid.length} of 40`)
    }
  }
})
