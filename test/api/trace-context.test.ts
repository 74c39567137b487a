import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type Peer, startPeer } from '../support/peer.ts'

const TRACE = '12345678901234567890123456789012'
const PARENT = '1234567890123456'
const VALID = `00-${TRACE}-${PARENT}-01`

type Headers = [name: string, value: string][]

/** Headers as they are sent, whether the trace in them is gone on with, and the tracestate that is passed on. */
type Request = [sent: Headers, outcome: 'continued' | 'begun', tracestate?: string | undefined]

const parents = (outcome: Request[1], ...values: string[]): Request[] =>
  values.map((value) => [[['traceparent', value]], outcome])
const states = (values: string[], tracestate?: string): Request => [
  [['traceparent', VALID], ...values.map((value): Headers[number] => ['tracestate', value])],
  'continued',
  tracestate,
]
const members = (count: number) =>
  Array.from({ length: count }, (_, index) => `bar${String(index).padStart(2, '0')}=${index}`)

const KEY = 'abcdefghijklmnopqrstuvwxyz0123456789_-*/'
const VALUE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))
  .filter((character) => !',='.includes(character))
  .join('')

/**
 * The cases of the W3C's test suite (github.com/w3c/trace-context, test/test.py) by its names for them, and the limit
 * of a value, which the suite leaves out.
 */
