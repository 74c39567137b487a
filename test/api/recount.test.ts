import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { recount } from '../../src/analytics/recount.ts'
import { makeDemo } from '../../src/demo/make-demo.ts'
import { foldCounts } from '../../src/events/fold-counts.ts'
import { pause } from '../support/becomes.ts'
import { figuresCounted } from '../support/figures-counted.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startProgram } from '../support/program.ts'
import { settingsOn } from '../support/service-process.ts'

/** Later than now, so that no clock of its targets is due while the test runs. */
const NOW = Date.parse('2099-11-20T15:00:00.000Z')
const DAYS = 14

type Figures = Record<string, string | number>

/** The figures on the engine that came first. */
let first: Figures | undefined

onBothEngines('weeks of work, counted anew', (service) => {
  const database = () => service.app.app.foundation.database
  const agents = { demo: 0 }

  /** All figures of the demo that are kept, by their place. */
  async function figuresOf(agentId = agents.demo): Promise<Figures> {
    const { db } = database()
    const figures: Figures = {}
    const { rows: chat } = await sql<{ day: string; name: string; quarter: number; count: number }>`
      select day, name, quarter, sum(count) as count from quarter_counters
      where agent_id = ${agentId} group by day, name, quarter`.execute(db)
    const add = (key: string, by: number) => {
      figures[key] = Number(figures[key] ?? 0) + by
    }
    for (const { day, name, quarter, count } of chat) add(`${day} ${name} ${quarter}`, Number(count))
    const folded = await db.selectFrom('day_counters').selectAll().where('agent_id', '=', agentId).execute()
    for (const { day, name, quarters } of folded)
      for (const [quarter, count] of JSON.parse(quarters ?? '[]').entries())
        add(`${day} ${name} ${quarter}`, count)
    for (const [key, value] of Object.entries(figures)) if (value === 0) delete figures[key]
    const support = await db
      .selectFrom('support_counts')
      .selectAll()
      .where('agent_id', '=', agentId)
      .execute()
    for (const { day, kind, value, counts } of support) figures[`${day} ${kind} ${value}`] = counts
    return figures
  }

  async function again(of: number | null = agents.demo, engine = database().engine) {
    const reports: string[] = []
    const { db } = database()
    const report = (words: string) => void reports.push(words)
    const done = await recount({ database: { db, engine }, clock: Date.now, report }, of)
    return { ...done, reports }
  }

  async function damage() {
    const { db } = database()
    await db
      .updateTable('quarter_counters')
      .set({ count: 900 })
      .where('agent_id', '=', agents.demo)
      .where('name', '=', 'prompts')
      .where('quarter', '>', 40)
      .execute()
    await db
      .deleteFrom('day_counters')
      .where('agent_id', '=', agents.demo)
      .where('name', '=', 'responses')
      .execute()
    await db
      .insertInto('support_counts')
      .values({ agent_id: agents.demo, kind: 'tag', value: 'none:such', day: '2099-11-03', counts: '{}' })
      .execute()
    await db
      .updateTable('support_counts')
      .set({ counts: '{"conversations":[1,7]}' })
      .where('agent_id', '=', agents.demo)
      .where('day', 'in', ['2099-11-10', '2099-11-11'])
      .execute()
    await db
      .updateTable('support_counts')
      .set({ counts: '{"ended":3}' })
      .where('agent_id', '=', agents.demo)
      .where('day', '=', '2099-11')
      .execute()
    const some = db.selectFrom('support_rows').select('conversation_id').where('agent_id', '=', agents.demo)
    await db
      .deleteFrom('support_rows')
      .where('conversation_id', 'in', some.orderBy('conversation_id').limit(9))
      .execute()
  }

  it('is as it was counted while it happened, on both engines', async () => {
    const { app } = service.app
    const made = await makeDemo(
      { ...app.foundation, clock: () => NOW },
      { team: service.app.agent.teamId, days: DAYS },
    )
    agents.demo = made.agentId
    await figuresCounted(database().db)
    const figures = await figuresOf()
    assert.ok(Object.keys(figures).length > 300)
    first ??= figures
    assert.deepEqual(figures, first, 'the other engine has other figures')
    const { events, conversations, righted, left } = await again()
    assert.deepEqual({ righted, left }, { righted: 0, left: 0 })
    assert.ok(events > 300 && conversations >= made.conversations)
    assert.deepEqual(await figuresOf(), figures)
  })

  it('is put right where it was damaged', async () => {
    const figures = await figuresOf()
    const { db, engine } = database()
    await foldCounts({ db, engine }, Date.parse('2099-11-13T12:00:00.000Z'), new AbortController().signal)
    assert.deepEqual(await figuresOf(), figures, 'folding')
    await damage()
    assert.notDeepEqual(await figuresOf(), figures)
    const { righted } = await again(null)
    assert.ok(righted > 20, `${righted} were put right`)
    assert.deepEqual(await figuresOf(), figures)
    assert.equal((await again(null)).righted, 0)
  })

  it('goes on where it was interrupted', async () => {
    const figures = await figuresOf()
    const whole = await again()
    await damage()
    const { engine } = database()
    let pieces = 0
    const broken = {
      ...engine,
      lock: async (...of: Parameters<typeof engine.lock>) => {
        if (++pieces > 12) throw Object.assign(new Error('interrupted'), { code: 'ENOSPC' })
        return engine.lock(...of)
      },
      isAway: () => true,
    }
    await assert.rejects(again(agents.demo, broken), /interrupted/)
    const rest = await again()
    assert.deepEqual(rest.reports, ['going on with a recount that was interrupted'])
    assert.equal(rest.conversations, whole.conversations)
    assert.deepEqual(await figuresOf(), figures)
  })

  it('is right after kill -9 of the command', async () => {
    const figures = await figuresOf()
    await damage()
    const { config } = service.app.app.foundation
    for (let kills = 0; kills < 2; kills++) {
      const child = await startProgram(['recount'], { env: settingsOn(config) })
      const ended = new Promise((done) => child.once('exit', done))
      const { db } = database()
      const begun = async () => {
        const rows = await db.selectFrom('recounts').select('place').execute()
        return rows.some(({ place }) => JSON.parse(place).looked > 0)
      }
      while (child.exitCode === null && !(await begun())) await pause()
      child.kill('SIGKILL')
      await ended
    }
    await again()
    assert.deepEqual(await figuresOf(), figures)
    assert.equal((await again(null)).righted, 0)
  })

  it('counts what happens meanwhile, and what cannot be counted is left to the service', async () => {
    const agent = await service.addAgent()
    const { db } = database()
    const prompts = async () => {
      for (let at = 0; at < 20; at++) await agent.prompt(`Where is parcel ${at}?`)
    }
    const recounts = async () => {
      for (let at = 0; at < 5; at++) await again(null)
    }
    const people = async () => {
      for (const user of ['ada', 'countess']) await agent.prompt('It is me.', { user })
      assert.equal((await agent.post('/users/countess/merge', { into: 'ada' })).status, 200)
      assert.equal((await agent.post('/users/ada/scrub')).status, 200)
    }
    await Promise.all([prompts(), prompts(), people(), recounts()])
    await figuresCounted(database().db)
    const { body } = await agent.get('/analytics')
    assert.equal(body.data.totals.prompts, 42)
    assert.equal((await again(null)).righted, 0)

    const { conversation_id } = await agent.prompt('Can you count this?')
    const { status } = await agent.post(`/conversations/${conversation_id}/wait`, { reason: 'asked' })
    assert.ok(status < 300)
    await figuresCounted(database().db)
    const details = (text: string) =>
      db
        .updateTable('happenings')
        .set({ details: text })
        .where('conversation_id', '=', conversation_id)
        .where('kind', '=', 'waiting')
        .execute()
    await details('no JSON')
    const { left } = await again(agent.agentId)
    assert.equal(left, 43)
    await details('{"reason":"asked"}')
    const { left: leftNow, righted } = await again(agent.agentId)
    assert.deepEqual({ leftNow, righted }, { leftNow: 0, righted: 0 })
  })

  it('keeps the figures of days whose events are no longer kept', async () => {
    const figures = await figuresOf()
    const { db } = database()
    await db.deleteFrom('events').where('occurred_at', '<', '2099-11-12T10:00:00.000Z').execute()
    await again()
    assert.deepEqual(await figuresOf(), figures)
  })
})
