import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ModelError, type ModelPiece } from '../../../src/model/model.ts'
import { parseCompletion } from '../../../src/model/parse-answer.ts'
import { createStreamParser, piecesOfWhole } from '../../../src/model/parse-stream.ts'

const DONE = 'data: [DONE]\n\n'

describe('the form of an event stream', () => {
  const forms: Record<string, (json: string) => string> = {
    'LF line ends': (json) => `data: ${json}\n\ndata: [DONE]\n\n`,
    'CRLF line ends': (json) => `data: ${json}\r\n\r\ndata: [DONE]\r\n\r\n`,
    'CR line ends': (json) => `data: ${json}\r\rdata: [DONE]\r\r`,
    'no space after the colon': (json) => `data:${json}\n\ndata:[DONE]\n\n`,
    'a byte order mark': (json) => `\uFEFFdata: ${json}\n\ndata: [DONE]\n\n`,
    comments: (json) => `: waiting\n\n:\n\ndata: ${json}\n\n: waiting\n\ndata: [DONE]\n\n`,
    'other fields': (json) => `retry: 10\nid: 1\nevent: message\nx\ndata: ${json}\n\ndata: [DONE]\n\n`,
    'no blank line at the end': (json) => `data: ${json}\n\ndata: [DONE]`,
    'no [DONE] after a finish_reason': (json) => `data: ${json}\n\n`,
    'more after [DONE]': (json) =>
      `data: ${json}\n\ndata: [DONE]\n\ndata: {"choices":[{"delta":{"content":"!"}}]}\n\n`,
  }
  for (const [what, form] of Object.entries(forms)) {
    test(`may have ${what}`, () => {
      const stream = form(JSON.stringify(chunk({ content: 'héllo 👋' }, 'stop')))
      const expected = [{ delta: { content: 'héllo 👋' }, finish_reason: 'stop', usage: null }]
      assert.deepEqual(parse(stream), expected)
      for (const size of [1, 2, 3, 7]) assert.deepEqual(parse(stream, size), expected, `in pieces of ${size}`)
    })
  }

  test('does not matter in how many pieces the bytes come', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat({ max: 40 })), (texts, cuts) => {
        const stream =
          texts.map((content) => event(chunk({ content }))).join('') + event(chunk({}, 'stop')) + DONE
        const parser = createStreamParser()
        const pieces: ModelPiece[] = []
        let rest = Buffer.from(stream)
        for (const cut of cuts) {
          pieces.push(...parser.feed([rest.subarray(0, cut)]))
          rest = rest.subarray(cut)
        }
        pieces.push(...parser.feed([rest]), ...parser.end())
        assert.deepEqual(
          pieces.map((piece) => piece.delta.content),
          [...texts.map((content) => content.toWellFormed()), undefined],
        )
      }),
    )
  })
})

