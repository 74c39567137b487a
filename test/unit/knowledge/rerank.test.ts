import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { reranksPassages } from '../../../src/knowledge/search/rerank-passages.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import type { FoundPassage } from '../../../src/model/findings.ts'
import { ModelError } from '../../../src/model/model.ts'
import { openReranker } from '../../../src/model/reranker.ts'
import { type Peer, startPeer } from '../../support/peer.ts'

const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
after(() => outbound.close())

const openAt = (peer: Peer, name: string | null = null) =>
  openReranker({ url: `${peer.url}/v1/`, apiKey: 'rerank-key-1', name, trusted: true }, outbound)

const answers = (body: unknown, status = 200) => startPeer((response) => send(response, body, status))

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const CALL = { timeoutMs: 15_000 }

describe('openReranker', () => {
  for (const [shape, body] of [
    [
      'Cohere and Jina',
      {
        id: 'x',
        results: [
          { index: 2, relevance_score: 0.9, document: { text: 'c' } },
          { index: 0, relevance_score: 0.4 },
          { index: 1, relevance_score: -3.5 },
        ],
      },
    ],
    [
      'Text Embeddings Inference',
      [
        { index: 2, score: 0.9 },
        { index: 0, score: 0.4 },
        { index: 1, score: -3.5 },
      ],
    ],
  ] as const)
    it(`reads the scores of ${shape}, whatever their order`, async () => {
      await using peer = await answers(body)
      assert.deepEqual(await openAt(peer, 'm').rank(1, 'q', ['a', 'b', 'c'], CALL), [0.4, -3.5, 0.9])
      const [request] = peer.requests
      assert.deepEqual([request?.method, request?.path], ['POST', '/v1/rerank'])
      assert.equal(request?.headers.authorization, 'Bearer rerank-key-1')
      assert.deepEqual(JSON.parse(request?.body ?? ''), {
        model: 'm',
        query: 'q',
        documents: ['a', 'b', 'c'],
        top_n: 3,
      })
    })

  it('an address may end in /rerank, and a server of one model is sent no name', async () => {
    await using peer = await answers([{ index: 0, score: 1 }])
    const reranker = openReranker(
      { url: `${peer.url}/rerank`, apiKey: null, name: null, trusted: true },
      outbound,
    )
    await reranker.rank(1, 'q', ['a'], CALL)
    const [request] = peer.requests
    assert.equal(request?.path, '/rerank')
    assert.equal(request?.headers.authorization, undefined)
    assert.ok(!('model' in JSON.parse(request?.body ?? '')))
  })

  it('a server that takes only texts is asked in its form, from then on at once', async () => {
    await using peer = await startPeer((response, { body }) => {
      const { texts } = JSON.parse(body)
      if (!texts) return send(response, 'missing field `texts`', 422)
      send(
        response,
        texts.map((_: string, index: number) => ({ index, score: index })),
      )
    })
    const reranker = openAt(peer)
    for (let n = 0; n < 2; n++) assert.deepEqual(await reranker.rank(1, 'q', ['a', 'b'], CALL), [0, 1])
    assert.deepEqual(
      peer.requests.map(({ body }) => Object.keys(JSON.parse(body)).sort().join()),
      ['documents,query,top_n', 'query,texts,truncate', 'query,texts,truncate'],
    )
  })

  it('what a server refuses in both forms is told by its first answer, without texts and key', async () => {
    const question = 'Where is the zebra now?'
    await using peer = await startPeer((response, { body }) =>
      send(
        response,
        { message: 'texts' in JSON.parse(body) ? 'second' : `no model; rerank-key-1; ${question}` },
        400,
      ),
    )
    await assert.rejects(openAt(peer).rank(1, question, ['a'], CALL), (error: ModelError) => {
      assert.deepEqual([error.reason, error.status], ['status', 400])
      assert.equal(error.said?.message, 'no model; [key]; [text]?')
      return true
    })
  })

  const good = { index: 0, relevance_score: 0.5 }
  for (const [nonsense, body] of [
    ['no JSON', 'so be it'],
    ['another object', { data: [] }],
    ['null', 'null'],
    ['an index out of range', { results: [good, { index: 2, relevance_score: 0.4 }] }],
    ['a negative index', { results: [good, { index: -1, relevance_score: 0.4 }] }],
    ['an index that is no number', { results: [good, { index: '1', relevance_score: 0.4 }] }],
    ['half an index', { results: [good, { index: 0.5, relevance_score: 0.4 }] }],
    ['no index', { results: [good, { relevance_score: 0.4 }] }],
    ['one document twice', { results: [good, good] }],
    ['a document without a score', { results: [good] }],
    ['a score that is no number', { results: [good, { index: 1, relevance_score: '0.4' }] }],
    ['no score', [good, { index: 1 }]],
    ['more scores than documents', { results: [good, { index: 1, relevance_score: 1 }, good] }],
  ] as const)
    it(`refuses ${nonsense}`, async () => {
      await using peer = await answers(body)
      await assert.rejects(
        openAt(peer).rank(1, 'q', ['a', 'b'], CALL),
        (error) => error instanceof ModelError && error.reason === 'protocol',
      )
    })
})

