import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanServerSaid } from '../../../src/model/server-said.ts'

const PROMPT =
  'My daughter Ada Lovelace was treated for "asthma" in March.\nPlease change her appointment to Tuesday.'
const SYSTEM = 'You are the assistant of the practice of Doctor Hopper in the harbour.'
const messages = [
  { role: 'system' as const, content: SYSTEM },
  { role: 'user' as const, content: [{ type: 'text' as const, text: PROMPT }] },
]
const cleaned = (message: string) =>
  cleanServerSaid({ code: null, message }, ['sk-hunter2'], { messages }).message

describe('what a model server said of a failure, before it is logged', () => {
  for (const [name, said] of Object.entries({
    'the whole prompt': `Bad input: ${PROMPT}`,
    'the prompt as JSON has it': `Bad input: ${JSON.stringify(PROMPT)}`,
    'the beginning of a prompt': `Bad input: '${PROMPT.slice(0, 40)}…'`,
    'the middle of a prompt': `Bad input near "${PROMPT.slice(12, 58)}"`,
    'the instructions': `Bad input: ${SYSTEM.slice(5)}`,
    'all messages': `Bad input: ${JSON.stringify(messages)}`,
  }))
    it(`has none of what was sent when the server repeats ${name}`, () => {
      const text = cleaned(said) ?? ''
      assert.match(text, /^Bad input/)
      assert.match(text, /\[text\]/)
      for (const word of ['Ada', 'Lovelace', 'asthma', 'daughter', 'appointment', 'Hopper'])
        assert.ok(!text.includes(word), `${word} is in: ${text}`)
    })

  it('keeps what the server says itself', () => {
    assert.equal(
      cleaned('The model alias-7 does not exist, key sk-hunter2'),
      'The model alias-7 does not exist, key [key]',
    )
  })
})
