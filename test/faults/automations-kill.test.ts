import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawing } from '../support/chance.ts'
import { engines } from '../support/databases.ts'
import { startPeer } from '../support/peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const PROMPTS = 5
const NOTES = ['before', 'between', 'after']

interface Outcome {
  id: string
  conversation_id: string
  automations: { status: string }[]
}

for (const engine of engines) {
  // On PostgreSQL a round takes a few seconds, until the jobs of the killed process are free.
  const ROUNDS = engine === 'sqlite' ? 4 : 2

  describe(`kill -9 between the actions of automations, on ${engine}`, () => {
    it(`${ROUNDS} rounds: what is in the database is done once, a webhook is called at most once, and all end`, async () => {
      const draw = drawing()
      const held: (() => void)[] = []
      const neverAnswered = new Set<string>()
      let hold = { path: '', until: 0, reached: Promise.withResolvers<void>() }
      await using peer = await startPeer((response, { path, body }) => {
        if (path !== hold.path) return void response.end()
        neverAnswered.add(JSON.parse(body).completion.id)
        held.push(() => response.destroy())
        if (held.length === hold.until) hold.reached.resolve()
      })
      const calls = (path: string, completion: string) =>
        peer.requests.filter(
          (request) => request.path === path && JSON.parse(request.body).completion.id === completion,
        ).length
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database, { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
      let service = await startService(env)
      const agentOf = firstAgentOf(service)
      const [before, between, after] = NOTES.map((text) => ({ type: 'add_note', text }))
      const [first, second] = ['/first', '/second'].map((path) => ({
        type: 'call_webhook',
        url: peer.url + path,
      }))
      const actions = [before, first, between, second, after]
      const made = await agentOf(service).post('/automations', { name: 'Five steps', actions })
      assert.equal(made.status, 201, made.text)

      for (let round = 0; round < ROUNDS; round++) {
        // Each round is killed at another webhook, with another number of automations at it.
        hold = {
          path: round % 2 === 0 ? '/first' : '/second',
          until: draw(1, PROMPTS),
          reached: Promise.withResolvers<void>(),
        }
        const agent = agentOf(service)
        for (let prompt = 0; prompt < PROMPTS; prompt++) await agent.prompt(`round ${round} prompt ${prompt}`)
        await hold.reached.promise
        const { signal } = await service.end('SIGKILL')
        assert.equal(signal, 'SIGKILL')
        hold = { ...hold, path: '' }
        for (const release of held.splice(0)) release()
        service = await startService(env)
      }

      const agent = agentOf(service)
      let outcomes: Outcome[] = []
      while (
        outcomes.length < ROUNDS * PROMPTS ||
        outcomes.some(({ automations }) => automations.length === 0)
      ) {
        outcomes = (await agent.get('/chat/completions?per_page=100')).body.data
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      for (const { id, conversation_id, automations } of outcomes) {
        const [{ status } = { status: 'none' }, ...others] = automations
        assert.deepEqual(others, [])
        const notes = (await agent.get(`/conversations/${conversation_id}/notes`)).body.data
        assert.deepEqual(notes.map(({ text }: { text: string }) => text).toSorted(), NOTES.toSorted())
        for (const path of ['/first', '/second']) {
          if (status === 'succeeded') assert.equal(calls(path, id), 1)
          else assert.ok(calls(path, id) <= 1, `${path} was called twice`)
        }
        assert.ok(status === 'succeeded' || status === 'unknown', status)
        if (neverAnswered.has(id)) assert.equal(status, 'unknown')
      }
      assert.ok(neverAnswered.size >= ROUNDS, 'each kill landed while webhooks were called')
      await service.end('SIGTERM')
      await database.remove()
    })
  })
}