describe('the last piece', () => {
  test('carries the usage that comes in a chunk of its own', () => {
    const stream = events(chunk({ content: 'a' }), chunk({}, 'length'), { choices: [], usage: USAGE })
    assert.deepEqual(summary(stream + DONE), [
      ['a', null, null],
      [undefined, 'length', USAGE],
    ])
  })

  test('carries the usage that comes with it', () => {
    const stream = events(chunk({ content: 'a' }, 'stop', USAGE))
    assert.deepEqual(summary(stream + DONE), [['a', 'stop', USAGE]])
  })

  test('carries the last usage of a server that tells it all along', () => {
    const early = { ...USAGE, total_tokens: 1 }
    const stream = events(chunk({ content: 'a' }, null, early), chunk({}, 'stop', USAGE))
    assert.deepEqual(summary(stream + DONE), [
      ['a', null, null],
      [undefined, 'stop', USAGE],
    ])
  })

  test('is there as soon as the usage is', () => {
    const parser = createStreamParser()
    assert.deepEqual(parser.feed([Buffer.from(events(chunk({}, 'stop')))]), [])
    assert.deepEqual([parser.concluded, parser.finished], [true, false])
    assert.equal(parser.feed([Buffer.from(events({ choices: [], usage: USAGE }))]).length, 1)
    assert.equal(parser.finished, true)
  })

  test('is the last one of a server that goes on after its finish_reason', () => {
    const stream = events(
      chunk({ content: 'a' }, 'stop'),
      chunk({ content: 'b' }),
      chunk({ content: 'c' }, 'length'),
    )
    assert.deepEqual(summary(stream + DONE), [
      ['a', null, null],
      ['b', null, null],
      ['c', 'length', null],
    ])
  })

  test('keeps the finish_reason that came before it', () => {
    assert.deepEqual(summary(events(chunk({ content: 'a' }, 'length'), chunk({ content: 'b' })) + DONE), [
      ['a', null, null],
      ['b', 'length', null],
    ])
  })

  test('says stop when the server says only [DONE]', () => {
    assert.deepEqual(summary(events(chunk({ content: 'a' })) + DONE), [
      ['a', null, null],
      [undefined, 'stop', null],
    ])
  })

  test('says tool_calls when the server says only [DONE] after tool calls', () => {
    const stream = events(chunk({ tool_calls: [{ index: 0, id: 'c' }] })) + DONE
    assert.equal(parse(stream).at(-1)?.finish_reason, 'tool_calls')
  })

  test('is missed in a stream that ends early', () => {
    for (const stream of ['', events(chunk({ content: 'a' })), 'data: {"choices":[{"del']) {
      assert.throws(() => parse(stream), protocol)
    }
  })
})

describe('a piece', () => {
  test('keeps the fields of its delta that are unknown here', () => {
    const delta = { role: 'assistant', content: null, reasoning_content: 'hm', x: { y: [1] } }
    assert.deepEqual(parse(events(chunk(delta, 'stop')))[0]?.delta, delta)
  })

  test('may be the role alone, or nothing', () => {
    const stream = events(chunk({ role: 'assistant' }), { choices: [{}] }, { choices: [{ delta: null }] })
    assert.deepEqual(
      parse(stream + DONE).map((piece) => piece.delta),
      [{ role: 'assistant' }, {}, {}, {}],
    )
  })

  test('is of the first choice only', () => {
    const second = { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'length' }] }
    assert.deepEqual(summary(events(second, chunk({ content: 'yes' }, 'stop'))), [['yes', 'stop', null]])
  })

  test('takes an empty finish_reason for none', () => {
    const stream = events(chunk({ content: 'a' }, ''), chunk({}, 'stop'))
    assert.equal(parse(stream)[0]?.finish_reason, null)
  })

  test('numbers tool calls whose server does not', () => {
    const call = (id: string | null, index?: number | null) =>
      chunk({ tool_calls: [{ ...(id !== null && { id }), ...(index !== undefined && { index }) }] })
    const indexes = (...chunks: object[]) =>
      parse(events(...chunks) + DONE).flatMap(
        (piece) => piece.delta.tool_calls?.map(({ index }) => index) ?? [],
      )
    assert.deepEqual(indexes(call('a'), call(null), call('b'), call('b'), call(null)), [0, 0, 1, 1, 1])
    assert.deepEqual(indexes(call('a', 0), call(null, 0), call('b', 1), call(null, null)), [0, 0, 1, 1])
    assert.deepEqual(indexes(call(null)), [0])
    assert.deepEqual(indexes(chunk({ tool_calls: [{ id: 'a' }, { id: 'b' }] })), [0, 1])
    // A list with that place in it takes a minute to look through.
    assert.deepEqual(indexes(call('a', 1e9), call('b', -1), call('c'), call(null, 1e9)), [0, 1, 2, 0])
  })

  test('has the arguments of a tool call as text', () => {
    const named = (given: unknown) =>
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: given } }] })
    const [piece] = parse(events(named({ x: 1 })) + DONE)
    assert.deepEqual(piece?.delta.tool_calls?.[0]?.function, { name: 'f', arguments: '{"x":1}' })
  })

  test('leaves out a null list of tool calls', () => {
    assert.deepEqual(parse(events(chunk({ content: 'a', tool_calls: null }, 'stop')))[0]?.delta, {
      content: 'a',
    })
  })

  test('joins content that comes in parts', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'other' }, { type: 'text', text: 'b' }]
    assert.deepEqual(parse(events(chunk({ content }, 'stop')))[0]?.delta, { content: 'ab' })
  })

  test('tells the citations in its annotations', () => {
    const annotations = [{ type: 'url_citation', url_citation: { title: 'T', url: 'https://e.org/' } }]
    const [piece] = parse(events(chunk({ annotations }, 'stop')))
    assert.deepEqual(piece?.citations, [{ title: 'T', url: 'https://e.org/', snippet: '' }])
  })
})

