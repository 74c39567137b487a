import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { createFirstAgent } from '../../src/agents/first-agent.ts'
import { bySystem } from '../../src/audit/record.ts'
import { DemoRefused, makeDemo } from '../../src/demo/make-demo.ts'
import { removeDemo } from '../../src/demo/remove-demo.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { type TestAgent, type TestApp, testAgent } from '../support/app.ts'
import { freshDatabase } from '../support/databases.ts'
import { figuresCounted } from '../support/figures-counted.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { runProgram } from '../support/program.ts'
import { settingsOn, startService } from '../support/service-process.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A Friday afternoon. */
const NOW = Date.parse('2026-11-20T15:00:00.000Z')
const clock = () => NOW

onBothEngines('the demo', (service) => {
  afterEach(() => removeDemo(service.app.app.foundation))

  it('fills every list, its figures agree with it, and is removed without a trace', async () => {
    // Workers see what is due as the demo does.
    service.clock = clock
    const { app, model } = service
    const { foundation } = app.app
    const { db } = foundation.database
    await createFirstAgent(db, NOW)
    const before = await rowCounts(app)
    const parts: number[] = []
    const wish = { team: app.agent.teamId, days: 7, onProgress: (part: number) => void parts.push(part) }
    const made = await makeDemo({ ...foundation, clock }, wish)
    assert.equal(parts.at(-1), 1)
    assert.equal(made.teamId, app.agent.teamId)
    assert.deepEqual(made.languages, ['en', 'de', 'es', 'fr', 'ja'])
    assert.equal(model.requests.length, 0, 'no model is asked')

    const demo = await callerOf(app, made.agentId)
    await hasSomething(demo)
    await hasEveryReasonToWait(demo)
    await countsAgree(demo, made.conversations)
    await isInOrder(demo)
    await hasNoSlotLeft(app, made.agentId)
    await isOnSite(app, made.agentId)
    await hasDeliveries(demo)
    await hasDesk(app, demo)

    await assert.rejects(makeDemo({ ...foundation, clock }, wish), isRefusal(/is the demo already/))
    assert.equal((await demo.get('/conversations')).body.total, made.conversations, 'nothing is doubled')

    assert.equal(await removeDemo(foundation), made.agentId)
    assert.deepEqual(await rowCounts(app), before)
    assert.equal(await removeDemo(foundation), null)
  })

  it('that was broken off says what to do, is removed, and can be made again', async () => {
    const { foundation } = service.app.app
    const { agentId, teamId } = await service.addAgent()
    const onProgress = (part: number) => {
      if (part > 0.3) throw new Error('the process died')
    }
    const wish = { team: teamId, days: 1 }
    await assert.rejects(makeDemo({ ...foundation, clock }, { ...wish, onProgress }), /the process died/)
    const advice = /not complete.*"parley demo --remove"/
    await assert.rejects(makeDemo({ ...foundation, clock }, wish), isRefusal(advice))
    const removed = await removeDemo(foundation)
    assert.ok(removed !== null && removed !== agentId)
    const made = await makeDemo({ ...foundation, clock }, wish)
    assert.ok(made.conversations > 0)
  })

  it('asks for the team when there are several, and refuses one that does not exist', async () => {
    const { foundation } = service.app.app
    await service.addAgent()
    const wish = { team: null, days: 1 }
    await assert.rejects(makeDemo({ ...foundation, clock }, wish), isRefusal(/--team/))
    await assert.rejects(makeDemo({ ...foundation, clock }, { ...wish, team: 999 }), isRefusal(/no team 999/))
  })
})

it('parley demo beside a running service: made, told where it is, refused twice, removed', async () => {
  const fresh = await freshDatabase('sqlite')
  const env = settingsOn(fresh)
  const service = await startService(env)
  try {
    const made = await parley(['demo', '--json'], env)
    assert.equal(made.code, 0, made.err)
    const { agent_id, team_id, conversations, console_url } = JSON.parse(made.out)
    assert.deepEqual([agent_id, team_id], [2, 1])
    assert.ok(conversations >= 200, `${conversations} conversations`)
    assert.equal(console_url, 'http://127.0.0.1:8080/console/agents/2/inbox')
    const again = await parley(['demo'], env)
    assert.deepEqual([again.code, again.out], [2, ''])
    assert.match(again.err, /agent 2 is the demo already/)
    const removed = await parley(['demo', '--remove'], env)
    assert.deepEqual([removed.code, removed.out], [0, 'Agent 2, the demo, is deleted with all its data.\n'])
    const told = await parley(['demo'], { ...env, PARLEY_PUBLIC_URL: 'https://chat.example.com/' })
    assert.match(
      told.out,
      /\nConsole: https:\/\/chat\.example\.com\/console\/agents\/\d+\/inbox\n(Sign in|Nobody)/,
    )
    await parley(['demo', '--remove'], env)
    const none = await parley(['demo', '--remove', '--json'], env)
    assert.deepEqual(JSON.parse(none.out), { agent_id: null, removed: false })
    const mistyped = await parley(['demo', '--remove', '--team', '1'], env)
    assert.equal(mistyped.code, 2)
  } finally {
    await service.end('SIGTERM')
    await fresh.remove()
  }
})

