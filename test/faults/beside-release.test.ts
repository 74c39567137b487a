import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OWN_VERSION } from '../../src/lib/own-version.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { livingVersions } from '../../src/storage/presence.ts'
import { createAwaited } from '../support/awaited.ts'
import { becomes } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import type { LentProgram } from '../support/program-of-run.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'
import { agentOf, factsOf, programOf, releasedDatabase, releases } from '../support/releases.ts'
import { type ServiceProcess, settingsOn, startService } from '../support/service-process.ts'

const CLIENTS = 3
/** The exchanges of each phase, in which each client pauses and resumes a conversation. */
const EXCHANGES = 12

const release = releases.at(-1) ?? ''

// A data directory of SQLite is served by one process.
if (engines.includes('postgres'))
  it(`version ${release} and this one answer beside each other, and a rolling update loses nothing`, async (t) => {
    const facts = factsOf(release, 'postgres')
    const database = await releasedDatabase(release, 'postgres')
    const settings = settingsOn(database, { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
    await using receiver = await startReceiver()
    const serving: ServiceProcess[] = []
    const start = async (program?: LentProgram) => {
      const service = await startService(settings, (child) => t.after(() => child.kill()), program)
      serving.push(service)
      return service
    }
    const old = await start(await programOf(facts.commit))
    await agentOf(facts, old.url).call('DELETE', '/notifications/1')
    await addNotification(agentOf(facts, old.url), receiver.url, { events: ['prompt_submit'] })

    const exchanged = createAwaited()
    const answered: string[] = []
    let isOver = false
    let turn = 0
    /** Calls the processes by turns as a proxy does, and another one where one refuses the connection. */
    async function call(path: string, body?: object, key?: string): Promise<Answer> {
      const headers = key ? { 'idempotency-key': key } : {}
      const tried = serving[turn++ % serving.length]
      assert.ok(tried)
      const answer = await agentOf(facts, tried.url)
        .post(path, body, headers)
        .catch((error) => {
          if (!(error instanceof TypeError) || serving.includes(tried)) throw error
          return null
        })
      if (answer === null) return call(path, body, key)
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      return answer.body
    }
    const client = async (_: unknown, at: number) => {
      for (let n = 0; !isOver; n++) {
        const conversation = `client-${at}-${n % 5}`
        const messages = [{ role: 'user', content: 'How do I return a lamp?' }]
        const say = (key: string) =>
          call('/chat/completions', { messages, external_id: conversation }, `${at}-${n}-${key}`)
        const first = await say('first')
        assert.equal(first.agent_paused, false)
        answered.push(first.id)
        if (n % 4 === at) {
          await call(`/conversations/${conversation}/pause`)
          const paused = await say('paused')
          assert.equal(paused.agent_paused, true, 'whichever process was told to pause')
          await call(`/conversations/${conversation}/resume`)
          answered.push(paused.id)
        }
        exchanged.tell()
      }
    }
    const more = (what: string) => {
      const since = answered.length
      return exchanged.until(() => answered.length >= since + EXCHANGES, what)
    }
    const update = async () => {
      await more('answers of the old version')
      const own = await start()
      await more('answers of both')
      const { db, close } = await openDatabase(database)
      assert.deepEqual(await livingVersions(db), [
        { version: OWN_VERSION, count: 1 },
        { version: null, count: 1 },
      ])
      await close()
      serving.shift()
      assert.deepEqual(await old.end('SIGTERM'), { code: 0, signal: null })
      await more('answers of the new version')
      return own
    }
    const updating = update().finally(() => {
      isOver = true
    })
    const [own] = await Promise.all([updating, ...Array.from({ length: CLIENTS }, client)])

    const agent = agentOf(facts, own.url)
    for (const id of answered) assert.equal((await agent.get(`/chat/completions/${id}`)).status, 200)
    const told = () => receiver.received.map(({ payload }) => payload.completion.id).sort()
    await becomes(told, answered.sort())
    await own.end('SIGTERM')
    await database.remove()
  })

interface Answer {
  id: string
  agent_paused: boolean
}
