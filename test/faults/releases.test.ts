import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { upgrade } from '../../src/commands/upgrade.ts'
import { readConfig } from '../../src/config.ts'
import { OWN_VERSION } from '../../src/lib/own-version.ts'
import { becomes } from '../support/becomes.ts'
import { engines, type FreshDatabase } from '../support/databases.ts'
import { agentOf, factsOf, releasedDatabase, releases } from '../support/releases.ts'
import { type ServiceProcess, settingsOn, startService } from '../support/service-process.ts'

interface UpgradeAnswer {
  version: string
  steps: { migration: string }[]
  processes: object[]
  obstacles: string[]
  blocks_seconds: number
}

for (const release of releases) {
  for (const kind of engines) {
    describe(`the database of version ${release} on ${kind}`, () => {
      const facts = factsOf(release, kind)
      const { kept, erased, waiting } = facts
      let fresh: FreshDatabase
      let env: Record<string, string>
      let service: ServiceProcess | undefined
      before(async () => {
        fresh = await releasedDatabase(release, kind)
        env = settingsOn(fresh)
      })
      after(async () => {
        await service?.end('SIGTERM')
        await fresh?.remove()
      })

      async function checked() {
        let answer = {}
        const input = { config: readConfig(env), positionals: [], options: { check: true } }
        const code = await upgrade.run({ ...input, print: (printed) => (answer = printed as object) })
        return { code, ...(answer as UpgradeAnswer) }
      }

      it('upgrade --check says what would be done, and changes nothing', async () => {
        for (const _ of ['first', 'second']) {
          const { code, version, steps, obstacles, blocks_seconds } = await checked()
          assert.equal(code, 0)
          assert.deepEqual([version, obstacles, blocks_seconds], [OWN_VERSION, [], 0])
          assert.ok(steps.some(({ migration }) => migration === '0075-process-versions'))
        }
      })

      it('is served by this version: what was there is there, and goes on', async () => {
        service = await startService(env)
        const shop = agentOf(facts, service.url)
        const first = (await shop.get(`/chat/completions/${kept}`)).body.data
        assert.match(JSON.stringify(first), /within 30 days/)
        assert.doesNotMatch(JSON.stringify((await shop.get(`/chat/completions/${erased}`)).body), /jane\.doe/)
        assert.equal((await shop.get(`/conversations/${waiting}`)).status, 200)
        const answer = await shop.prompt('How do I return a lamp?', { external_id: 'kept' })
        assert.match(JSON.stringify(answer), /within 30 days/)
        assert.equal(answer.conversation_id, first.conversation_id)
        await becomes(async () => (await shop.get('/search?q=Lisbon')).body.data.length, 1)
        // Its secret is opened and signs.
        const [{ id }] = (await shop.get('/notifications')).body.data
        assert.equal((await shop.post(`/notifications/${id}/rotate-secret`)).status, 200)
        assert.equal((await shop.post(`/chat/completions/${kept}/scrub`)).status, 200)
      })

      it('then nothing is pending', async () => {
        const { steps, processes } = await checked()
        assert.deepEqual([steps, processes], [[], [{ version: OWN_VERSION, count: 1 }]])
      })

      it('a process that was killed is not counted, though nobody has seen it end', async () => {
        await service?.end('SIGKILL')
        assert.deepEqual((await checked()).processes, [])
      })
    })
  }
}