async function hasSomething(demo: TestAgent): Promise<void> {
  for (const path of [
    '/conversations',
    '/chat/completions',
    '/chat/completions?liked=true',
    '/chat/completions?liked=false',
    '/chat/completions?flagged=true',
    ...['waiting', 'unassigned', 'open', 'paused', 'ended', 'all'].map((view) => `/inbox?view=${view}`),
    ...['fr', 'ja'].map((language) => `/inbox?view=all&language=${language}`),
    '/users',
    '/users?q=olivia',
    '/search?q=tracking',
    '/search?q=Werktage',
    '/search?q=carrier&in=notes',
    '/knowledge',
    '/knowledge/unanswered',
    '/widgets',
    '/evaluators',
    '/replies',
    '/macros',
    '/views',
    '/targets',
    '/inbox?view=snoozed',
    '/channels',
    '/notifications',
    '/audit',
  ]) {
    const { status, body } = await demo.get(path)
    assert.equal(status, 200, path)
    assert.ok(body.data.length > 0, `${path} is empty`)
  }
  for (const kind of ['guardrail', 'cta', 'automation']) {
    const rules = (await demo.get(`/${kind}s`)).body.data as { id: number; name: string; on?: string }[]
    for (const { id, name, on } of rules) {
      // It waits for what happens from now on.
      if (on === 'waiting') continue
      const log = await demo.get(`/rules/${kind}/${id}/log`)
      assert.ok(log.body.data.length > 0, `"${name}" never fired`)
    }
  }
}

async function hasEveryReasonToWait(demo: TestAgent): Promise<void> {
  const { body } = await demo.get('/inbox?view=waiting&per_page=100')
  const reasons = body.data.map(({ waiting_reason }: { waiting_reason: string }) => waiting_reason)
  assert.deepEqual([...new Set(reasons)].sort(), ['asked', 'failed', 'flagged', 'paused', 'unanswered'])
}

async function countsAgree(demo: TestAgent, conversations: number): Promise<void> {
  const total = async (path: string) => (await demo.get(path)).body.total
  const from = new Date(NOW - 20 * DAY_MS).toISOString().slice(0, 10)
  const to = new Date(NOW).toISOString().slice(0, 10)
  const { status, text, body } = await demo.get(`/analytics?from=${from}&to=${to}`)
  assert.equal(status, 200, text)
  const { totals, days } = body.data
  assert.equal(await total('/conversations'), conversations)
  assert.equal(totals.prompts, await total('/chat/completions'))
  const liked = await total('/chat/completions?liked=true')
  assert.equal(totals.likes, liked)
  assert.equal(totals.flags, await total('/chat/completions?flagged=true'))
  assert.ok(totals.cta_clicks > 0 && totals.guardrail_hits > 0 && totals.unanswered > 0)
  assert.ok(days.filter(({ prompts }: { prompts: number }) => prompts > 0).length >= 7)
}

/** Conversations of the shop's site came through its widget, some were rated, and nothing waits to be sent. */
async function isOnSite({ app }: TestApp, agentId: number): Promise<void> {
  const { db } = app.foundation.database
  const rows = await db
    .selectFrom('conversations')
    .leftJoin('ratings', 'ratings.conversation_id', 'conversations.id')
    .select(['widget_id', 'score'])
    .where('conversations.agent_id', '=', agentId)
    .execute()
  const onSite = rows.filter(({ widget_id }) => widget_id !== null)
  assert.ok(onSite.length > 10 && rows.length - onSite.length > 5, `${onSite.length} of ${rows.length}`)
  assert.ok(onSite.some(({ score }) => score !== null))
}

