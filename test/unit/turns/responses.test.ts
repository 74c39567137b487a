import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { ResponseStream } from 'openai/lib/responses/ResponseStream'
import { ApiError } from '../../../src/errors.ts'
import type { ModelPiece } from '../../../src/model/model.ts'
import { collectAnswer } from '../../../src/turns/answer/collect-answer.ts'
import { readResponsesPrompt, responsesRequest } from '../../../src/turns/responses/request.ts'
import { responseWriter } from '../../../src/turns/responses/response-writer.ts'

const texts = fc.constantFrom('', 'a', 'resp_1', '019d0000-0000-7000-8000-000000000000', '{"a":1}')
const part = fc.oneof(
  fc.record(
    { type: fc.constantFrom('input_text', 'output_text', 'text'), text: texts },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constant('refusal'), refusal: texts }),
  fc.record({ type: fc.constant('input_image'), image_url: fc.option(texts), detail: fc.option(texts) }),
  fc.record(
    { type: fc.constant('input_file'), file_data: texts, file_id: texts },
    { requiredKeys: ['type'] },
  ),
  fc.jsonValue(),
)
const content = fc.oneof(texts, fc.array(part, { maxLength: 3 }), fc.jsonValue())
const item = fc.oneof(
  fc.record(
    {
      type: fc.constant('message'),
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool'),
      content,
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record({ type: fc.constant('function_call'), call_id: texts, name: texts, arguments: texts }),
  fc.record({ type: fc.constant('function_call_output'), call_id: texts, output: content }),
  fc.record({ type: fc.constantFrom('reasoning', 'item_reference', 'x'), id: texts }),
  fc.jsonValue(),
)
const anything = fc.oneof(texts, fc.jsonValue(), fc.constant(null))
/** Fields as they may be, before some of them become anything. */
const fields = {
  input: fc.oneof(texts, fc.array(item, { minLength: 1, maxLength: 4 })),
  instructions: texts,
  tools: fc.array(fc.constant({ type: 'function', name: 'f', parameters: {} }), { maxLength: 2 }),
  tool_choice: fc.constantFrom('auto', 'none', { type: 'function', name: 'f' }),
  text: fc.constantFrom(
    { format: { type: 'text' } },
    { format: { type: 'json_schema', name: 'n', schema: {} } },
  ),
  reasoning: fc.record({ effort: texts }),
  metadata: fc.dictionary(fc.constantFrom('tags', 'external_id', 'a'), texts),
  conversation: fc.constant({ id: '019d0000-0000-7000-8000-000000000000' }),
  previous_response_id: texts,
  external_id: fc.constantFrom('a', 'b'),
  user: fc.constant('ada'),
  max_output_tokens: fc.integer({ min: 1 }),
  stream: fc.boolean(),
  include: fc.constant(['reasoning.encrypted_content']),
}
const names = Object.keys(fields) as (keyof typeof fields)[]
const body = fc
  .tuple(
    fc.record(fields),
    fc.uniqueArray(fc.constantFrom(...names), { maxLength: 12 }),
    fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 2 }),
  )
  .map(([whole, kept, spoiled]) => ({
    ...Object.fromEntries(['input' as const, ...kept].map((name) => [name, whole[name]])),
    ...spoiled,
  }))

it('a request is read, or refused with 400, whatever it holds', () => {
  let read = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: body }, fc.jsonValue()), (sent) => {
      const { data } = responsesRequest.safeParse(structuredClone(sent))
      if (!data) return
      try {
        const { messages, parameters } = readResponsesPrompt(data)
        assert.ok(messages.every(({ role, content }) => role === 'assistant' || content !== null))
        JSON.stringify(parameters)
        read++
      } catch (error) {
        assert.ok(error instanceof ApiError && error.status === 400, String(error))
      }
    }),
    { numRuns: 2000 },
  )
  assert.ok(read > 100, `only ${read} were read`)
})

it('clients may send null where they mean nothing', () => {
  const fields = Object.keys(responsesRequest.shape).filter((name) => name !== 'input')
  const nulls = Object.fromEntries(fields.map((name) => [name, null]))
  const tool = { type: 'function', name: 'f', description: null, parameters: null, strict: null }
  for (const more of [nulls, { tools: [tool] }, { text: { format: null }, reasoning: { effort: null } }])
    assert.deepEqual(readResponsesPrompt(responsesRequest.parse({ input: 'x', ...more })).messages, [
      { role: 'user', content: 'x' },
    ])
})

const delta = fc.oneof(
  fc.record({ content: fc.constantFrom('', 'one', ' two') }),
  fc.record({ refusal: fc.constantFrom('I ref', 'use.') }),
  fc.record({ role: fc.constant('assistant'), content: fc.constant('') }),
  fc.constantFrom(0, 1).map((index) => ({
    tool_calls: [{ index, id: `call_${index}`, function: { name: 'f', arguments: '{}' } }],
  })),
)
const finish = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls')

it('the official client puts the events of any answer together to the response at their end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(delta, { maxLength: 8 }),
      finish,
      fc.boolean(),
      async (deltas, reason, fails) => {
        const writer = responseWriter({})
        const collected = collectAnswer('m')
        const turn = {
          completionId: '019d0000-0000-7000-8000-000000000000',
          number: 1,
          conversationId: 'c',
          createdAt: '2026-11-20T19:31:05.123Z',
          model: 'm',
        }
        const events = writer.begin(turn)
        for (const given of deltas) {
          const piece: ModelPiece = { delta: given, finish_reason: null, usage: null }
          collected.add(piece)
          events.push(...writer.pieces([piece]))
        }
        const answer = { ...collected.answer(), finish_reason: reason }
        const ended = { ...turn, ...answer, messageId: 1, agentPaused: false, ctas: [] }
        const error = { message: 'm', type: 't', param: null, code: 'model_failed' }
        events.push(...(fails ? writer.fail({ error, request_id: 'r' }) : writer.end(ended)))
        const sent = events.map((event) => (typeof event === 'string' ? event : event.data))
        const told = sent.filter((data) => JSON.parse(data).type !== 'error')
        const last = JSON.parse(told.at(-1) ?? '').response
        // Without the last event, which has the whole.
        const before = told.slice(0, -1).map((data) => `${data}\n`)
        const put = await ResponseStream.fromReadableStream(
          new Response(before.join('')).body as never,
        ).finalResponse()
        const withoutParsed = (key: string, value: unknown) => (key.startsWith('parsed') ? undefined : value)
        assert.deepEqual(JSON.parse(JSON.stringify(put.output, withoutParsed)), last.output)
        if (fails) return
        const texts = last.output.flatMap(({ content = [] }) =>
          content.map((one: { text?: string }) => one.text ?? ''),
        )
        assert.equal(texts.join(''), answer.content ?? '')
      },
    ),
    { numRuns: 200 },
  )
})
