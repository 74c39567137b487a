import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofPart, PARTS } from '../../../bench/redaction/held-back.ts'
import { measureSupport } from '../../../bench/redaction/support-score.ts'
import { personalMessages, supportSets } from '../../../bench/redaction/support-sets.ts'
import { ORIGINS } from '../../../bench/redaction/values/origins.ts'
import { PLACES } from '../../../bench/redaction/values/places.ts'

const { personal, harmless, fair } = supportSets(1)
/** A part of each set, enough to tell that they are scored right. */
const some = {
  personal: personal.slice(0, 300),
  harmless: harmless.slice(0, 200),
  fair: fair.slice(0, 100),
}

test('support sets: 1,500 messages in 40 languages, a third harmless, about a third held back', () => {
  const all = [...personal, ...harmless]
  const heldBack = all.filter(({ part }) => part === 'held-back').length / all.length
  assert.ok(all.length >= 1500)
  assert.ok(new Set(all.map(({ language }) => language)).size >= 40)
  assert.ok(harmless.length / all.length > 0.31)
  assert.ok(heldBack > 0.28 && heldBack < 0.38, `${heldBack} held back`)
  assert.deepEqual(personalMessages(1), personal)
  assert.notDeepEqual(personalMessages(2), personal)
})

test('support sets: every list of names, streets and cities has both parts', () => {
  for (const { name, latin, native } of ORIGINS)
    for (const names of native ? [latin, native] : [latin])
      for (const part of PARTS)
        for (const list of [names.given, names.family])
          assert.ok(ofPart(list, part).length >= 3, `${name}, ${part}`)
  for (const [language, { streets, cities }] of Object.entries(PLACES))
    for (const part of PARTS)
      for (const list of [streets, cities])
        assert.ok(ofPart(list, part).length >= 1, `addresses of ${language}, ${part}`)
})

test('support sets: a person has names of the part of the message, a planted value stands where it is said', () => {
  for (const { text, planted, part } of [...personal, ...fair]) {
    assert.doesNotMatch(text, /\{[a-z][a-z0-9:-]*\}/)
    for (const { type, start, end, secrets } of planted) {
      for (const secret of secrets) assert.ok(text.slice(start, end).includes(secret))
      if (type === 'name:given') assert.deepEqual(ofPart(secrets, part), secrets)
    }
  }
})

test('support sets: each origin and script has the same number of messages in the fairness set', () => {
  const counts = Map.groupBy(fair, ({ origin, script, part }) => `${origin} ${script} ${part}`)
  for (const part of PARTS) {
    const sizes = [...counts].filter(([key]) => key.endsWith(part)).map(([, { length }]) => length)
    assert.equal(new Set(sizes).size, 1)
  }
})

test('support score: an engine that does nothing finds nothing and has no misses of the part held back', async () => {
  const { parts, misses } = await measureSupport({ redact: (text) => text }, some)
  for (const part of PARTS) {
    for (const { found } of parts[part].byType.values()) assert.equal(found, 0)
    assert.deepEqual(parts[part].wordsLost.found, 0)
    assert.equal(parts[part].alarms.found, 0)
  }
  const tuned = new Set(
    [...personal, ...harmless, ...fair].flatMap(({ part, text }) => (part === 'tuned' ? [text] : [])),
  )
  assert.ok(misses.length > 0 && misses.every(({ text }) => tuned.has(text)))
})

test('support score: a right type is told from another one, an alarm and a second pass are counted', async () => {
  const blank = (type: string) => (text: string) =>
    text.includes('[') ? `${text}!` : text.replace(/\S+@\S+/g, type).replace(/^.*ISBN.*$/m, '[X]')
  const { parts } = await measureSupport({ redact: blank('[EMAIL_ADDRESS]') }, some)
  const other = await measureSupport({ redact: blank('[PERSON]') }, some)
  const { rightType, alarms, unstable } = parts.tuned
  assert.ok(rightType.found > 5)
  assert.ok(other.parts.tuned.rightType.found < rightType.found / 2)
  assert.ok(alarms.found > 0 && unstable.found > 0)
})