/** Two groups of people look after what waits, meet most targets, and solve it. */
async function hasDesk({ app }: TestApp, demo: TestAgent): Promise<void> {
  const { body } = await demo.get('/groups')
  const groups = body.data.map(({ name, operators }: { name: string; operators: number[] }) => [
    name,
    operators.length,
  ])
  assert.deepEqual(groups, [
    ['Orders', 5],
    ['Workshop', 3],
  ])
  const range = `from=${new Date(NOW - 20 * DAY_MS).toISOString().slice(0, 10)}&to=2026-11-20`
  const read = async (by: string) => (await demo.get(`/analytics/support?by=${by}&${range}`)).body.data
  await figuresCounted(app.foundation.database.db)
  const { totals } = await read('day')
  for (const name of [
    ...['targets_met', 'targets_missed', 'resolved', 'assumed', 'handed_off', 'rated'],
    ...['solved_by_agent', 'solved_by_person'],
  ])
    assert.ok(totals[name] > 0, `${name}: none`)
  for (const by of ['operator', 'group']) assert.ok((await read(by)).rows.length >= 3, `rows by ${by}`)
}

async function hasDeliveries(demo: TestAgent): Promise<void> {
  const [notification] = (await demo.get('/notifications')).body.data
  const { status, text, body } = await demo.get(`/notifications/${notification.id}/deliveries?per_page=100`)
  assert.equal(status, 200, text)
  const states = new Map<string, number>()
  for (const { state, payload } of body.data) {
    states.set(state, (states.get(state) ?? 0) + 1)
    assert.equal(typeof JSON.parse(payload), 'object')
  }
  assert.deepEqual([...states.keys()].sort(), ['delivered', 'rejected'])
}

/** Every text says what its slots stand for: what was said and noted, and what was said about it. */
async function hasNoSlotLeft({ app }: TestApp, agentId: number): Promise<void> {
  const { db } = app.foundation.database
  const said = await db.selectFrom('messages').select('content').where('agent_id', '=', agentId).execute()
  const noted = await db
    .selectFrom('conversation_notes')
    .select('text as content')
    .where('agent_id', '=', agentId)
    .execute()
  const texts = JSON.stringify([said, noted])
  assert.ok(texts.includes('order 1'), 'slots are filled')
  assert.deepEqual(texts.match(/\{\w+\}/g) ?? [], [])
}

/** Numbers, ids and times of conversations rise together, and nothing is said in the future. */
async function isInOrder(demo: TestAgent): Promise<void> {
  const newestFirst = (await demo.get('/conversations?per_page=100')).body.data as {
    id: string
    started_at: string
  }[]
  const started = newestFirst.map(({ started_at }) => started_at)
  assert.deepEqual(started, [...started].sort().reverse())
  const ids = newestFirst.map(({ id }) => id)
  assert.deepEqual(ids, [...ids].sort().reverse())
  assert.ok((started[0] ?? '') < new Date(NOW).toISOString())
  const completions = (await demo.get('/chat/completions?per_page=100')).body.data as { created_at: string }[]
  const asked = completions.map(({ created_at }) => created_at)
  assert.deepEqual(asked, [...asked].sort().reverse())
}

/** The demo's agent with a key of its own, which goes when the agent does, and the token that the team has anyway. */
async function callerOf({ app, agent, baseUrl }: TestApp, agentId: number): Promise<TestAgent> {
  const { database, credentials } = app.foundation
  const key = await database.db
    .transaction()
    .execute((db) => credentials.issueKey(db, agentId, 'test', bySystem))
  assert.ok(key)
  const { teamId, bearerToken } = agent
  return testAgent(baseUrl, { agentId, teamId, apiKey: key.api_key, bearerToken })
}

/** The number of rows in each table but the audit log, which stays, and processes, which are not the demo's. */
async function rowCounts({ app }: TestApp): Promise<Record<string, number>> {
  const { db } = app.foundation.database
  const counts: Record<string, number> = {}
  for (const { name } of await db.introspection.getTables()) {
    if (['audit', 'processes'].includes(name)) continue
    const { count } = await db
      .selectFrom(name as keyof Tables)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[name] = Number(count)
  }
  return counts
}

function isRefusal(message: RegExp) {
  return (error: unknown) => error instanceof DemoRefused && message.test(error.message)
}

function parley(words: string[], env: Record<string, string>) {
  return runProgram(words, { env })
}