describe('a stream is refused', () => {
  for (const [what, stream] of Object.entries({
    'for an error object': 'data: {"error":{"message":"no"}}\n\n',
    'for an error event': 'event: error\ndata: {"error":"no","choices":[]}\n\n',
    'for text that is not JSON': 'data: no\n\n',
    'for JSON that is no object': 'data: 7\n\n',
    'without any choice': DONE,
  })) {
    test(what, () =>
      assert.throws(
        () => parse(events(chunk({ content: 'a' })).repeat(+(stream !== DONE)) + stream),
        protocol,
      ),
    )
  }

  test('for an event without end', () => {
    const parser = createStreamParser()
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    parser.feed([Buffer.from('data: ')])
    assert.throws(() => {
      for (let n = 0; n <= 4; n++) parser.feed([megabyte])
    }, protocol)
  })

  test('with a ModelError, whatever JSON it holds', () => {
    const json = fc.jsonValue()
    const shape = fc.record(
      {
        choices: fc.oneof(
          json,
          fc.array(fc.oneof(json, fc.record({ index: json, delta: json, message: json }))),
        ),
        usage: json,
        model: json,
      },
      { requiredKeys: [] },
    )
    const delta = fc.record({ content: json, tool_calls: fc.array(json), annotations: fc.array(json) })
    const call = fc.record({ index: json, id: json, function: json })
    const calls = fc.array(fc.oneof(call, json)).map((tool_calls) => ({ tool_calls }))
    const annotations = fc.array(fc.record({ url_citation: json })).map((annotations) => ({ annotations }))
    const chunks = fc.oneof(
      shape,
      fc.oneof(delta, calls, annotations).map((given) => chunk(given)),
    )
    fc.assert(
      fc.property(fc.array(chunks, { maxLength: 3 }), (given) => {
        for (const read of [
          () => parse(events(...given) + DONE),
          () => piecesOfWhole(parseCompletion(JSON.stringify(given[0] ?? 0))),
        ]) {
          try {
            read()
          } catch (error) {
            if (!protocol(error)) throw error
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('but not for an error that is null', () => {
    assert.equal(parse(events({ ...chunk({ content: 'a' }, 'stop'), error: null })).length, 1)
  })
})

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }

function chunk(delta: object, finish_reason: string | null = null, usage: object | null = null) {
  return { choices: [{ index: 0, delta, finish_reason }], usage }
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const events = (...data: object[]) => data.map(event).join('')

function parse(stream: string, size = Number.POSITIVE_INFINITY): ModelPiece[] {
  const parser = createStreamParser()
  const bytes = Buffer.from(stream)
  const pieces: ModelPiece[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(...parser.feed([bytes.subarray(at, at + size)]))
  return [...pieces, ...parser.end()]
}

function summary(stream: string) {
  return parse(stream).map(({ delta, finish_reason, usage }) => [delta.content, finish_reason, usage])
}

function protocol(error: unknown): boolean {
  return error instanceof ModelError && error.reason === 'protocol'
}
