import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askedIn, queriesOf, sentencesOf } from '../../../src/language/queries-of.ts'
import { processorTime } from '../../support/processor-time.ts'

const MAIL = `Dear support team,

I took over this project last month. Yesterday I read through the help pages. How do I move
it to another device? My manager would like to know.

Kind regards,
Maria Hoffmann
Head of Digital Projects
Phone +44 20 7946 0958`

describe('what is searched for in a message', () => {
  const cases: [string, message: string, sentences: string[]][] = [
    ['a question alone', 'how do I move it', ['how do I move it']],
    [
      'a greeting and thanks',
      'Hi there, I hope you are doing well! Where is my kettle? Thank you so much for your help.',
      ['Where is my kettle?'],
    ],
    [
      'a greeting in the sentence that says what is wrong',
      'Hi, my invoice is wrong. Can you help?',
      ['Hi, my invoice is wrong.', 'Can you help?'],
    ],
    [
      'a mail whose lines are broken, with a signature',
      MAIL,
      [
        'I took over this project last month.',
        'Yesterday I read through the help pages.',
        'How do I move it to another device?',
        'My manager would like to know.',
      ],
    ],
    [
      'a quote above and below',
      'On Monday, Ann wrote:\n> Please restart it.\n\nThat did not help. What now?\n\n-----Original Message-----\nFrom: Ann\nSend a picture.',
      ['That did not help.', 'What now?'],
    ],
    ['a German mail', 'Guten Tag,\nwo ist mein Paket?\n\nViele Grüße\nJo', ['wo ist mein Paket?']],
    ['a Japanese one', 'こんにちは。返品できますか。', ['返品できますか。']],
  ]
  for (const [name, message, sentences] of cases)
    it(name, () => assert.deepEqual(sentencesOf(message), sentences))

  it('is each sentence that asks or states by itself, questions first, and beside its neighbours', () => {
    assert.deepEqual(queriesOf('The kettle leaks. Does it bend? It was a nice day. Rust forms.'), [
      'Does it bend?',
      'The kettle leaks.',
      'Rust forms.',
      'The kettle leaks. Does it bend? It was a nice day.',
      'The kettle leaks. Does it bend?',
      'It was a nice day. Rust forms.',
    ])
  })

  it('is the message as it stands when it only greets', () => {
    assert.deepEqual(queriesOf('Hello!'), ['Hello!'])
  })

  it('is bounded', () => {
    assert.equal(queriesOf('It is so. '.repeat(500)).length <= 16, true)
  })

  it('is read in time that grows with the message, also where that is one line', () => {
    const used = processorTime()
    for (let n = 0; n < 10; n++) sentencesOf('word '.repeat(2000))
    assert.ok(used() < 300)
  })

  it('is the last question that stood before a follow-up', () => {
    assert.equal(askedIn('Where is it? How much is the kettle? I like it.'), 'How much is the kettle?')
    assert.equal(askedIn('kettle price'), 'kettle price')
  })
})
