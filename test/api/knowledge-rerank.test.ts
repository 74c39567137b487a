import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { startApp, type TestAgent, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type Peer, startPeer } from '../support/peer.ts'

const SECRET = 'rerank-key-1234'

const PAGES = [
  ['Descaling', 'Descale a kettle with vinegar. The vinegar should be white.'],
  ['Vinegar', 'We sell vinegar in bottles.'],
  ['Returns', 'You may return a kettle within 30 days of delivery.'],
  ['Museum', 'There is a museum where a kettle is shown.'],
  ['Opening hours', 'We are open from nine to five.'],
] as const
const QUESTION = 'How do I descale a kettle with vinegar?'

async function fill(agent: TestAgent): Promise<TestAgent> {
  for (const [title, content] of PAGES) await agent.post('/knowledge', { title, content })
  return agent
}

async function search(agent: TestAgent, q = QUESTION) {
  const { status, body } = await agent.get(`/knowledge/search?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200)
  const data = body.data as { title: string; score: number; confidence: number; similarity: number | null }[]
  return { data, titles: data.map(({ title }) => title), verdict: body.verdict, threshold: body.threshold }
}

for (const engine of engines) {
  describe(`passages in the order of a reranking server on ${engine}`, () => {
    let app: TestApp
    let peer: Peer
    let model: ModelServer
    let embedding: EmbeddingServer
    /** A text in the passage that fits best; if no passage contains it, the order stays. */
    let favourite: string

    before(async () => {
      peer = await startPeer((response, { body }) => {
        const { documents } = JSON.parse(body)
        const results = documents.map((text: string, index: number) => ({
          index,
          relevance_score: text.includes(favourite) ? 1 : 0.5 / (index + 1),
        }))
        response.end(JSON.stringify({ results }))
      })
      model = await startModelServer()
      embedding = await startEmbeddingServer()
      app = await startApp(engine, {
        PARLEY_RERANK_URL: `${peer.url}/v1`,
        PARLEY_RERANK_API_KEY: SECRET,
        PARLEY_RERANK_MODEL: 'ranker',
      })
    })
    after(async () => {
      await app?.close()
      await Promise.all([peer, model, embedding].map((server) => server?.close()))
    })
    beforeEach(() => {
      favourite = 'no such words'
      peer.requests.length = 0
    })

    const sent = () => peer.requests.map(({ body }) => JSON.parse(body))

    it('an agent whose words are searched for, and the built-in answerer', async () => {
      const agent = await fill(await app.addAgent())
      const usual = await search(agent)
      assert.deepEqual([usual.titles[0], usual.verdict], ['Descaling', 'answer'])
      assert.ok(usual.titles.includes('Museum'))
      const [asked] = sent()
      assert.deepEqual([asked.model, asked.query, asked.top_n], ['ranker', QUESTION, asked.documents.length])
      assert.ok(asked.documents[0].startsWith('Descaling'))
      assert.equal(peer.requests[0]?.headers.authorization, `Bearer ${SECRET}`)
      favourite = 'museum'
      const found = await search(agent)
      const others = usual.titles.filter((title) => title !== 'Museum')
      assert.deepEqual(found.titles, ['Museum', ...others])
      assert.deepEqual(
        [found.verdict, found.data[0]?.score, found.data[0]?.confidence],
        ['answer', 1, usual.data[0]?.confidence],
      )
      const { choices, citations } = await agent.prompt(QUESTION)
      assert.match(choices[0].message.content, /museum/)
      assert.equal((citations as { title: string }[])[0]?.title, 'Museum')
    })

    it('an agent with vectors', async () => {
      const agent = await fill(await app.addAgent())
      await agent.patch('/agent', { embedding: { url: embedding.url, name: 'one' } })
      await becomes(async () => (await agent.get('/knowledge/embedding')).body.data.status, 'done')
      const usual = await search(agent, 'Wasserkocher zurückgeben')
      assert.equal(usual.titles[0], 'Returns')
      assert.ok(usual.data.every(({ similarity }) => similarity !== null))
      favourite = 'nine to five'
      const found = await search(agent, 'Wasserkocher zurückgeben')
      assert.deepEqual(found.titles, [
        'Opening hours',
        ...usual.titles.filter((title) => title !== 'Opening hours'),
      ])
    })

    it('fails: the order stays, the log says it once and without text, and the pause costs nothing', async () => {
      const lines: string[] = []
      const log = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) })
      await using failing = await startPeer((response, { body }) => {
        response.statusCode = 500
        response.end(
          JSON.stringify({ error: `cannot rank ${JSON.parse(body).query.slice(0, 18)} with ${SECRET}` }),
        )
      })
      const env = { PARLEY_RERANK_URL: failing.url, PARLEY_RERANK_API_KEY: SECRET }
      await using other = await startApp(engine, env, Date.now, pino({ level: 'info' }, log))
      await using plain = await startApp(engine)
      const agent = await fill(other.agent)
      const { data } = await search(await fill(plain.agent))
      assert.equal(data.length, 4)
      for (let n = 0; n < 3; n++) assert.deepEqual((await search(agent)).data, data)
      assert.equal(failing.requests.length, 1)
      const told = lines.filter((line) => line.includes('passages could not be reranked'))
      assert.equal(told.length, 1)
      const { reason, status, said } = JSON.parse(told[0] ?? '')
      assert.deepEqual([reason, status, said], ['status', 500, undefined])
      assert.ok(!lines.join().includes('descale') && !lines.join().includes(SECRET))
    })
  })
}
