import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pause } from '../support/becomes.ts'
import { seed } from '../support/chance.ts'
import { engines } from '../support/databases.ts'
import { startModelServer } from '../support/model-server.ts'
import { LINE_DESTINATION, lineMessage, sign, startPlatformPeer } from '../support/platform-peer.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'

const MESSAGES = 50
const PEOPLE = 5
const KILLS = 3

/** The writer of each message, and the messages that are followed by a kill. */
const plans = fc.record({
  writers: fc.array(fc.nat(PEOPLE - 1), { minLength: MESSAGES, maxLength: MESSAGES }),
  kills: fc.uniqueArray(fc.nat(MESSAGES - 1), { minLength: KILLS, maxLength: KILLS }),
})

for (const engine of engines) {
  // One process works on a SQLite file; on PostgreSQL three share the work.
  const workers = engine === 'sqlite' ? 1 : 3

  describe(`${MESSAGES} messages under ${workers} worker(s) that are killed, on ${engine}`, () => {
    it('each is answered once, and each chat in the order of its messages', () =>
      fc.assert(fc.asyncProperty(plans, follow), { numRuns: 1, endOnFailure: true, seed }))

    async function follow(plan: { writers: number[]; kills: number[] }): Promise<void> {
      await using model = await startModelServer()
      await using peer = await startPlatformPeer()
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database, {
        PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
        PARLEY_MODEL_URL: model.url,
      })
      const first = await startService(env)
      const agentOf = firstAgentOf(first)
      const startAll = (count = workers) =>
        Promise.all(Array.from({ length: count }, () => startService(env)))
      const services: ServiceProcess[] = [first, ...(await startAll(workers - 1))]
      const secret = 'channel-secret-of-order'
      const created = await agentOf(first).post('/channels', {
        kind: 'messenger-three',
        settings: {
          channel_secret: secret,
          access_token: 'token-of-order',
          destination: LINE_DESTINATION,
          api_base: peer.url,
          debounce_ms: 0,
        },
      })
      assert.equal(created.status, 201, created.text)
      const { id } = created.body.data

      /** Delivers a message as a platform does: again and again until it is acknowledged. */
      async function deliver(person: string, name: string): Promise<void> {
        const { replyToken: _, ...event } = lineMessage(person, name, name)
        const raw = JSON.stringify({ destination: LINE_DESTINATION, events: [event] })
        const headers = { 'content-type': 'application/json', ...sign('messenger-three', raw, secret) }
        for (let attempt = 0; ; attempt++) {
          const service = services[attempt % services.length] as ServiceProcess
          const url = `${service.url}/api/v1/channels/${id}/messenger-three`
          const answer = await fetch(url, { method: 'POST', body: raw, headers }).catch(() => null)
          if (answer?.status === 200) return
          await pause()
        }
      }

      const people = Array.from({ length: PEOPLE }, (_, index) => `U${String(index).padStart(32, '0')}`)
      const expected = new Map(people.map((person) => [person, [] as string[]]))
      let kills = 0
      for (const [index, writer] of plan.writers.entries()) {
        const person = people[writer] as string
        const name = `m${index}`
        expected.get(person)?.push(name)
        await deliver(person, name)
        if (plan.kills.includes(index)) {
          // All services are killed while they work: one model call is held until its caller is gone.
          const gone = Promise.withResolvers<void>()
          model.next({ after: gone.promise })
          const asked = model.requests.length
          await deliver(person, `${name}-held`)
          expected.get(person)?.push(`${name}-held`)
          await model.request(asked)
          const ends = await Promise.all(services.map((service) => service.end('SIGKILL')))
          assert.ok(ends.every(({ signal }) => signal === 'SIGKILL'))
          await model.aborted(kills)
          gone.resolve()
          services.splice(0, services.length, ...(await startAll()))
          kills++
        }
      }
      assert.equal(kills, KILLS)

      const total = MESSAGES + KILLS
      await peer.untilSent(total)
      for (const person of people) {
        const texts = peer.sent.filter(({ thread }) => thread === person).map(({ text }) => text)
        assert.deepEqual(texts, expected.get(person))
      }
      const agent = agentOf(services[0] as ServiceProcess)
      const { body } = await agent.get('/chat/completions?per_page=100')
      assert.equal(body.total, total)
      assert.ok(body.data.every(({ finish_reason }: { finish_reason: string }) => finish_reason === 'stop'))
      await Promise.all(services.map((service) => service.end('SIGTERM')))
      await database.remove()
    }
  })
}
