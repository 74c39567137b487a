import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawing } from '../support/chance.ts'
import { engines } from '../support/databases.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

for (const engine of engines) {
  // On PostgreSQL a round takes fifteen seconds, until the deliveries of the killed process are free.
  const ROUNDS = engine === 'sqlite' ? 4 : 1

  describe(`kill -9 while deliveries are sent, on ${engine}`, () => {
    it(`${ROUNDS} rounds: none is lost, none is sent twice, unknown are at most those under way`, async () => {
      const draw = drawing()
      await using receiver = await startReceiver()
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database, { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
      let service = await startService(env)
      const agentOf = firstAgentOf(service)
      const { id } = await addNotification(agentOf(service), receiver.url, { events: ['prompt_submit'] })
      let prompts = 0
      let underWay = 0

      for (let round = 0; round < ROUNDS; round++) {
        const agent = agentOf(service)
        const killed = Promise.withResolvers<void>()
        // Held answers are under way when the kill lands; each round another number came before.
        const passing = receiver.received.length + draw(0, 4)
        const most = draw(1, 4)
        const held: (() => void)[] = []
        receiver.respond = (response) => {
          if (receiver.received.length <= passing) return void response.end('ok')
          held.push(() => response.destroy())
          if (held.length === most) killed.resolve()
        }
        for (let count = 0; count < 12; count++) {
          await agent.prompt(`round ${round} prompt ${count}`)
          prompts++
        }
        await killed.promise
        const { signal } = await service.end('SIGKILL')
        assert.equal(signal, 'SIGKILL')
        assert.ok(held.length > 0, 'the kill landed while deliveries were under way')
        underWay += held.length
        for (const release of held) release()
        receiver.respond = (response) => void response.end('ok')
        service = await startService(env)
      }

      const agent = agentOf(service)
      const states = new Map<string, number>()
      for (;;) {
        states.clear()
        for (let page = 1; ; page++) {
          const { body } = await agent.get(`/notifications/${id}/deliveries?per_page=100&page=${page}`)
          for (const { state } of body.data) states.set(state, (states.get(state) ?? 0) + 1)
          if (page * 100 >= body.total) break
        }
        if (!states.has('pending') && !states.has('sending')) break
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']))
      assert.equal(new Set(ids).size, ids.length, 'none was sent twice')
      // One that was `sending` may not have left yet: then it is unknown, and that is told.
      const unknown = states.get('unknown') ?? 0
      assert.ok(ids.length >= prompts - unknown, 'none was lost')
      assert.ok(unknown <= ROUNDS * 4 && unknown >= ROUNDS, `unknown: ${unknown}, under way ${underWay}`)
      // One that the receiver held for longer than ten seconds was sent once and failed.
      const failed = states.get('failed') ?? 0
      assert.equal((states.get('delivered') ?? 0) + failed + unknown, prompts, JSON.stringify([...states]))
      await service.end('SIGTERM')
      await database.remove()
    })
  })
}
