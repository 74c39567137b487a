import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timeOfBucket } from '../../src/events/count.ts'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET /analytics', (service) => {
  it('200: what happened each day, and in all', async () => {
    const agent = await service.addAgent()
    let now = Date.parse('2026-11-19T12:00:00.000Z')
    service.clock = () => now
    for (const name of ['C', 'D'])
      await agent.post('/ctas', { name, content: 'Look', url: 'https://example.com/' })
    const first = await agent.prompt('one')
    await agent.post(`/chat/completions/${first.id}/like`, { liked: true })
    await agent.post(`/chat/completions/${first.id}/like`, { liked: true })
    await agent.post(`/chat/completions/${first.id}/flag`, { flagged: true })
    await agent.post(`/chat/completions/${first.id}/clicks`, { kind: 'cta', target: 'https://example.com/' })
    now += 24 * 60 * 60 * 1000
    for (let count = 0; count < 20; count++) await agent.prompt('two')
    const slow = Promise.withResolvers<void>()
    service.model.next({ text: 'slow', after: slow.promise })
    const late = agent.prompt('late')
    await service.model.request(21)
    now += 2000
    slow.resolve()
    await late
    await agent.post(`/chat/completions/${first.id}/like`, { liked: null })
    await agent.post(`/chat/completions/${first.id}/flag`, { flagged: false })
    service.model.next({ status: 500 })
    await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'fails' }] })

    const { status, body } = await agent.get('/analytics?from=2026-11-18&to=2026-11-20')
    assert.equal(status, 200)
    const [none, one, two] = body.data.days
    assert.deepEqual([none.date, none.prompts, none.median_ms, none.cta_rate], ['2026-11-18', 0, null, null])
    assert.deepEqual(
      [one.prompts, one.responses, one.likes, one.flags, one.ctas_shown, one.cta_clicks, one.cta_rate],
      [1, 1, 1, 1, 2, 1, 0.5],
    )
    assert.deepEqual([two.prompts, two.responses, two.likes, two.flags, two.errors], [22, 21, -1, -1, 1])
    assert.equal(two.median_ms, 1)
    assert.ok(two.p95_ms <= 2100)
    assert.deepEqual([body.data.totals.prompts, body.data.totals.likes], [23, 0])
  })

  it('200: half of the responses took no longer than the median, and 95 of 100 than p95', async () => {
    const agent = await service.addAgent()
    const day = '2026-11-18'
    const counts = [
      ['time:100', 5],
      ['time:9', 50],
      ['time:20', 45],
    ] as const
    await service.app.app.foundation.database.db
      .insertInto('day_counters')
      .values(
        counts.map(([name, count]) => ({
          agent_id: agent.agentId,
          day,
          name,
          shard: 0,
          count,
          quarters: null,
        })),
      )
      .execute()
    const { totals } = (await agent.get(`/analytics?from=${day}&to=${day}`)).body.data
    assert.deepEqual([totals.median_ms, totals.p95_ms], [timeOfBucket(9), timeOfBucket(20)])
  })

  it('200: the last thirty days when nothing is said; other agents are not counted', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    await other.prompt('hello')
    const { body } = await agent.get('/analytics')
    assert.equal(body.data.days.length, 30)
    assert.equal(body.data.totals.prompts, 0)
    assert.equal(body.data.to, new Date().toISOString().slice(0, 10))
  })

  it('200: the first days that there are', async () => {
    const agent = await service.addAgent()
    const { body } = await agent.get('/analytics?to=0000-01-02')
    assert.equal(body.data.from, '0000-01-01')
    assert.deepEqual(
      body.data.days.map(({ date }: { date: string }) => date),
      ['0000-01-01', '0000-01-02'],
    )
  })

  it('400: no days, days in the wrong order, too many', async () => {
    const agent = await service.addAgent()
    for (const query of [
      'from=yesterday',
      'to=2026-13-01',
      'from=2026-02-02&to=2026-02-01',
      'from=2020-01-01&to=2026-01-01',
      'from=2025-01-01&to=2026-01-02',
    ])
      assertError(await agent.get(`/analytics?${query}`), 400, 'invalid_request')
    const { days } = (await agent.get('/analytics?from=2025-01-01&to=2026-01-01')).body.data
    assert.equal(days.length, 366)
    assert.equal((await fetch(`${agent.baseUrl}/analytics`)).status, 403)
  })
})

onBothEngines(
  'GET /analytics of an agent without a model',
  (service) => {
    it('counts what it did not know', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: 'You may return a kettle within 30 days.' })
      await agent.prompt('When may I return a kettle?')
      await agent.prompt('Who won the football match yesterday?')
      await agent.prompt('Thanks!')
      const { totals } = (await agent.get('/analytics')).body.data
      assert.deepEqual([totals.responses, totals.unanswered], [3, 1])
    })
  },
  { PARLEY_MODEL_URL: '' },
)
