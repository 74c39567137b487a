import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawing } from '../support/chance.ts'
import { engines } from '../support/databases.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const ROUNDS = 4
const CALLERS = 8

for (const engine of engines) {
  describe(`kill -9 while prompts pour in, on ${engine}`, () => {
    it(`${ROUNDS} rounds: what was answered is there, and conversations are numbered without gaps`, async () => {
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database)
      const draw = drawing()
      const answered = new Map<string, { prompt: string; response: string }>()
      let service = await startService(env)
      const agentOf = firstAgentOf(service)

      for (let round = 0; round < ROUNDS; round++) {
        const agent = agentOf(service)
        let inRound = 0
        let failed = 0
        // Each round is killed after another number of answers, always with calls under way.
        const killAfter = draw(3, 22)
        const killed = Promise.withResolvers<void>()
        const call = async (caller: number) => {
          for (let n = 0; ; n++) {
            const prompt = `round ${round} caller ${caller} prompt ${n}`
            try {
              const answer = await agent.prompt(prompt, { external_id: `${round}-${caller}-${n % 3}` })
              answered.set(answer.id, { prompt, response: answer.choices[0].message.content })
              inRound++
              if (inRound === killAfter) killed.resolve()
            } catch {
              failed++
              return
            }
          }
        }
        const calls = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
        await killed.promise
        const { signal } = await service.end('SIGKILL')
        await calls
        assert.equal(signal, 'SIGKILL')
        assert.ok(inRound >= killAfter && failed === CALLERS, 'the kill landed while calls were under way')
        service = await startService(env)
      }

      const agent = agentOf(service)
      for (const [id, { prompt, response }] of answered) {
        const { status, body } = await agent.get(`/chat/completions/${id}`)
        assert.equal(status, 200)
        assert.deepEqual([body.data.prompt, body.data.response], [prompt, response])
      }
      const seen = new Set<string>()
      const first = await agent.get('/conversations?per_page=100')
      for (let page = 1; page <= Math.ceil(first.body.total / 100); page++) {
        const { body } = await agent.get(
          `/conversations?per_page=100&page=${page}&snapshot=${first.body.total}`,
        )
        for (const { id } of body.data) seen.add(id)
      }
      assert.equal(seen.size, first.body.total)
      if (engine === 'sqlite') {
        const open = (await agent.get('/chat/completions?per_page=100')).body.data.filter(
          ({ finish_reason }: { finish_reason: string | null }) => finish_reason === null,
        )
        assert.deepEqual(open, [], 'no prompt looks as if its answer were still coming')
      }
      const { code } = await service.end('SIGTERM')
      assert.equal(code, 0)
      await database.remove()
    })
  })
}
