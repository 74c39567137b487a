import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const FIELDS = [
  'id',
  'external_id',
  'agent_id',
  'team_id',
  'tags',
  'started_at',
  'ended_at',
  'agent_paused',
  'agent_paused_at',
  'agent_resumed_at',
]
const MANY = 103
const AT_ONCE = 20

onBothEngines('GET /conversations', (service) => {
  let many: TestAgent

  before(async () => {
    many = await service.addAgent()
    // More at once would wait for a connection for longer than a request may, on a busy machine.
    for (let n = 0; n < MANY; n += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, MANY - n) }, (_, at) => many.prompt(`prompt ${n + at}`)),
      )
  })

  it('200: exactly the fields of the interface, null where nothing is set', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('hello')
    const { status, body } = await agent.get('/conversations')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['data', 'total', 'page', 'per_page'])
    const [{ started_at, ...conversation }] = body.data
    assert.deepEqual(Object.keys(body.data[0]), FIELDS)
    assert.match(started_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(conversation, {
      id: conversation_id,
      external_id: null,
      agent_id: agent.agentId,
      team_id: agent.teamId,
      tags: null,
      ended_at: null,
      agent_paused: false,
      agent_paused_at: null,
      agent_resumed_at: null,
    })
  })

  it('200: the fields that are set', async () => {
    const agent = await service.addAgent()
    await agent.prompt('hello', { external_id: 'order-7', tags: { vip: true, plan: { name: 'gold' } } })
    await agent.post('/conversations/order-7/pause')
    await agent.post('/conversations/order-7/resume')
    await agent.post('/conversations/order-7/pause')
    await agent.post('/conversations/order-7/end')
    const [conversation] = (await agent.get('/conversations')).body.data
    assert.equal(conversation.external_id, 'order-7')
    assert.deepEqual(conversation.tags, { vip: true, plan: { name: 'gold' } })
    assert.equal(conversation.agent_paused, true)
    for (const field of ['ended_at', 'agent_paused_at', 'agent_resumed_at']) {
      assert.match(conversation[field], /^\d{4}-.*Z$/, field)
    }
  })

  it('200: an agent without conversations has an empty page', async () => {
    const agent = await service.addAgent()
    const { body } = await agent.get('/conversations')
    assert.deepEqual(body, { data: [], total: 0, page: 1, per_page: 50 })
  })

  it('200: page is 1 and per_page 50 when not given', async () => {
    const { body } = await many.get('/conversations')
    assert.deepEqual(pageOf(body), { items: 50, total: MANY, page: 1, per_page: 50 })
  })

  for (const [query, expected] of [
    ['per_page=100', { items: 100, page: 1, per_page: 100 }],
    ['per_page=101', { items: 100, page: 1, per_page: 100 }],
    ['per_page=1000000', { items: 100, page: 1, per_page: 100 }],
    ['per_page=99999999999999999999', { items: 100, page: 1, per_page: 100 }],
    ['per_page=0', { items: 1, page: 1, per_page: 1 }],
    ['per_page=-7', { items: 1, page: 1, per_page: 1 }],
    ['page=0', { items: 50, page: 1, per_page: 50 }],
    ['page=-5', { items: 50, page: 1, per_page: 50 }],
    ['page=3', { items: 3, page: 3, per_page: 50 }],
    ['page=2&per_page=100', { items: 3, page: 2, per_page: 100 }],
    ['page=%2B2&per_page=007', { items: 7, page: 2, per_page: 7 }],
    ['page=4', { items: 0, page: 4, per_page: 50 }],
    ['page=999999999999999&per_page=100', { items: 0, page: 999_999_999_999_999, per_page: 100 }],
    ['unknown=1', { items: 50, page: 1, per_page: 50 }],
  ] as const) {
    it(`200: ${query}`, async () => {
      const { status, body } = await many.get(`/conversations?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(pageOf(body), { ...expected, total: MANY })
    })
  }

  for (const value of ['abc', '1.5', '', '1e2', '%201', '0x10', '--1', 'NaN', '%EF%BC%91', '1;2', 'null']) {
    for (const name of ['page', 'per_page']) {
      it(`400: ${name}=${value} is no integer`, async () => {
        const answer = await many.get(`/conversations?${name}=${value}`)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, name)
      })
    }
  }

  it('400: page given twice', async () => {
    assertError(await many.get('/conversations?page=1&page=2'), 400, 'invalid_request')
  })

  it('200: newest first by (started_at, id), each once over all pages', async () => {
    const seen = await readPages(many, 7)
    assert.equal(new Set(seen.map(({ id }) => id)).size, MANY)
    assert.deepEqual(seen, seen.toSorted(newestFirst))
  })

  it('200: the order is that of opening while the clock stands still or goes back', async () => {
    const agent = await service.addAgent()
    const opened: string[] = []
    for (const time of [0, 0, 0, -60_000, -1, 5].map((shift) => 1_800_000_000_000 + shift)) {
      service.clock = () => time
      opened.unshift((await agent.prompt('hello')).conversation_id)
    }
    const { data } = (await agent.get('/conversations')).body
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      opened,
    )
    assert.deepEqual(data, data.toSorted(newestFirst))
  })

  it('200: with snapshot no page repeats or skips one while conversations are being opened', async () => {
    const agent = await service.addAgent()
    await Promise.all(Array.from({ length: 20 }, () => agent.prompt('before')))
    const first = (await agent.get('/conversations?per_page=3')).body
    const expected = (await agent.get('/conversations')).body.data
    const seen = [...first.data]
    let opening = true
    const opened = (async () => {
      let count = 0
      for (; opening; count++) await agent.prompt('meanwhile')
      return count
    })()
    try {
      for (let page = 2; page <= Math.ceil(first.total / 3); page++) {
        // A page is asked for only when the list has moved on since the one before.
        await agent.prompt('between two pages')
        const { body } = await agent.get(`/conversations?per_page=3&page=${page}&snapshot=${first.total}`)
        assert.equal(body.total, first.total)
        seen.push(...body.data)
      }
    } finally {
      opening = false
    }
    assert.ok((await opened) > 0)
    assert.deepEqual(seen, expected)
  })

  it('200: a snapshot beyond the present total is the present total, and of 0 holds nothing', async () => {
    const beyond = (await many.get(`/conversations?snapshot=${MANY + 1000}`)).body
    assert.deepEqual(pageOf(beyond), { items: 50, total: MANY, page: 1, per_page: 50 })
    const empty = (await many.get('/conversations?snapshot=0')).body
    assert.deepEqual(empty, { data: [], total: 0, page: 1, per_page: 50 })
  })

  for (const value of ['-1', 'abc', '1.5', '']) {
    it(`400: snapshot=${value}`, async () => {
      assertError(await many.get(`/conversations?snapshot=${value}`), 400, 'invalid_request')
    })
  }

  it("200: another agent's conversations are not listed, of the same team or another", async () => {
    const agent = await service.addAgent()
    const colleague = await service.addAgent({ teamId: agent.teamId })
    const stranger = await service.addAgent()
    const mine = await agent.prompt('mine')
    await colleague.prompt("a colleague's")
    await stranger.prompt("a stranger's")
    const { data, total } = (await agent.get('/conversations')).body
    assert.equal(total, 1)
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [mine.conversation_id],
    )
  })

  it('403: without credentials', async () => {
    const answer = await many.call('GET', '/conversations?page=abc', undefined, { 'x-api-key': '' })
    assertError(answer, 403, 'invalid_credentials')
  })
})

interface Listed {
  id: string
  started_at: string
}

function newestFirst(a: Listed, b: Listed): number {
  const [left, right] = [a, b].map(({ started_at, id }) => `${started_at} ${id}`) as [string, string]
  return left < right ? 1 : -1
}

async function readPages(agent: TestAgent, perPage: number): Promise<Listed[]> {
  const seen: Listed[] = []
  for (let page = 1; ; page++) {
    const { data } = (await agent.get(`/conversations?per_page=${perPage}&page=${page}`)).body
    if (data.length === 0) return seen
    seen.push(...data)
  }
}

function pageOf(body: { data: unknown[]; total: number; page: number; per_page: number }) {
  return { items: body.data.length, total: body.total, page: body.page, per_page: body.per_page }
}