const cases: Record<string, Request[]> = {
  both_traceparent_and_tracestate_missing: [[[], 'begun']],
  traceparent_included_tracestate_missing: parents('continued', VALID),
  traceparent_duplicated: [
    [
      [
        ['traceparent', VALID],
        ['traceparent', VALID.replace(/12-/, '11-')],
      ],
      'begun',
    ],
  ],
  traceparent_header_name: [
    [[['trace-parent', VALID]], 'begun'],
    [[['trace.parent', VALID]], 'begun'],
  ],
  traceparent_header_name_valid_casing: [
    [[['TraceParent', VALID]], 'continued'],
    [[['TrAcEpArEnT', VALID]], 'continued'],
    [[['TRACEPARENT', VALID]], 'continued'],
  ],
  traceparent_version_0x00: parents('begun', `${VALID}.`, `${VALID}-what-the-future-will-be-like`),
  traceparent_version_0xcc: [
    ...parents('continued', `cc-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-01-what-comes`),
    ...parents('begun', `cc-${TRACE}-${PARENT}-01.what-comes`),
  ],
  traceparent_version_0xff: parents('begun', `ff-${TRACE}-${PARENT}-01`),
  traceparent_version_illegal_characters: parents(
    'begun',
    `.0-${TRACE}-${PARENT}-01`,
    `0.-${TRACE}-${PARENT}-01`,
  ),
  traceparent_version_too_long: parents('begun', `000-${TRACE}-${PARENT}-01`, `0000-${TRACE}-${PARENT}-01`),
  traceparent_version_too_short: parents('begun', `0-${TRACE}-${PARENT}-01`),
  traceparent_trace_id_all_zero: parents('begun', `00-${'0'.repeat(32)}-${PARENT}-01`),
  traceparent_trace_id_illegal_characters: parents(
    'begun',
    `00-.${TRACE.slice(1)}-${PARENT}-01`,
    `00-${TRACE.slice(0, -1)}.-${PARENT}-01`,
    `00-${'A'.repeat(32)}-${PARENT}-01`,
  ),
  traceparent_trace_id_too_long: parents('begun', `00-${TRACE}3-${PARENT}-01`),
  traceparent_trace_id_too_short: parents('begun', `00-${TRACE.slice(0, -1)}-${PARENT}-01`),
  traceparent_parent_id_all_zero: parents('begun', `00-${TRACE}-${'0'.repeat(16)}-01`),
  traceparent_parent_id_illegal_characters: parents(
    'begun',
    `00-${TRACE}-.${PARENT.slice(1)}-01`,
    `00-${TRACE}-${PARENT.slice(0, -1)}.-01`,
  ),
  traceparent_parent_id_too_long: parents('begun', `00-${TRACE}-${PARENT}7-01`),
  traceparent_parent_id_too_short: parents('begun', `00-${TRACE}-${PARENT.slice(0, -1)}-01`),
  traceparent_trace_flags_illegal_characters: parents(
    'begun',
    `00-${TRACE}-${PARENT}-.0`,
    `00-${TRACE}-${PARENT}-0.`,
  ),
  traceparent_trace_flags_too_long: parents('begun', `00-${TRACE}-${PARENT}-001`),
  traceparent_trace_flags_too_short: parents('begun', `00-${TRACE}-${PARENT}-1`),
  traceparent_ows_handling: parents(
    'continued',
    ` ${VALID}`,
    `\t${VALID}`,
    `${VALID} `,
    `${VALID}\t`,
    `\t ${VALID} \t`,
  ),
  tracestate_included_traceparent_missing: [
    [[['tracestate', 'foo=1']], 'begun'],
    [[['tracestate', 'foo=1,bar=2']], 'begun'],
  ],
  tracestate_included_traceparent_included: [states(['foo=1,bar=2'], 'foo=1,bar=2')],
  tracestate_header_name: [
    [
      [
        ['traceparent', VALID],
        ['trace-state', 'foo=1'],
      ],
      'continued',
    ],
    [
      [
        ['traceparent', VALID],
        ['trace.state', 'foo=1'],
      ],
      'continued',
    ],
  ],
  tracestate_header_name_valid_casing: ['TraceState', 'TrAcEsTaTe', 'TRACESTATE'].map((name) => [
    [
      ['traceparent', VALID],
      [name, 'foo=1'],
    ],
    'continued',
    'foo=1',
  ]),
  tracestate_empty_header: [states(['']), states(['foo=1', ''], 'foo=1'), states(['', 'foo=1'], 'foo=1')],
  tracestate_multiple_headers_different_keys: [
    states(['foo=1,bar=2', 'rojo=1,congo=2', 'baz=3'], 'foo=1,bar=2,rojo=1,congo=2,baz=3'),
  ],
  // One of a key is kept: the first, which is the newest.
  tracestate_duplicated_keys: [
    states(['foo=1,foo=1'], 'foo=1'),
    states(['foo=1,foo=2'], 'foo=1'),
    states(['foo=1', 'foo=1'], 'foo=1'),
    states(['foo=1', 'foo=2'], 'foo=1'),
  ],
  tracestate_all_allowed_characters: [
    states([`${KEY}=${VALUE}`], `${KEY}=${VALUE}`),
    states([`${KEY}@a-z0-9_-*/=${VALUE}`], `${KEY}@a-z0-9_-*/=${VALUE}`),
  ],
  tracestate_ows_handling: [
    states(['foo=1 \t , \t bar=2, \t baz=3'], 'foo=1,bar=2,baz=3'),
    states(['foo=1\t \t,\t \tbar=2,\t \tbaz=3'], 'foo=1,bar=2,baz=3'),
    ...[' foo=1', '\tfoo=1', 'foo=1 ', 'foo=1\t', '\t foo=1 \t'].map((value) => states([value], 'foo=1')),
  ],
  tracestate_key_illegal_characters: [states(['foo =1']), states(['FOO=1']), states(['foo.bar=1'])],
  tracestate_key_illegal_vendor_format: [
    // The suite is of level 1 here: level 2 takes `@` anywhere but at the beginning.
    states(['foo@=1,bar=2'], 'foo@=1,bar=2'),
    states(['@foo=1,bar=2']),
    states(['foo@@bar=1,bar=2'], 'foo@@bar=1,bar=2'),
    states(['foo@bar@baz=1,bar=2'], 'foo@bar@baz=1,bar=2'),
  ],
  tracestate_member_count_limit: [
    states([members(32).join(',')], members(32).join(',')),
    states([members(20).join(','), members(32).slice(20).join(',')], members(32).join(',')),
    states([members(33).join(',')]),
    states([members(20).join(','), members(33).slice(20).join(',')]),
  ],
  tracestate_key_length_limit: [
    states(['foo=1', `${'z'.repeat(256)}=1`], `foo=1,${'z'.repeat(256)}=1`),
    states(['foo=1', `${'z'.repeat(257)}=1`]),
    states(
      ['foo=1', `${'t'.repeat(241)}@${'v'.repeat(14)}=1`],
      `foo=1,${'t'.repeat(241)}@${'v'.repeat(14)}=1`,
    ),
    states(['foo=1', `${'t'.repeat(242)}@v=1`], `foo=1,${'t'.repeat(242)}@v=1`),
    states(['foo=1', `t@${'v'.repeat(15)}=1`], `foo=1,t@${'v'.repeat(15)}=1`),
  ],
  tracestate_value_length_limit: [
    states([`foo=${'v'.repeat(256)}`], `foo=${'v'.repeat(256)}`),
    states([`foo=${'v'.repeat(257)}`]),
  ],
  tracestate_value_illegal_characters: [states(['foo=bar=baz']), states(['foo=,bar=3'])],
}

