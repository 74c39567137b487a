import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inRoles, withoutSystem } from '../../../src/model/in-roles.ts'
import type { ModelMessage } from '../../../src/model/model.ts'
import { textOfContent } from '../../../src/model/text-of-content.ts'

const say = (role: ModelMessage['role'], content: string): ModelMessage => ({ role, content })
const calling = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (tool_call_id: string): ModelMessage => ({ role: 'tool', content: 'found', tool_call_id })

/** The rules of a chat template: each fails as the template does. */
type Template = (messages: readonly ModelMessage[]) => void

const isPlain = ({ role, tool_calls }: ModelMessage) =>
  role === 'user' || (role === 'assistant' && tool_calls === undefined)

function systemFirst(messages: readonly ModelMessage[]): void {
  const at = messages.map(({ role }) => role).lastIndexOf('system')
  assert.ok(at <= 0, 'System message must be at the beginning.')
}

function alternate(messages: readonly ModelMessage[]): void {
  for (const [at, { role }] of messages.entries())
    assert.equal(
      role === 'user',
      at % 2 === 0,
      'Conversation roles must alternate user/assistant/user/assistant/...',
    )
}

function resultsBehindCalls(messages: readonly ModelMessage[]): void {
  for (const [at, { role, tool_calls, tool_call_id }] of messages.entries()) {
    const before = messages[at - 1]
    if (role === 'tool')
      assert.equal(before?.tool_calls?.[0]?.id, tool_call_id, 'a result stands behind its call')
    if (tool_calls) assert.equal(messages[at + 1]?.role, 'tool', 'a call has its result behind it')
  }
}

const templates: Record<string, Template> = {
  // huggingface.co/meta-llama/Llama-3.1-8B-Instruct, tokenizer_config.json
  'Llama 3.1': (messages) => {
    systemFirst(messages)
    for (const { tool_calls } of messages)
      assert.ok((tool_calls?.length ?? 1) === 1, 'This model only supports single tool-calls at once!')
    assert.ok(
      messages.some(({ role }) => role === 'user'),
      "Cannot put tools in the first user message when there's none",
    )
    resultsBehindCalls(messages)
  },
  // huggingface.co/Qwen/Qwen3.5-9B, chat_template.jinja
  Qwen: (messages) => {
    systemFirst(messages)
    assert.ok(
      messages.some(({ role }) => role === 'user'),
      'No user query found in messages.',
    )
  },
  // huggingface.co/mistralai/Mistral-7B-Instruct-v0.3, tokenizer_config.json
  Mistral: (messages) => {
    systemFirst(messages)
    alternate(messages.filter(isPlain))
    for (const { tool_calls = [], tool_call_id } of messages)
      for (const id of [
        ...tool_calls.map(({ id }) => id),
        ...(tool_call_id === undefined ? [] : [tool_call_id]),
      ])
        assert.match(id, /^[A-Za-z0-9]{9}$/, 'Tool call IDs should be alphanumeric strings with length 9!')
  },
  // huggingface.co/google/gemma-2-9b-it, tokenizer_config.json: no system role, no tools
  'Gemma 2, once it has refused a system message': (messages) => {
    if (messages.some(({ role }) => role === 'tool')) return
    const asked = withoutSystem(messages)
    assert.ok(!asked.some(({ role }) => role === 'system'), 'System role not supported')
    alternate(asked)
  },
  // huggingface.co/google/gemma-3-4b-it, chat_template.json: no tools
  'Gemma 3': (messages) => {
    systemFirst(messages)
    if (messages.some(({ role }) => role === 'tool')) return
    alternate(messages.filter(({ role }) => role !== 'system'))
  },
  // huggingface.co/microsoft/phi-4, tokenizer_config.json
  Phi: systemFirst,
  // huggingface.co/deepseek-ai/DeepSeek-V3, tokenizer_config.json
  DeepSeek: (messages) => {
    systemFirst(messages)
    resultsBehindCalls(messages)
  },
}

