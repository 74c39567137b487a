import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import type { TestAgent } from '../support/app.ts'
import { becomes, settled } from '../support/becomes.ts'
import { drawing } from '../support/chance.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { startModelServer } from '../support/model-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const CALLERS = 8
const PROMPT = { messages: [{ role: 'user', content: 'hello' }] }
const ANSWER = { text: 'Hello.', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }

it('kill -9 as answers arrive, on sqlite: the calls of all that is stored are counted, each once', async (t) => {
  await using model = await startModelServer()
  model.answer = ANSWER
  const database = await databaseWithAgent('sqlite')
  const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
  let service = await startService(env)
  t.after(() => service.child.kill('SIGKILL'))
  const agentOf = firstAgentOf(service)
  let answered = 0
  const draw = drawing()
  const kills = [draw(1, 30), draw(1, 30)]
  for (const killAfter of kills) {
    const agent = agentOf(service)
    let inRound = 0
    const killed = Promise.withResolvers<void>()
    const call = async (caller: number) => {
      for (;;)
        try {
          await ask(agent, caller % 2 === 0)
          answered++
          if (++inRound !== killAfter) continue
          process.kill(service.child.pid as number, 'SIGKILL')
          killed.resolve()
        } catch (error) {
          // Only the kill may end the calls.
          if (inRound < killAfter) killed.reject(error)
          return
        }
    }
    const calls = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
    await killed.promise
    assert.equal((await service.end('SIGKILL')).signal, 'SIGKILL')
    await calls
    service = await startService(env)
  }
  const stored = await assertCounted(agentOf(service))
  assert.ok(
    stored >= answered && answered >= kills.reduce((sum, after) => sum + after, 0),
    `${answered} answered, ${stored} stored`,
  )
  await service.end('SIGTERM')
  await database.remove()
})

it('kill -9 while what was used cannot be written, on postgres: no answer is stored without its call', async (t) => {
  await using model = await startModelServer()
  model.answer = ANSWER
  const database = await databaseWithAgent('postgres')
  const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
  let service = await startService(env)
  t.after(() => service.child.kill('SIGKILL'))
  const agentOf = firstAgentOf(service)
  const agent = agentOf(service)
  await ask(agent, false)
  const admin = new pg.Client({ connectionString: database.databaseUrl ?? '' })
  await admin.connect()
  await admin.query('begin; lock table usage_shards in exclusive mode')
  let answered = 0
  const asked = Array.from({ length: CALLERS }, (_, caller) =>
    ask(agent, caller % 2 === 0).then(
      () => void answered++,
      () => {},
    ),
  )
  const waiting = async () => {
    const { rows } = await admin.query(
      `select count(*)::integer as waiting from pg_locks where not granted and relation = 'usage_shards'::regclass`,
    )
    return rows[0].waiting
  }
  await becomes(async () => (await waiting()) > 0, true)
  // The other prompts wait as well, or for a connection, or would be answered without being counted.
  await settled(async () => `${await waiting()} ${answered}`)
  assert.equal((await service.end('SIGKILL')).signal, 'SIGKILL')
  await Promise.all(asked)
  await admin.query('rollback')
  // The server may still commit what it was sent before the kill.
  await becomes(async () => {
    const { rows } = await admin.query(
      `select count(*)::integer as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return rows[0].others
  }, 0)
  await admin.end()
  service = await startService(env)
  const stored = await assertCounted(agentOf(service))
  assert.ok(stored >= 1 + answered, `${answered} answered, ${stored} stored`)
  await service.end('SIGTERM')
  await database.remove()
})

async function ask(agent: TestAgent, streams: boolean): Promise<void> {
  if (streams) assert.equal((await readWholeStream(agent, PROMPT)).text, 'Hello.')
  else assert.equal((await agent.post('/chat/completions', PROMPT)).status, 200)
}

/** Asserts that as many calls are counted as answers are stored. @returns how many */
async function assertCounted(agent: TestAgent): Promise<number> {
  let stored = 0
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await agent.get(`/chat/completions?per_page=100&page=${page}`)
    pages = Math.ceil(body.total / 100)
    for (const { finish_reason } of body.data) if (finish_reason === 'stop') stored++
  }
  const { data } = (await agent.get('/usage')).body
  const total = (of: string) =>
    data.reduce((sum: number, row: Record<string, number>) => sum + (row[of] ?? 0), 0)
  const used = [total('calls'), total('prompt_tokens'), total('completion_tokens')]
  assert.deepEqual(used, [stored, stored * 7, stored * 3])
  return stored
}
