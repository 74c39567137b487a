import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { rawCalls } from '../../../src/model/raw-calls.ts'
import { type Said, saidReader } from '../../../src/model/said-reader.ts'
import { processorTime } from '../../support/processor-time.ts'

/** Reads a text in pieces of a size. */
function read(text: string, size = text.length, startsInThoughts = false): Said {
  const reader = saidReader(startsInThoughts)
  const parts: Said[] = []
  for (let at = 0; at < text.length; at += size) parts.push(reader.feed(text.slice(at, at + size)))
  parts.push(reader.end())
  const joined = (name: 'text' | 'thoughts') => parts.map((part) => part[name]).join('')
  return { text: joined('text'), thoughts: joined('thoughts'), calls: parts.flatMap(({ calls }) => calls) }
}

const call = { name: 'get_order', arguments: '{"id":7}' }
const nothing = { text: '', thoughts: '', calls: [] }

const texts: Record<string, [text: string, said: Partial<Said>]> = {
  'a plain text': ['Hello there.', { text: 'Hello there.' }],
  'thoughts first': ['<think>\nhm\n</think>\n\nHello.', { text: 'Hello.', thoughts: '\nhm\n' }],
  'thoughts behind white space': ['\n <thinking>hm</thinking>Hello.', { text: 'Hello.', thoughts: 'hm' }],
  'no thoughts between marks': ['<think>\n\n</think>\n\nHello.', { text: 'Hello.', thoughts: '\n\n' }],
  'thoughts that never end': ['<think>hm, so', { thoughts: 'hm, so' }],
  "Magistral's thoughts": ['[THINK]hm[/THINK]Hello.', { text: 'Hello.', thoughts: 'hm' }],
  "gpt-oss's channels": [
    '<|channel|>analysis<|message|>hm<|channel|>final<|message|>Hello.',
    { text: 'Hello.', thoughts: 'hm' },
  ],
  'the mark in the middle of a text': ['Write <think> first.', { text: 'Write <think> first.' }],
  'the end of thoughts in code': ['Use `</think>` here.', { text: 'Use `</think>` here.' }],
  'a call of Qwen or Hermes': [
    'One moment.\n<tool_call>\n{"name": "get_order", "arguments": {"id": 7}}\n</tool_call>',
    { text: 'One moment.\n', calls: [call] },
  ],
  'two calls': [
    '<tool_call>{"name":"get_order","arguments":{"id":7}}</tool_call>\n<tool_call>{"name":"b","arguments":{}}</tool_call>',
    { text: '\n', calls: [call, { name: 'b', arguments: '{}' }] },
  ],
  'a call behind thoughts': [
    '<think>hm</think>\n<tool_call>{"name":"get_order","arguments":{"id":7}}</tool_call>',
    { thoughts: 'hm', calls: [call] },
  ],
  'a call that is cut off': ['<tool_call>{"name":"get_or', {}],
  'a call without its end': ['<tool_call>{"name":"get_order","arguments":{"id":7}}', { calls: [call] }],
  "a call of Qwen's coder": [
    '<tool_call>\n<function=get_order>\n<parameter=id>\n7\n</parameter>\n</function>\n</tool_call>',
    { calls: [call] },
  ],
  'a call of Llama as a function': ['<function=get_order>{"id": 7}</function>', { calls: [call] }],
  'a call of Llama behind its tag': [
    '<|python_tag|>{"name": "get_order", "parameters": {"id": 7}}',
    { calls: [call] },
  ],
  'calls of Mistral': ['[TOOL_CALLS][{"name": "get_order", "arguments": {"id": 7}}]', { calls: [call] }],
  'a call of newer Mistral': ['[TOOL_CALLS]get_order[ARGS]{"id": 7}', { calls: [call] }],
  'calls of Granite': ['<|tool_call|>[{"name":"get_order","arguments":{"id":7}}]', { calls: [call] }],
  'a call of DeepSeek': [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_order\n```json\n{"id": 7}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { calls: [call] },
  ],
  'a call of Kimi': [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_order:0<|tool_call_argument_begin|>{"id": 7}<|tool_call_end|><|tool_calls_section_end|>',
    { calls: [call] },
  ],
  'a call of GLM': [
    '<tool_call>get_order\n<arg_key>id</arg_key>\n<arg_value>7</arg_value>\n</tool_call>',
    { calls: [call] },
  ],
  'arguments as text': [
    '<tool_call>{"name":"get_order","arguments":"{\\"id\\":7}"}</tool_call>',
    { calls: [call] },
  ],
  'a call in a block of code': [
    'So:\n```\n<tool_call>{"name":"a","arguments":{}}</tool_call>\n```',
    { text: 'So:\n```\n<tool_call>{"name":"a","arguments":{}}</tool_call>\n```' },
  ],
}

describe('a text, whole and in pieces of any size', () => {
  for (const [name, [text, said]] of Object.entries(texts))
    test(name, () => {
      for (const size of [text.length, 1, 2, 3, 7])
        assert.deepEqual(read(text, size), { ...nothing, ...said }, `in pieces of ${size}`)
    })

  test('is read the same however it is cut', () => {
    const part = fc.constantFrom(
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '`',
      '```',
      '\n',
      'a',
      ' <',
      '{}',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (parts, size) => {
        const text = parts.join('')
        assert.deepEqual(read(text, size), read(text))
      }),
    )
  })

  test('without marks comes through unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        assert.equal(read(text, size).text, text)
      }),
    )
  })
})

