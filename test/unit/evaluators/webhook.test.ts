import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { costOf } from '../../../src/evaluators/create-evaluators.ts'
import { createOutbound, type Outbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { type Peer, startPeer } from '../../support/peer.ts'
import { agent, evaluate, evaluatorRow } from './judge.ts'

describe('webhook', () => {
  let peer: Peer
  let outbound: Outbound
  let respond: (response: ServerResponse) => void
  const hook = (settings = {}) => evaluatorRow('webhook', { url: `${peer.url}/judge`, ...settings })
  const judge = (evaluator = hook(), around = {}) =>
    evaluate(evaluator, 'How are you?', { outbound, ...around })
  const failed = (reason: string) => ({
    score: null,
    passed: false,
    content: null,
    error: { code: 'evaluator_failed', reason, evaluator_id: 1 },
  })

  before(async () => {
    peer = await startPeer((response) => respond(response))
    outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
  })
  after(async () => {
    await Promise.all([outbound.close(), peer.close()])
  })
  beforeEach(() => {
    peer.requests.length = 0
    respond = (response) => response.end('{"score": 1}')
  })

  it('is told the text and what it belongs to', async () => {
    await judge(hook(), { facts: { 'response.text': 'Fine.' } })
    const [request] = peer.requests
    assert.deepEqual([request?.method, request?.path], ['POST', '/judge'])
    assert.equal(request?.headers['content-type'], 'application/json')
    assert.equal(request?.headers['x-webhook-signature'], undefined)
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      evaluator: { id: 1, name: 'An evaluator' },
      agent: { id: agent.id, name: agent.name },
      text: 'How are you?',
      prompt: 'How are you?',
      response: 'Fine.',
    })
    assert.equal(costOf(hook()), 'costly')
  })

  it('signs with its secret', async () => {
    await judge(hook({ secret: 'between us' }))
    const [request] = peer.requests
    const timestamp = request?.headers['x-webhook-timestamp']
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60)
    const mac = createHmac('sha256', 'between us').update(`${timestamp}.${request?.body}`).digest('hex')
    assert.equal(request?.headers['x-webhook-signature'], `sha256=${mac}`)
    assert.ok(
      new Webhook(btoa('between us')).verify(request?.body ?? '', request?.headers as Record<string, string>),
    )
  })

  for (const [answer, expected] of [
    ['{"score": 0.75, "reason": "good"}', { score: 0.75, passed: true, content: 'good' }],
    ['{"score": 0.25}', { score: 0.25, passed: false, content: null }],
    ['{"passed": true, "reason": null}', { score: 1, passed: true, content: null }],
    ['{"passed": false, "reason": "bad", "more": 1}', { score: 0, passed: false, content: 'bad' }],
    ['{"score": 0, "passed": true}', { score: 0, passed: false, content: null }],
    [`{"score": 1, "reason": "${'x'.repeat(3000)}"}`, { score: 1, passed: true, content: 'x'.repeat(2000) }],
  ] as const) {
    it(`reads ${answer.slice(0, 50)}`, async () => {
      respond = (response) => response.end(answer)
      assert.deepEqual(await judge(), expected)
    })
  }

  const end = (text: string) => (response: ServerResponse) => response.end(text)
  for (const [name, answer, reason] of [
    ['nothing', end(''), 'bad_answer'],
    ['no JSON', end('yes'), 'bad_answer'],
    ['no verdict', end('{}'), 'bad_answer'],
    ['a score that is none', end('{"score": 2}'), 'bad_answer'],
    ['a score in words', end('{"score": "1"}'), 'bad_answer'],
    ['passed in words', end('{"passed": "yes"}'), 'bad_answer'],
    ['too much', end(`{"score": 1, "reason": "${'x'.repeat(70_000)}"}`), 'bad_answer'],
    ['an error', (response) => response.writeHead(500).end('{"score": 1}'), 'status'],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'status'],
    ['a cut connection', (response) => response.destroy(), 'unreachable'],
  ] as [string, (response: ServerResponse) => void, string][]) {
    it(`fails on ${name}: ${reason}`, async () => {
      respond = answer
      assert.deepEqual(await judge(), failed(reason))
      assert.equal(peer.requests.length, 1)
    })
  }

  it('fails after five seconds of silence', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const asked = Promise.withResolvers<void>()
    respond = () => asked.resolve()
    const judged = judge()
    await asked.promise
    context.mock.timers.tick(5000)
    assert.deepEqual(await judged, failed('timeout'))
  })

  it('fails when the address may not be called', async () => {
    const guarded = createOutbound({ privateTargets: parsePrivateTargets('') })
    assert.deepEqual(await judge(hook(), { outbound: guarded }), failed('blocked'))
    assert.equal(peer.requests.length, 0)
    await guarded.close()
  })

  it('stops when whoever asked goes away', async () => {
    const asked = Promise.withResolvers<void>()
    respond = () => asked.resolve()
    const gone = new AbortController()
    const judged = judge(hook(), { signal: gone.signal })
    await asked.promise
    const left = performance.now()
    gone.abort()
    await assert.rejects(judged, { name: 'AbortError' })
    assert.ok(performance.now() - left < 4000, 'it waited for the time limit')
  })
})
