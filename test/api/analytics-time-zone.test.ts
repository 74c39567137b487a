import assert from 'node:assert/strict'
import { it } from 'node:test'
import { foldCounts } from '../../src/events/fold-counts.ts'
import { raise } from '../../src/events/raise.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET /analytics?time_zone=', (service) => {
  /** Prompts at certain times. */
  async function promptsAt(agent: TestAgent, ...times: string[]): Promise<void> {
    const { db } = service.app.app.foundation.database
    await db.transaction().execute(async (db) => {
      for (const time of times) {
        const occurred_at = new Date(time).toISOString()
        await raise(db, { agent_id: agent.agentId, key: 'prompt_submit', occurred_at })
      }
    })
  }

  async function fold(at: string): Promise<void> {
    await foldCounts(service.app.app.foundation.database, Date.parse(at), new AbortController().signal)
  }

  /** The days on which there were prompts, with how many. */
  async function daysOf(agent: TestAgent, timeZone: string, from: string, to: string) {
    const query = new URLSearchParams({ from, to, time_zone: timeZone })
    const { status, body, text } = await agent.get(`/analytics?${query}`)
    assert.equal(status, 200, text)
    assert.equal(body.data.time_zone, timeZone)
    const days: { date: string; prompts: number }[] = body.data.days
    const all = days.reduce((sum, { prompts }) => sum + prompts, 0)
    assert.equal(body.data.totals.prompts, all)
    return Object.fromEntries(days.flatMap(({ date, prompts }) => (prompts ? [[date, prompts]] : [])))
  }

  for (const [timeZone, last, first] of [
    ['UTC', '2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00.000Z'],
    ['Europe/Berlin', '2026-11-19T22:59:59.999Z', '2026-11-19T23:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-20T07:59:59.999Z', '2026-11-20T08:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-19T18:14:59.999Z', '2026-11-19T18:15:00.000Z'],
    ['Australia/Lord_Howe', '2026-11-19T12:59:59.999Z', '2026-11-19T13:00:00.000Z'],
    ['Pacific/Chatham', '2026-11-19T10:14:59.999Z', '2026-11-19T10:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-19T09:59:59.999Z', '2026-11-19T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-11-20T10:59:59.999Z', '2026-11-20T11:00:00.000Z'],
  ] as const) {
    it(`200: ${timeZone}: days begin when they do there, before and after they are folded`, async () => {
      const agent = await service.addAgent()
      await promptsAt(agent, last, first, first)
      for (const folded of [null, '2026-11-30T00:00:00.000Z']) {
        if (folded) await fold(folded)
        const read = (from: string, to: string) => daysOf(agent, timeZone, from, to)
        assert.deepEqual(await read('2026-11-19', '2026-11-20'), { '2026-11-19': 1, '2026-11-20': 2 })
        assert.deepEqual(await read('2026-11-19', '2026-11-19'), { '2026-11-19': 1 })
        assert.deepEqual(await read('2026-11-20', '2026-11-20'), { '2026-11-20': 2 })
        assert.deepEqual(await read('2026-11-21', '2026-12-30'), {})
        assert.deepEqual(await read('2026-01-01', '2026-12-31'), { '2026-11-19': 1, '2026-11-20': 2 })
      }
    })
  }

  for (const [timeZone, day, begin, hours] of [
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    // Its summer begins at midnight: the day has no first hour.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
  ] as const) {
    it(`200: ${timeZone}: ${day} has ${hours} hours`, async () => {
      const agent = await service.addAgent()
      const at = (after: number) => new Date(Date.parse(begin) + after * 3_600_000).toISOString()
      await promptsAt(agent, at(-0.25), at(0), at(12), at(hours - 0.25), at(hours))
      const [before, after] = [-1, 1].map((days) => dayAfter(day, days))
      const read = await daysOf(agent, timeZone, dayAfter(day, -3), dayAfter(day, 3))
      assert.deepEqual(read, { [before ?? '']: 1, [day]: 3, [after ?? '']: 1 })
    })
  }

  it('200: a day that a zone left out has nothing', async () => {
    const agent = await service.addAgent()
    // Apia went from the evening of the 29th to the morning of the 31st.
    await promptsAt(agent, '2011-12-30T09:45:00.000Z', '2011-12-30T10:00:00.000Z')
    const read = await daysOf(agent, 'Pacific/Apia', '2011-12-28', '2012-01-02')
    assert.deepEqual(read, { '2011-12-29': 1, '2011-12-31': 1 })
  })

  it('200: today and the thirty days before, as they are there', async () => {
    const agent = await service.addAgent()
    service.clock = () => Date.parse('2026-11-20T11:30:00.000Z')
    for (const [timeZone, to] of [
      ['UTC', '2026-11-20'],
      ['Pacific/Kiritimati', '2026-11-21'],
      ['Pacific/Pago_Pago', '2026-11-20'],
      ['Pacific/Niue', '2026-11-20'],
    ] as const) {
      const { data } = (await agent.get(`/analytics?time_zone=${timeZone}`)).body
      assert.deepEqual([data.to, data.days.length], [to, 30])
    }
    const { data } = (await agent.get('/analytics')).body
    assert.equal(data.time_zone, 'UTC')
  })

  it('200: days that were counted as a whole stay with their date', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const old = { agent_id: agent.agentId, day: '2026-11-19', name: 'prompts', quarters: null }
    const shards = [0, 5].map((shard) => ({ ...old, shard, count: 2 }))
    await db.insertInto('day_counters').values(shards).execute()
    await promptsAt(agent, '2026-11-19T23:30:00.000Z')
    for (const folded of [null, '2026-11-30T00:00:00.000Z']) {
      if (folded) await fold(folded)
      const berlin = await daysOf(agent, 'Europe/Berlin', '2026-11-01', '2026-11-30')
      assert.deepEqual(berlin, { '2026-11-19': 4, '2026-11-20': 1 })
      assert.deepEqual(await daysOf(agent, 'UTC', '2026-11-01', '2026-11-30'), { '2026-11-19': 5 })
    }
  })

  it('folds days that are over, also what is counted late, whoever folds at once', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const kept = async (table: 'quarter_counters' | 'day_counters') =>
      (await db.selectFrom(table).selectAll().where('agent_id', '=', agent.agentId).execute()).length
    const times = Array.from({ length: 96 }, (_, at) =>
      new Date(Date.parse('2026-11-19') + at * 900_000).toISOString(),
    )
    await promptsAt(agent, ...times, '2026-11-20T10:00:00.000Z')
    await fold('2026-11-20T00:30:00.000Z')
    assert.equal(await kept('day_counters'), 0)
    await fold('2026-11-20T01:30:00.000Z')
    assert.deepEqual([await kept('quarter_counters'), await kept('day_counters')], [1, 1])
    await promptsAt(agent, ...times)
    await Promise.all([fold('2026-11-20T02:30:00.000Z'), fold('2026-11-20T02:30:00.000Z')])
    assert.deepEqual([await kept('quarter_counters'), await kept('day_counters')], [1, 1])
    const read = await daysOf(agent, 'UTC', '2026-11-18', '2026-11-21')
    assert.deepEqual(read, { '2026-11-19': 192, '2026-11-20': 1 })
    const there = await daysOf(agent, 'Asia/Kathmandu', '2026-11-18', '2026-11-21')
    assert.deepEqual(there, { '2026-11-19': 146, '2026-11-20': 47 })
  })

  it('a prompt writes as many rows of counts as it counts', async () => {
    const agent = await service.addAgent()
    service.clock = () => Date.parse('2026-11-20T11:30:00.000Z')
    await agent.prompt('hello')
    const { db } = service.app.app.foundation.database
    const rows = await db
      .selectFrom('quarter_counters')
      .select(['name', 'quarter', 'count'])
      .where('agent_id', '=', agent.agentId)
      .orderBy('name')
      .execute()
    assert.deepEqual(
      rows.map(({ name, quarter, count }) => [name, quarter, count]),
      ['prompts', 'responses', 'time:0'].map((name) => [name, 46, 1]),
    )
    const days = await db
      .selectFrom('day_counters')
      .selectAll()
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.deepEqual(days, [])
  })

  it('400: what is no name of a time zone', async () => {
    const agent = await service.addAgent()
    for (const wrong of ['', 'Mars/Olympus', '+05:45', 'Europe', 'Europe/Berlin ', 'x'.repeat(100), '1']) {
      const answer = await agent.get(`/analytics?time_zone=${encodeURIComponent(wrong)}`)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'time_zone', wrong)
    }
    for (const query of ['from=0000-01-01&to=0000-01-02', 'from=9999-12-30&to=9999-12-31'])
      assert.equal((await agent.get(`/analytics?${query}&time_zone=Asia/Kathmandu`)).status, 200)
  })
})

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
