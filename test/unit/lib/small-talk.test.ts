import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { labelledMessages, measure, takenFor } from '../../../bench/talk.ts'
import { accepts, smallTalk, wishesForPerson } from '../../../src/lib/language/small-talk.ts'
import { asksForPerson } from '../../../src/model/asks-for-person.ts'
import type { ModelMessage } from '../../../src/model/model.ts'
import { sentences } from '../../../src/model/phrases/sentences.ts'

describe('small talk and wishes', () => {
  const labelled = labelledMessages()
  for (const isHeldBack of [false, true]) {
    const messages = labelled.filter((one) => one.isHeldBack === isHeldBack)
    for (const [what, kinds] of [
      ['wishes', (kind: string) => kind === 'wish'],
      ['small talk', (kind: string) => kind !== 'wish' && kind !== 'question'],
    ] as const) {
      test(`${what} are told from questions, ${isHeldBack ? 'held back' : 'looked at'}`, () => {
        const { taken, meant, right } = measure(messages, kinds)
        assert.ok(meant >= 35, String(meant))
        assert.ok(right >= taken * 0.97, `precision ${right} of ${taken}`)
        assert.ok(right >= meant * 0.9, `recall ${right} of ${meant}`)
      })
    }
  }

  test('a wish in a message of several sentences, and one that is only talked about', () => {
    const mail = 'Hello,\n\nmy parcel of last week never came, and the tracking page says nothing at all.'
    assert.equal(wishesForPerson(`${mail} Can I talk to a human?\n\nBest regards\nAnn`), true)
    assert.equal(wishesForPerson(`${mail} This bot is of no use, let me speak to someone.`), true)
    assert.equal(wishesForPerson(`${mail} A human wrote that it had left.`), false)
    assert.equal(wishesForPerson('Where do I change "I want to talk to a person"?'), false)
    assert.equal(wishesForPerson('x'.repeat(1_000_000)), false)
    // A name by itself is a wish only as the whole message.
    assert.equal(wishesForPerson('It does not work. Agent. What now?'), false)
  })

  test('no message takes long', () => {
    for (const word of [
      'ok ',
      'yes ',
      'can i please a human now ',
      '请好',
      '好好',
      'はい',
      'ครับ',
      'who are you or a ',
    ]) {
      const text = word.repeat(200 / word.length)
      const started = performance.now()
      smallTalk(text)
      accepts(text)
      wishesForPerson(`${text.slice(0, 100)}. `.repeat(24))
      assert.ok(performance.now() - started < 2000, word)
    }
  })

  test('the language is that of the words, or none where many say so', () => {
    assert.deepEqual(smallTalk('vielen Dank, tschüss'), { kind: 'thanks', languages: ['de'] })
    assert.deepEqual(smallTalk('👍🏽'), { kind: 'acknowledgement', languages: [] })
    assert.equal(smallTalk('👎'), null)
    assert.ok((smallTalk('ok')?.languages.length ?? 0) > 20)
  })

  for (const [language, { offer }] of Object.entries(sentences)) {
    test(`${language}: the offered word and a yes lead to a person`, () => {
      const [, word = ''] = /["“”„«»「‘’』](.+?)["“”„«»」‘’』]/u.exec(offer) ?? []
      assert.equal(takenFor(word), 'wish', `${word} in ${offer}`)
      const said: ModelMessage[] = [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: `y\n\n${offer}` },
      ]
      assert.equal(asksForPerson([...said, { role: 'user', content: word.toUpperCase() }], {}), true)
      const yes = YES[language as keyof typeof YES]
      assert.equal(accepts(yes), true, yes)
      assert.equal(asksForPerson([...said, { role: 'user', content: yes }], {}), true)
    })
  }

  test('a yes counts only right after the offer, in the operator\u2019s words too', () => {
    const offered = (content: string): ModelMessage[] => [
      { role: 'user', content: 'x' },
      { role: 'assistant', content },
      { role: 'user', content: 'Yes, please!' },
    ]
    assert.equal(asksForPerson(offered('Ask Ann?'), {}), false)
    assert.equal(asksForPerson(offered('No idea. Ask Ann?'), { en: { offer: 'Ask Ann?' } }), true)
    const later: ModelMessage[] = [...offered(sentences.en.offer), { role: 'assistant', content: 'Fine.' }]
    assert.equal(asksForPerson([...later, { role: 'user', content: 'yes' }], {}), false)
    assert.equal(asksForPerson([...offered(sentences.en.offer), { role: 'tool', content: 'yes' }], {}), false)
    const but: ModelMessage[] = [
      ...offered(sentences.en.offer).slice(0, 2),
      { role: 'user', content: 'yes but how?' },
    ]
    assert.equal(asksForPerson(but, {}), false)
  })
})

const YES = {
  ...{ en: 'yes please', de: 'Ja bitte', fr: 'oui, merci', es: 'sí, por favor', it: 'sì grazie', pt: 'sim' },
  ...{ nl: 'ja graag', ja: 'はい、お願いします', zh: '好的', th: 'ใช่ครับ', sv: 'ja tack', da: 'ja tak' },
  ...{ no: 'ja takk', fi: 'kyllä kiitos', pl: 'tak, poproszę', cs: 'ano, prosím', sk: 'áno, prosím' },
  ...{ ro: 'da, vă rog', hu: 'igen, kérem', tr: 'evet lütfen', vi: 'vâng ạ', id: 'iya, tolong' },
  ...{ ca: 'sí, si us plau', hr: 'da, molim', ru: 'да, пожалуйста', uk: 'так, будь ласка', bg: 'да, моля' },
  ...{ sr: 'да, молим', el: 'ναι, παρακαλώ', he: 'כן, בבקשה', ar: 'نعم، من فضلك', fa: 'بله، لطفا' },
  ...{ ur: 'جی ہاں', hi: 'जी हाँ', ko: '네, 부탁드립니다' },
} as const
