import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toolCallDeltas } from '../../../src/model/tool-call-deltas.ts'
import { collectAnswer } from '../../../src/turns/answer/collect-answer.ts'

/** A call in a piece of a stream: number, id, name and arguments, as a server sends them. */
const call = (index: unknown, id: unknown, name: unknown, args: unknown) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
})
const two: [name: string, args: string][] = [
  ['weather', '{"city":"Oslo"}'],
  ['time', '{"zone":"CET"}'],
]

const streams: Record<string, unknown[][]> = {
  'as OpenAI sends them': [
    [call(0, 'a', 'weather', '')],
    [call(0, undefined, undefined, '{"city":')],
    [call(0, undefined, undefined, '"Oslo"}')],
    [call(1, 'b', 'time', '')],
    [call(1, undefined, undefined, '{"zone":"CET"}')],
  ],
  'with one number and two ids': [
    [call(0, 'a', 'weather', '{"city":"Oslo"}')],
    [call(0, 'b', 'time', '{"zone":"CET"}')],
  ],
  'with one number and no ids': [
    [call(0, '', 'weather', '{"city":"Oslo"}')],
    [call(0, null, 'time', '{"zone":"CET"}')],
  ],
  'whole in one piece with one number': [
    [call(0, '', 'weather', '{"city":"Oslo"}'), call(0, '', 'time', '{"zone":"CET"}')],
  ],
  'without numbers': [
    [call(undefined, 'a', 'weather', '{"city":"Oslo"}')],
    [call(undefined, 'b', 'time', '{"zone":"CET"}')],
  ],
  'without numbers and ids': [
    [
      { function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      { function: { name: 'time', arguments: '{"zone":"CET"}' } },
    ],
  ],
  'with id and name in each piece': [
    [call(0, 'a', 'weather', '{"city":')],
    [call(0, 'a', 'weather', '"Oslo"}')],
    [call(0, 'a', 'weather', '')],
    [call(1, 'b', 'time', '{"zone":')],
    [call(1, 'b', 'time', '"CET"}')],
  ],
  'with a new id in each piece': [
    [call(0, 'a1', 'weather', '{"city":')],
    [call(0, 'a2', null, '"Oslo"}')],
    [call(1, 'b1', 'time', '{"zone":')],
    [call(1, 'b2', null, '"CET"}')],
  ],
  'with names in pieces': [
    [call(0, 'a', 'wea', '')],
    [call(0, null, 'ther', '{"city":"Oslo"}')],
    [call(1, 'b', 'time', '{"zone":"CET"}')],
  ],
  'with arguments as objects': [
    [call(0, 'a', 'weather', { city: 'Oslo' })],
    [call(1, 'b', 'time', { zone: 'CET' })],
  ],
  'numbered from one': [
    [call(1, 'a', 'weather', '{"city":"Oslo"}')],
    [call(2, 'b', 'time', '{"zone":"CET"}')],
  ],
}

describe('two calls in a stream', () => {
  for (const [name, pieces] of Object.entries(streams))
    test(name, () => {
      const deltas = toolCallDeltas()
      const collected = collectAnswer('m')
      for (const piece of pieces)
        collected.add({ delta: { tool_calls: deltas.read(piece) }, finish_reason: null, usage: null })
      const { tool_calls } = collected.answer()
      assert.deepEqual(
        tool_calls.map(({ function: called }) => [called.name, called.arguments]),
        two,
      )
      assert.equal(new Set(tool_calls.map(({ id }) => id)).size, 2, 'each has an id of its own')
      assert.ok(tool_calls.every(({ id }) => id !== ''))
    })
})
