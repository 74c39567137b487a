import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { EMBEDDINGS } from '../../src/knowledge/vectors/embedding-store.ts'
import { startApp, type TestAgent, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'

/** Polls a condition, and returns its first truthy result. @throws after 90 seconds */
async function until<T>(what: string, condition: () => Promise<T | null | false>): Promise<T> {
  for (const end = Date.now() + 90_000; Date.now() < end; await wait(20)) {
    const met = await condition()
    if (met) return met
  }
  throw new Error(`it did not come about: ${what}`)
}

const SECRET = 'embedding-key-1234'

for (const engine of engines) {
  describe(`/knowledge/embedding on ${engine}`, () => {
    let app: TestApp
    let server: EmbeddingServer

    before(async () => {
      app = await startApp(engine)
    })
    after(() => app?.close())
    beforeEach(async () => {
      await server?.close()
      server = await startEmbeddingServer()
    })
    after(() => server?.close())

    const PAGES = [
      ['Returns', 'You may return a kettle within 30 days of delivery.'],
      ['Parking', 'There is room for your car in the garage behind the bakery.'],
      ['Opening hours', 'We are open from nine to five.'],
    ]

    async function addAgent(embedding: object = {}): Promise<TestAgent> {
      const agent = await app.addAgent()
      for (const [title, content] of PAGES) await agent.post('/knowledge', { title, content })
      const set = { url: server.url, api_key: SECRET, name: 'one', ...embedding }
      assert.equal((await agent.patch('/agent', { embedding: set })).status, 200)
      return agent
    }

    const progress = async (agent: TestAgent) => (await agent.get('/knowledge/embedding')).body.data

    const untilStatus = (agent: TestAgent, status: string) =>
      until(`the status is ${status}`, async () => {
        const now = await progress(agent)
        return now.status === status ? now : null
      })

    const search = async (agent: TestAgent, q: string) =>
      (await agent.get(`/knowledge/search?q=${encodeURIComponent(q)}`)).body.data as {
        title: string
        similarity: number | null
        coverage: number
      }[]

    it('200: off without a server; nothing is asked', async () => {
      const agent = await app.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: 'Within 30 days.' })
      const told = await progress(agent)
      assert.deepEqual([told.status, told.model, told.embedded], ['off', null, 0])
      assert.deepEqual((await search(agent, 'days'))[0]?.similarity, null)
    })

    it('every passage gets a vector, and a question in another language is answered', async () => {
      const agent = await addAgent()
      const told = await untilStatus(agent, 'done')
      assert.deepEqual(
        [told.model, told.dimension, told.next_model, told.passages, told.embedded, told.error],
        ['one', 64, null, 3, 3, null],
      )
      assert.ok(told.tokens >= 3)
      assert.equal(server.requests[0]?.headers.authorization, `Bearer ${SECRET}`)
      const question = 'Wo ist der Parkplatz für mein Auto?'
      assert.equal((await search(agent, question))[0]?.title, 'Parking')
      const { choices, citations } = await agent.prompt(question)
      assert.match(choices[0].message.content, /garage behind the bakery/)
      assert.equal((citations as { title: string }[])[0]?.title, 'Parking')
    })

    it('a document that is added, edited and removed is found by its present meaning alone', async () => {
      const agent = await addAgent()
      await untilStatus(agent, 'done')
      const { body } = await agent.post('/knowledge', {
        title: 'Animals',
        content: 'Every dog is welcome here.',
      })
      await until(
        'it is found by its meaning',
        async () => (await search(agent, 'Hund'))[0]?.title === 'Animals',
      )
      await agent.patch(`/knowledge/${body.data.id}`, { text: 'Delivery is free.', title: 'Free' })
      await until('the new text is found', async () => (await search(agent, 'Versand'))[0]?.title === 'Free')
      const { db } = app.app.foundation.database
      const vectors = async () =>
        Number(
          (
            await sql<{
              n: number
            }>`select count(*) as n from knowledge_vectors where agent_id = ${agent.agentId}`.execute(db)
          ).rows[0]?.n,
        )
      assert.equal(await vectors(), 4)
      await agent.call('DELETE', `/knowledge/${body.data.id}`)
      assert.equal(await vectors(), 3)
      assert.ok((await search(agent, 'Versand')).every(({ title }) => title !== 'Free'))
    })

    it('a change of the model embeds all again while the vectors of the old one serve', async () => {
      const agent = await addAgent()
      await untilStatus(agent, 'done')
      server.dimensions = { two: 96 }
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = server.requests.length
      server.gate = promise
      await agent.patch('/agent', { embedding: { name: 'two' } })
      await server.arrived(before + 1)
      const [found, working] = [search(agent, 'Hunde im Auto'), await progress(agent)]
      assert.deepEqual([working.status, working.model, working.dimension], ['working', 'one', 64])
      resolve()
      assert.ok((await found).some(({ similarity }) => similarity !== null))
      const done = await untilStatus(agent, 'done')
      assert.deepEqual([done.model, done.dimension, done.embedded], ['two', 96, 3])
      assert.equal((await search(agent, 'Parkplatz'))[0]?.title, 'Parking')
      const { db } = app.app.foundation.database
      await until('the old vectors are gone', async () => {
        const { rows } = await sql<{ model: string }>`
          select distinct model from knowledge_vectors where agent_id = ${agent.agentId}`.execute(db)
        return rows.length === 1 && rows[0]?.model === 'two'
      })
    })

    it('a change of the model has no other agent looked at', async () => {
      const [one, other] = [await addAgent(), await addAgent()]
      await untilStatus(one, 'done')
      await untilStatus(other, 'done')
      const { db } = app.app.foundation.database
      const rowOf = ({ agentId }: TestAgent) =>
        db
          .selectFrom('knowledge_embeddings')
          .select(['lease', 'due_at'])
          .where('agent_id', '=', agentId)
          .executeTakeFirstOrThrow()
      const settled = (agent: TestAgent) =>
        until('it is settled', async () => {
          const row = await rowOf(agent)
          return row.due_at === null && row
        })
      const before = await settled(other)
      await settled(one)
      await one.patch('/agent', { embedding: { name: 'two' } })
      await until('the new model serves', async () => {
        const { status, model } = await progress(one)
        return status === 'done' && model === 'two'
      })
      assert.deepEqual(await rowOf(other), before)
    })

    it('a server that fails is told of and asked again; words are found meanwhile', async () => {
      server.failure = { status: 500, body: `{"error": {"message": "no memory for ${SECRET}"}}` }
      const agent = await addAgent()
      const told = await untilStatus(agent, 'failing')
      assert.match(told.error, /status 500: no memory for \[key\]/)
      const said = 'no memory for [key]'
      assert.deepEqual(told.why, {
        code: 'status_said',
        values: { server: 'embedding server', status: '500', said },
      })
      assert.ok(told.failed_at && told.next_try_at)
      assert.equal((await search(agent, 'return a kettle'))[0]?.title, 'Returns')
      server.failure = null
      // Saved settings are tried at once, however long the pause between attempts has grown.
      await agent.patch('/agent', { embedding: { name: 'one' } })
      await untilStatus(agent, 'done')
    })

    it('a server that has refused its key for long is asked once an hour', async () => {
      server.failure = { status: 401 }
      const agent = await addAgent()
      await untilStatus(agent, 'failing')
      const { db, wakeUps } = app.app.foundation.database
      const rows = () =>
        db.selectFrom('knowledge_embeddings').selectAll().where('agent_id', '=', agent.agentId)
      await db
        .updateTable('knowledge_embeddings')
        .set({ attempts: 20, waits: 20, due_at: '2020-01-01T00:00:00.000Z' })
        .where('agent_id', '=', agent.agentId)
        .execute()
      wakeUps.send(EMBEDDINGS)
      const { due_at, parked_at } = await until('it is asked again', async () => {
        const row = await rows().executeTakeFirstOrThrow()
        return row.attempts === 21 ? row : null
      })
      const minutes = (Date.parse(due_at ?? '') - Date.now()) / 60_000
      assert.ok(minutes > 55 && minutes <= 60, `after ${minutes} minutes`)
      assert.equal(parked_at, null)
    })

    it('a question that cannot be embedded is answered by its words', async () => {
      const agent = await addAgent()
      await untilStatus(agent, 'done')
      const onlyWords = async (content: string) =>
        (await agent.post('/playground', { messages: [{ role: 'user', content }] })).body.data.trace
          .only_words
      assert.equal(await onlyWords('a dog'), null)
      for (const failure of [{ status: 503 }, { status: 200, body: 'no JSON' }] as const) {
        server.failure = failure
        const [best] = await search(agent, 'return a kettle')
        assert.deepEqual([best?.title, best?.similarity], ['Returns', null])
        assert.equal(await onlyWords('return a teapot'), 'server_failed', 'and the playground tells it')
      }
    })

    it('another dimension under the same name is told, and all is embedded again', async () => {
      const agent = await addAgent()
      await untilStatus(agent, 'done')
      server.dimensions = { one: 80 }
      assert.equal((await search(agent, 'return a kettle'))[0]?.title, 'Returns')
      await until('the new dimension serves', async () => {
        const { status, dimension } = await progress(agent)
        return status === 'done' && dimension === 80
      })
      assert.equal((await search(agent, 'Wasserkocher zurückgeben'))[0]?.title, 'Returns')
    })

    it('a passage that the server does not take is skipped, and the others are not', async () => {
      server.refuses = (text) => text.includes('bakery')
      const agent = await addAgent()
      const told = await untilStatus(agent, 'done')
      assert.deepEqual([told.embedded, told.skipped, told.passages], [2, 1, 3])
      assert.equal((await search(agent, 'bakery'))[0]?.title, 'Parking')
      const { data } = (await agent.get('/knowledge?per_page=100')).body
      const parking = data.find(({ title }: { title: string }) => title === 'Parking')
      assert.equal((await agent.call('DELETE', `/knowledge/${parking.id}`)).status, 204)
      await until('a passage that is gone is skipped no more', async () => {
        const { status, embedded, skipped, passages } = await progress(agent)
        return status === 'done' && embedded === 2 && skipped === 0 && passages === 2
      })
    })

    it('of a passage that is too long for the server its beginning is embedded', async () => {
      server.refuses = (text) => text.length > 600
      const agent = await addAgent()
      const content = `A dog is welcome. ${'And so on and on it goes. '.repeat(50)}`
      await agent.post('/knowledge', { title: 'Animals', content })
      await until('it is found', async () => (await search(agent, 'Hund'))[0]?.title === 'Animals')
      assert.equal((await untilStatus(agent, 'done')).skipped, 0)
    })

    it('the key goes to no other server, and no vectors of another server are compared', async () => {
      const agent = await addAgent()
      await untilStatus(agent, 'done')
      await using other = await startEmbeddingServer()
      await agent.patch('/agent', { embedding: { url: other.url } })
      const texts = () => other.requests.flatMap(({ input }) => input)
      for (const words of ['kettle', 'bakery'])
        await until(`${words} is embedded again`, async () => texts().some((one) => one.includes(words)))
      await until('all is done', async () => (await progress(agent)).status === 'done')
      assert.ok(other.requests.every(({ headers }) => headers.authorization === undefined))
    })

    it('deleted with the agent', async () => {
      const agent = await addAgent()
      await untilStatus(agent, 'done')
      assert.equal((await agent.post('/pause', {})).status, 200)
      assert.equal((await agent.call('DELETE', `/agents/${agent.agentId}`)).status, 202)
      const { db } = app.app.foundation.database
      await until('nothing is left', async () => {
        const { rows } = await sql<{ n: number }>`
          select (select count(*) from knowledge_vectors where agent_id = ${agent.agentId}) +
            (select count(*) from knowledge_embeddings where agent_id = ${agent.agentId}) as n`.execute(db)
        return Number(rows[0]?.n) === 0
      })
    })
  })
}