describe('reranksPassages', () => {
  const passage = (id: number, confidence: number): FoundPassage => ({
    id,
    source: String(id),
    title: `Title ${id}`,
    url: null,
    heading: id === 1 ? 'Title 1 › Part' : 'Part',
    anchor: '',
    text: `Text ${id}`,
    score: 10 - id,
    coverage: confidence,
    confidence,
    similarity: null,
  })
  const AGENT = { id: 1, teamId: 1 }
  const passages = [passage(1, 0.8), passage(2, 0.3), passage(3, 0.1)]
  const ids = (found: readonly FoundPassage[] | null) => found?.map(({ id }) => id)
  const byIndex = (scores: readonly number[]) => scores.map((score, index) => ({ index, score }))

  it('puts them in the order of the scores, equals as they were; the first keeps the confidence', async () => {
    await using peer = await answers(byIndex([0.2, 0.2, 0.7]))
    const rerank = reranksPassages(
      async () => openAt(peer),
      (error) => assert.fail(String(error)),
    )
    const found = await rerank(AGENT, 'Where?', passages)
    assert.deepEqual(ids(found), [3, 1, 2])
    assert.deepEqual(
      found?.map(({ score, confidence, coverage }) => [score, confidence, coverage]),
      [
        [0.7, 0.8, 0.1],
        [0.2, 0.8, 0.8],
        [0.2, 0.3, 0.3],
      ],
    )
    const { query, documents } = JSON.parse(peer.requests[0]?.body ?? '')
    assert.equal(query, 'Where?')
    assert.deepEqual(documents.slice(0, 2), ['Title 1 › Part\nText 1', 'Title 2 › Part\nText 2'])
  })

  it('asks nobody about the order of one', async () => {
    await using peer = await answers([])
    const rerank = reranksPassages(
      async () => openAt(peer),
      (error) => assert.fail(String(error)),
    )
    for (const few of [[], [passage(1, 1)]]) assert.equal(await rerank(AGENT, 'Where?', few), null)
    assert.equal(peer.requests.length, 0)
  })

  it('leaves a server that fails alone for five seconds, and tells it once', async () => {
    let fails = true
    await using peer = await startPeer((response) =>
      fails ? send(response, {}, 503) : send(response, byIndex([1, 2, 3])),
    )
    const told: unknown[] = []
    let now = 0
    const rerank = reranksPassages(
      async () => openAt(peer),
      (error) => told.push(error),
      () => now,
    )
    assert.deepEqual(await Promise.all([rerank(AGENT, 'a', passages), rerank(AGENT, 'b', passages)]), [
      null,
      null,
    ])
    const asked = peer.requests.length
    fails = false
    now = 4999
    assert.equal(await rerank(AGENT, 'c', passages), null)
    assert.equal(peer.requests.length, asked)
    now = 5000
    assert.deepEqual(ids(await rerank(AGENT, 'd', passages)), [3, 2, 1])
    assert.equal(told.length, 1)
  })

  it('waits two seconds for a server at most', { timeout: 30_000 }, async () => {
    await using peer = await startPeer(() => {})
    const told: ModelError[] = []
    const rerank = reranksPassages(
      async () => openAt(peer),
      (error) => told.push(error as ModelError),
    )
    assert.equal(await rerank(AGENT, 'a', passages), null)
    assert.deepEqual(
      told.map(({ reason }) => reason),
      ['timeout'],
    )
  })
})
