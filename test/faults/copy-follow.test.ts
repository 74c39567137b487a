import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { directions, readEveryTable } from '../support/copying.ts'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { startProgram } from '../support/program.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const SECRET = 'thistlebroth'

async function scrubAll(agent: TestAgent, user: string): Promise<void> {
  for (let left = 1; left > 0; ) left = (await agent.post(`/users/${user}/scrub`)).body.data.remaining
}

/** Starts a copy that follows. */
async function followed(source: FreshDatabase, place: string) {
  const words = ['copy', '--to', place, '--follow', '--json']
  const child = await startProgram(words, { env: settingsOn(source) })
  const ended = once(child, 'exit')
  let [out, err] = ['', '']
  child.stdout.on('data', (data) => {
    out += data
  })
  const caughtUp = new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (data) => {
      err += data
      if (err.includes('follows it')) resolve()
    })
    void ended.then(() => reject(new Error(`it ended: ${err}`)))
  })
  return { child, ended, caughtUp, out: () => out, err: () => err }
}

for (const [from, to] of directions)
  describe(`parley copy --follow from ${from} to ${to}, while the service answers`, () => {
    it('goes on after a kill, ends with the service, and has all that was answered and nothing that was erased', async () => {
      const [source, target] = [await databaseWithAgent(from), await freshDatabase(to)]
      const service = await startService(settingsOn(source))
      const agent = firstAgentOf(service)(service)
      const place = target.databaseUrl ?? `sqlite:${target.dataDir}`
      const follow = () => followed(source, place)
      let isTalking = true
      let answered = 0
      const say = async () => {
        const user = answered % 2 ? 'Ada' : 'Bob'
        await agent.prompt(`${SECRET} ${answered}`, { user, external_id: `${user}-${answered % 5}` })
        answered++
      }
      const talk = async () => {
        while (isTalking) await say()
      }
      while (answered < 10) await say()
      const talking = talk()
      let following: Awaited<ReturnType<typeof follow>>
      try {
        const killed = await follow()
        await killed.caughtUp
        killed.child.kill('SIGKILL')
        await killed.ended
        // Once: both go on talking, so there is always more.
        assert.equal((await agent.post('/users/Bob/scrub')).status, 200)
        following = await follow()
        await following.caughtUp
        assert.equal((await agent.post('/users/Ada/scrub')).status, 200)
      } finally {
        isTalking = false
        await talking
      }
      await scrubAll(agent, 'Ada')
      await scrubAll(agent, 'Bob')
      const last = await agent.prompt('The last words')
      assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
      assert.deepEqual(await following.ended, [0, null], following.err())
      const { resumed, left_behind } = JSON.parse(following.out())
      assert.deepEqual([resumed, left_behind], [true, false])
      const all = JSON.stringify([...(await readEveryTable(target))], (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      assert.ok(all.includes('The last words') && !all.includes(SECRET))
      const moved = await startService(settingsOn(target))
      const after = firstAgentOf({ ...moved, credentials: service.credentials })(moved)
      const next = await after.prompt('And one more', { conversation_id: last.conversation_id })
      assert.deepEqual([next.conversation_id, next.number], [last.conversation_id, last.number + 1])
      assert.equal((await after.get('/search?q=last')).body.data.length, 1)
      await moved.end('SIGTERM')
      await Promise.all([source.remove(), target.remove()])
    })

    it('that is stopped is whole, and says that the service goes on', async () => {
      const [source, target] = [await databaseWithAgent(from), await freshDatabase(to)]
      const service = await startService(settingsOn(source))
      const agent = firstAgentOf(service)(service)
      await agent.prompt('hello')
      const place = target.databaseUrl ?? `sqlite:${target.dataDir}`
      const following = await followed(source, place)
      await following.caughtUp
      following.child.kill('SIGINT')
      assert.deepEqual(await following.ended, [0, null], following.err())
      assert.equal(JSON.parse(following.out()).left_behind, true)
      assert.equal(
        (await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'hi' }] })).status,
        200,
      )
      await service.end('SIGTERM')
      await Promise.all([source.remove(), target.remove()])
    })
  })
