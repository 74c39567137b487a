import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { acrossAgents } from '../../src/lib/agent-scope.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { MOST_DEATHS } from '../../src/work/retry.ts'
import { becomes, pause } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { startProgram } from '../support/program.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const POISONED = fileURLToPath(new URL('../support/poisoned-count.ts', import.meta.url))

for (const engine of engines)
  it(`figures of support on ${engine}: a conversation that ends each process is parked, the others are counted`, async (t) => {
    const fresh = await databaseWithAgent(engine)
    const env = settingsOn(fresh)
    const deaths = join(fresh.dataDir, 'deaths')
    const poisoned = { ...env, NODE_OPTIONS: `--import ${POISONED}`, DEATHS: deaths }
    const { db, close } = await openDatabase(fresh)
    t.after(async () => {
      await close()
      await fresh.remove()
    })
    const read = <T>(work: () => Promise<T>) => acrossAgents('the test reads what is stored', work)
    const retries = () => read(() => db.selectFrom('support_retries').selectAll().execute())
    const counted = async () => {
      const rows = await read(() => db.selectFrom('support_rows').select('conversation_id').execute())
      return rows.map(({ conversation_id }) => conversation_id).toSorted()
    }

    // Nobody counts yet, so that all are counted together at first.
    const api = await startService({ ...env, PARLEY_ROLES: 'api' })
    const agentOf = firstAgentOf(api)
    const begin = async (tags = {}) =>
      (await agentOf(api).prompt('Where is my parcel?', { tags })).conversation_id
    const others = [await begin(), await begin({ plan: 'gold' })]
    const bad = await begin({ poison: true })
    others.push(await begin())
    await api.end('SIGTERM')

    const isParked = async () => (await retries()).some(({ parked_at }) => parked_at !== null)
    let processes = 0
    for (let hasEnded = true; hasEnded && processes <= MOST_DEATHS; ) {
      processes++
      const child = await startProgram(['serve', '--json'], {
        env: { PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent', ...poisoned },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      hasEnded = false
      void ended.then(() => {
        hasEnded = true
      })
      while (!hasEnded && !(await isParked())) await pause()
      if (hasEnded) assert.deepEqual(await ended, [null, 'SIGKILL'])
      else {
        await becomes(counted, others.toSorted())
        child.kill('SIGTERM')
        await ended
        break
      }
    }
    const died = existsSync(deaths) ? readFileSync(deaths, 'utf8').trim().split('\n').length : 0
    assert.deepEqual([died, processes], [MOST_DEATHS, MOST_DEATHS + 1])
    const [left, ...more] = await retries()
    assert.deepEqual([left?.conversation_id, left?.failure, more], [bad, 'ProcessEnded', []])

    // Once it has changed, and without the fault, it is counted.
    const healthy = await startService(env)
    await agentOf(healthy).patch(`/conversations/${bad}`, { tags: { poison: false } })
    await becomes(counted, [...others, bad].toSorted())
    await becomes(retries, [])
    await healthy.end('SIGTERM')
  })
