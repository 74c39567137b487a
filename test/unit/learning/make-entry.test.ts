import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entryRequest, LONGEST_READ } from '../../../src/learning/make-entry.ts'
import { textOfContent } from '../../../src/model/text-of-content.ts'
import type { SaidMessage } from '../../../src/transcripts/doors/answers-of-people.ts'

const said = (role: SaidMessage['role'], text: string): SaidMessage => ({ role, text, author: null })
const read = (messages: SaidMessage[]) => textOfContent(entryRequest(messages)[1]?.content ?? '')

describe('the request for an entry', () => {
  it('has the whole answer, however long the question and other messages are', () => {
    const answer = 'Yes, within a month.'
    const asked = read([
      said('user', `Swap? ${'a'.repeat(LONGEST_READ)}`),
      said('assistant', 'b'.repeat(LONGEST_READ)),
      said('user', 'A short word.'),
      said('operator', answer),
    ])
    for (const part of ['Customer: Swap? aaa', 'Assistant: bbb', 'Customer: A short word.\n'])
      assert.ok(asked.includes(part), part)
    assert.ok(asked.includes(`\n\nPerson of the team: ${answer}\n</conversation`))
    assert.ok(asked.length < LONGEST_READ + 100)
  })

  it('is bounded also where the answer alone is too long', () => {
    const asked = read([said('user', 'Swap?'), said('operator', 'c'.repeat(2 * LONGEST_READ))])
    assert.match(asked, /^<conversation \w{16}>\nPerson of the team: ccc/)
    assert.ok(asked.length < LONGEST_READ + 100)
  })

  it('says the question once', () => {
    assert.equal(read([said('user', 'Swap?'), said('operator', 'Yes.')]).split('Swap?').length, 2)
  })
})