describe('what a model is sent is never refused by its template', () => {
  const text = fc.constantFrom('one', 'two', '[Person “Ada”] three', '[Notice] four', '')
  const id = fc.constantFrom('a', 'call_0', 'call_1', 'abcdefgh9')
  const message = fc.oneof(
    fc.record({
      role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
      content: text,
    }),
    fc.uniqueArray(id, { minLength: 1, maxLength: 3 }).map((ids) => calling(...ids)),
    id.map(result),
    fc.record({
      role: fc.constant('user' as const),
      content: text.map((said) => [
        { type: 'text', text: said },
        { type: 'image_url', image_url: { url: 'x' } },
      ]),
    }),
  )
  const round = fc
    .uniqueArray(id, { minLength: 1, maxLength: 3 })
    .map((ids) => [calling(...ids), ...ids.map(result)])
  const conversation = fc
    .tuple(
      fc.array(
        fc.oneof(
          message.map((one) => [one]),
          round,
        ),
        { maxLength: 10 },
      ),
      fc.oneof(fc.constant([say('user', 'Well?')]), round),
    )
    .map(([parts, last]) => [...parts.flat(), ...last])

  for (const [name, check] of Object.entries(templates))
    test(name, () => {
      fc.assert(
        fc.property(conversation, (messages) => check(inRoles(messages))),
        { numRuns: 1000 },
      )
    })

  test('a template refuses each of the forms that it does not take', () => {
    const refused: Record<string, ModelMessage[]> = {
      'Llama 3.1': [say('user', 'a'), calling('a', 'b'), result('a'), result('b')],
      Qwen: [say('system', 'a'), say('user', 'b'), say('system', 'c')],
      Mistral: [say('user', 'a'), say('assistant', 'b'), say('assistant', 'c'), say('user', 'd')],
      'Gemma 3': [say('user', 'a'), say('user', 'b')],
      DeepSeek: [say('user', 'a'), calling('a'), say('user', 'b')],
    }
    for (const [name, messages] of Object.entries(refused))
      assert.throws(() => templates[name]?.(messages), assert.AssertionError, name)
  })

  test('nothing that was said is lost', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const all = inRoles(messages).map(({ content }) => textOfContent(content))
        const told = all.join('\n')
        for (const { role, content } of messages)
          if (role !== 'tool') assert.ok(told.includes(textOfContent(content)), textOfContent(content))
      }),
    )
  })
})

describe('messages in roles', () => {
  test('have one system message, at the front', () => {
    const messages = [say('system', 'Be kind.'), say('user', 'Hello.'), say('system', 'Be brief.')]
    assert.deepEqual(inRoles(messages), [say('system', 'Be kind.\n\nBe brief.'), say('user', 'Hello.')])
  })

  test('say whose words stand together in one message', () => {
    const messages = [
      say('user', 'Hello?'),
      say('assistant', '[Person “Ada”] I am here.'),
      say('assistant', 'So am I.'),
      say('assistant', 'Still.'),
      say('user', 'Good.'),
    ]
    assert.deepEqual(inRoles(messages), [
      say('user', 'Hello?'),
      say('assistant', '[Person “Ada”] I am here.\n\n[Assistant] So am I.\n\nStill.'),
      say('user', 'Good.'),
    ])
  })

  test('have a user first', () => {
    assert.deepEqual(
      inRoles([say('assistant', 'Welcome.'), say('user', 'Hi.')]).map(({ role }) => role),
      ['user', 'assistant', 'user'],
    )
  })

  test('have an answer between the result of a call and the next question', () => {
    const roles = inRoles([say('user', 'a'), calling('x'), result('x'), say('user', 'b')]).map(
      ({ role }) => role,
    )
    assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant', 'user'])
  })

  test('are the same each time, so that a server can keep what it has read', () => {
    const messages = [say('user', 'a'), calling('x', 'y'), result('x'), result('y'), say('user', 'b')]
    assert.deepEqual(inRoles(messages), inRoles(messages))
  })
})
