import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutCopies } from '../../../src/knowledge/search/without-copies.ts'
import type { FoundPassage } from '../../../src/model/findings.ts'

const TEXT =
  'You can send it back for thirty days after delivery, in its box and with the receipt from the shop.'

const passage = (id: number, text: string, heading = '') =>
  ({ id, title: `Page ${id}`, heading, text }) as FoundPassage
const idsOf = (question: string, ...texts: string[]) =>
  withoutCopies(
    question,
    texts.map((text, at) => passage(at + 1, text)),
  ).map(({ id }) => id)

describe('withoutCopies', () => {
  it('keeps the best of passages that say the same, whatever stands between them', () => {
    const long = `${TEXT} ${TEXT.replace('box', 'packaging')} We pay what the parcel costs if the goods are broken.`
    assert.deepEqual(idsOf('send back', TEXT, 'Delivery takes three days.', TEXT, TEXT.toUpperCase()), [1, 2])
    assert.deepEqual(idsOf('send back', long, long.replace('broken', 'damaged')), [1, 2], 'one word in 23')
    const longer = `${long} Tell us first by mail what is wrong, please, and wait until we answer you.`
    assert.deepEqual(idsOf('send back', longer, longer.replace('broken', 'damaged')), [1], 'one word in 37')
  })

  it('keeps passages that differ in a number, or in a word of the question', () => {
    const kettle =
      'The kettle of the series 300 has a cable of one metre, a switch on its handle, and a filter of steel which you can take out and wash whenever it looks white.'
    assert.deepEqual(idsOf('how long is the cable', kettle, kettle.replace('300', '400')), [1, 2])
    const kitchens = `${kettle} Its colour is blue, and it fits kitchens with little room between sink and wall, where others cannot stand.`
    assert.deepEqual(idsOf('which is red', kitchens, kitchens.replace('blue', 'red')), [1, 2])
    assert.deepEqual(idsOf('which cable', kitchens, kitchens.replace('blue', 'red')), [1])
  })

  it('keeps short answers below different headings, and leaves out long copies below them', () => {
    const below = (text: string, ...headings: string[]) =>
      withoutCopies(
        'is it refundable',
        headings.map((heading, at) => passage(at + 1, text, heading)),
      ).map(({ id }) => id)
    const headings = ['Is the Basic plan refundable?', 'Is the Pro plan refundable?']
    assert.deepEqual(below('Yes, within 14 days.', ...headings, headings[0] ?? ''), [1, 2])
    const sentence = (at: number) => `word${at} stands other${at} beside third${at}.`
    const long = Array.from({ length: 20 }, (_, at) => sentence(at)).join(' ')
    assert.deepEqual(below(long, 'Broken goods', 'Goods that fail'), [1])
  })

  it('takes any text', () => {
    assert.deepEqual(idsOf('', '', '', ' ', '?'), [1, 3])
    assert.deepEqual(idsOf('送料', '送料は無料です。', '送料は無料です。'), [1])
  })
})