/** The rest of the suite: one request that makes the service call three times. */
const several: Record<string, [Headers, 'continued' | 'begun']> = {
  multiple_requests_with_valid_traceparent: [[['traceparent', VALID]], 'continued'],
  multiple_requests_without_traceparent: [[], 'begun'],
  multiple_requests_with_illegal_traceparent: [
    [['traceparent', `00-${'0'.repeat(32)}-${PARENT}-01`]],
    'begun',
  ],
}

describe('W3C Trace Context over HTTP', () => {
  let service: TestApp
  let model: ModelServer
  let judge: Peer
  before(async () => {
    model = await startModelServer()
    judge = await startPeer((response) => response.end('{"score":0}'))
    service = await startApp('sqlite', { PARLEY_MODEL_URL: model.url })
  })
  after(() => Promise.all([service.close(), model.close(), judge.close()]))

  /** Sends a prompt with these very headers, some more than once and with blanks around. */
  async function prompt(agent: { headers: Record<string, string> }, headers: Headers): Promise<void> {
    const own = { ...agent.headers, host: 'parley.test', 'content-type': 'application/json' }
    const sent = request(`${service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: [...Object.entries(own), ...headers].flat(),
    })
    sent.end(JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    await once(answer.resume(), 'end')
  }

  function assertTrace(traceparent: unknown, outcome: 'continued' | 'begun'): void {
    const [, traceId, spanId] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-0[13]$/.exec(String(traceparent)) ?? assert.fail(String(traceparent))
    assert.equal(traceId === TRACE, outcome === 'continued')
    for (const id of [traceId, spanId]) assert.doesNotMatch(String(id), /^0+$/)
    assert.notEqual(spanId, PARENT)
  }

  for (const [name, requests] of Object.entries(cases)) {
    it(name, async () => {
      for (const [sent, outcome, tracestate] of requests) {
        model.reset()
        await prompt(service.agent, sent)
        const { headers } = await model.request(0)
        assertTrace(headers.traceparent, outcome)
        assert.equal(headers.tracestate, tracestate, JSON.stringify(sent))
      }
    })
  }

  for (const [name, [sent, outcome]] of Object.entries(several)) {
    it(name, async () => {
      const agent = await service.addAgent()
      for (const on of ['prompt', 'response']) {
        const settings = { url: judge.url }
        const made = await agent.post('/evaluators', { name: on, kind: 'webhook', settings })
        const evaluator_id = made.body.data.id
        await agent.post('/guardrails', { name: on, on, evaluator_id, action: 'flag' })
      }
      model.reset()
      judge.requests.length = 0
      await prompt(agent, sent)
      const calls = [...model.requests, ...judge.requests].map(({ headers }) => String(headers.traceparent))
      assert.equal(calls.length, 3)
      for (const traceparent of calls) assertTrace(traceparent, outcome)
      assert.equal(new Set(calls.map((traceparent) => traceparent.slice(3, 35))).size, 1)
      assert.equal(new Set(calls.map((traceparent) => traceparent.slice(36, 52))).size, 3)
    })
  }
})