describe('thoughts without their first mark', () => {
  test('are told by their end', () => {
    const reader = saidReader()
    assert.deepEqual(reader.feed('hm, so</think>\n\nHello.'), { ...nothing, text: 'hm, soHello.' })
    assert.equal(reader.hasBegunInThoughts, true)
  })

  test('are taken out when the answers are known to begin so', () => {
    const text = 'hm, so</think>\n\nHello.'
    for (const size of [1, 4, text.length])
      assert.deepEqual(read(text, size, true), { ...nothing, thoughts: 'hm, so', text: 'Hello.' })
  })

  test('are the answer when no end comes, and it is read as any other', () => {
    for (const [name, [text, said]] of Object.entries(texts))
      if (!text.includes('</think>')) assert.deepEqual(read(text, 2, true), { ...nothing, ...said }, name)
  })
})

test('calls are read in time that grows with their length', () => {
  for (const text of [
    'a'.repeat(16_000),
    'a{'.repeat(8000),
    'a.'.repeat(8000),
    'a{}"\\'.repeat(3200),
    `a${' '.repeat(16_000)}`,
    `a[ARGS]${' '.repeat(16_000)}`,
    'a {} '.repeat(3200),
    '<parameter=a>'.repeat(1200),
    `<function=a>${'<parameter=a>'.repeat(1200)}`,
    `a${'<arg_key></arg_key><arg_value>'.repeat(530)}`,
    `a${'<arg_key>'.repeat(1800)}`,
  ]) {
    const used = processorTime()
    rawCalls(text)
    assert.ok(used() < 100, text.slice(0, 40))
  }
  assert.deepEqual(rawCalls('['.repeat(100_000)), [])
})

test('what stands in the arguments of a call is no call', () => {
  assert.deepEqual(
    rawCalls('get_order[ARGS]{"id": "} drop {\\"a\\": 1}", "of": {"b": 2}}\nb[ARGS]{"c": 3}'),
    [
      { name: 'get_order', arguments: '{"id":"} drop {\\"a\\": 1}","of":{"b":2}}' },
      { name: 'b', arguments: '{"c":3}' },
    ],
  )
  assert.deepEqual(rawCalls('a[ARGS]{"x": {"y": 1}}[TOOL_CALLS]b[ARGS]{"c": 3}'), [
    { name: 'a', arguments: '{"x":{"y":1}}' },
    { name: 'b', arguments: '{"c":3}' },
  ])
})
