import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanServerSaid, secretsOf } from '../../../src/model/server-said.ts'

const PROMPT =
  'My daughter Ada Lovelace was treated for "asthma" in March.\nPlease change her appointment to Tuesday.'
const SYSTEM = 'You are the assistant of the practice of Doctor Hopper in the harbour.'
const messages = [
  { role: 'system' as const, content: SYSTEM },
  { role: 'user' as const, content: [{ type: 'text' as const, text: PROMPT }] },
]
const cleaned = (message: string) =>
  cleanServerSaid({ code: null, message }, ['sk-hunter2'], { messages }).message

const LONG = Array.from({ length: 1200 }, (_, at) => `zebra${at * 7919}`).join(' ')
const request = {
  messages: [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'book', arguments: '{"patient":"Zebra Hart","illness":"zebraitis"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"reached":"zebra@example.com","number":49301234567}' },
    { role: 'user', content: LONG },
  ],
  parameters: {
    tools: [
      {
        type: 'function',
        function: {
          name: 'book',
          description: 'Books for the zebra practice.',
          parameters: { type: 'object', properties: { zebraNumber: { enum: ['zebraone'] } } },
        },
      },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'zebra_answer' } },
  },
}
const TOOLS = request.parameters.tools

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

  for (const [name, said] of Object.entries({
    'a paragraph of more characters than are cleaned': LONG,
    'the end of a long paragraph': LONG.slice(-300),
    'arguments of a tool call': '{"patient":"Zebra Hart","illness":"zebraitis"}',
    'arguments of a tool call with its own quotes': "{'patient': 'Zebra Hart', 'illness': 'zebraitis'}",
    'one argument of a tool call': "'Zebra Hart' and 'zebraitis'",
    'a result of a tool': 'zebra@example.com, 49301234567',
    'the definition of a tool': JSON.stringify(TOOLS),
    'parts of the definition of a tool': 'zebraNumber must be zebraone',
    'the wanted format': 'zebra_answer',
    'the whole request': JSON.stringify(JSON.stringify(request)),
  }))
    it(`has none of what was sent when the server repeats ${name}`, () => {
      const { message } = cleanServerSaid({ code: null, message: `Bad input: ${said}` }, [], request)
      assert.match(message ?? '', /^Bad input: .*\[text\]/)
      assert.doesNotMatch(message ?? '', /zebra|Hart|4930/i)
    })

  it('keeps the words of the API that the server uses', () => {
    const said =
      "'assistant' needs a 'function', json_schema has no 'properties', drop 'max_completion_tokens'"
    const sent = { ...request, max_completion_tokens: 5 }
    assert.equal(cleanServerSaid({ code: null, message: said }, [], sent).message, said)
  })

  for (const [name, text] of Object.entries({
    'one character': 'a'.repeat(10_000_000),
    'short lines': 'aaaaaaaaa\n'.repeat(1_000_000),
    escapes: '\\a'.repeat(5_000_000),
  }))
    it(`is cleaned also when ten million characters of ${name} were sent and are repeated`, () => {
      const said = { code: null, message: `Bad input: ${text.slice(0, 4000)}` }
      assert.equal(cleanServerSaid(said, [], [text]).message, 'Bad input: [text]')
    })

  it('keeps what the server says itself', () => {
    assert.equal(
      cleaned('The model alias-7 does not exist, key sk-hunter2'),
      'The model alias-7 does not exist, key [key]',
    )
  })
})

it('of an address only long parts are secret, also those with a % that is no code', () => {
  const address = new URL('https://name:50%secret%20x@x.org/v1?v=1&token=t0k3n')
  assert.deepEqual(secretsOf(address, 'k'), ['k', '50%secret%20x', '50%secret%20x', 'name', 'name', 't0k3n'])
  const said = cleanServerSaid(
    { code: null, message: 'At 1 of 1: name, t0k3n' },
    secretsOf(address, null),
    [],
  )
  assert.equal(said.message, 'At 1 of 1: [key], [key]')
})
