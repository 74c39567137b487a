import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { holdJudge } from '../support/hold-judge.ts'
import { queriesOfRequests } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Line {
  cursor: string
  at: string
  type: string
  by?: { kind: string; id: number | null; name: string | null }
  message?: { id: number; role: string; content: string }
  note?: { text: string }
  details?: Record<string, unknown>
}

const wordOf = ({ type, message, note }: Line) => message?.content ?? note?.text ?? type

onBothEngines('GET /conversations/{id}/timeline', (service) => {
  const linesOf = async (agent: TestAgent, id: string, query = 'order=asc&per_page=100'): Promise<Line[]> =>
    (await agent.get(`/conversations/${id}/timeline?${query}`)).body.data

  /** A conversation with some of everything; returns its id and the lines in their order. */
  async function fill(agent: TestAgent) {
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const { conversation_id: id } = await agent.prompt('first')
    const path = `/agents/${agent.agentId}/conversations/${id}`
    await person.call('POST', `${path}/notes`, { text: 'a note' })
    await person.call('POST', `${path}/messages`, { content: 'by a person' })
    await person.call('POST', `${path}/resume`)
    await agent.prompt('second', { conversation_id: id })
    await agent.post(`/conversations/${id}/end`)
    await agent.prompt('third', { conversation_id: id })
    await agent.post(`/conversations/${id}/rating`, { score: 4 })
    const words = [
      'first',
      'first',
      'a note',
      'paused',
      'by a person',
      'assigned',
      'resumed',
      'second',
      'second',
      'ended',
    ]
    return { id, person, words: [...words, 'reopened', 'third', 'third', 'rated'] }
  }

  it('200: messages, notes and what happened in their order, with who did it and why', async () => {
    const agent = await service.addAgent()
    const { id, person, words } = await fill(agent)
    const lines = await linesOf(agent, id)
    assert.deepEqual(lines.map(wordOf), words)
    const of = (type: string) => lines.find((line) => line.type === type)
    const operator = { kind: 'operator', id: person.operatorId, name: 'Test Person' }
    assert.deepEqual([of('paused')?.by, of('paused')?.details], [operator, { reason: 'answered' }])
    assert.deepEqual([of('note')?.by, of('resumed')?.by], [operator, operator])
    assert.equal(of('ended')?.by?.kind, 'token')
    assert.equal(of('reopened')?.by?.kind, 'user')
    assert.deepEqual(of('rated')?.details, { score: 4 })
    assert.deepEqual(of('message')?.message, (await agent.get(`/conversations/${id}/messages`)).body.data[0])
    assert.deepEqual((await linesOf(agent, id, '')).map(wordOf), words.toReversed())
  })

  it('200: pages of any size meet without a gap or a double, in either order', async () => {
    const agent = await service.addAgent()
    const { id, words } = await fill(agent)
    for (const [order, expected] of [
      ['asc', words],
      ['desc', words.toReversed()],
    ] as const) {
      for (const size of [1, 2, 5, words.length]) {
        const seen: string[] = []
        let cursor = ''
        do {
          const { body } = await agent.get(
            `/conversations/${id}/timeline?order=${order}&per_page=${size}${cursor}`,
          )
          assert.ok(body.data.length > 0)
          assert.equal(body.data.at(-1).cursor, body.next_cursor ?? body.data.at(-1).cursor)
          seen.push(...body.data.map(wordOf))
          cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
        } while (cursor !== '')
        assert.deepEqual(seen, expected, `${order} by ${size}`)
      }
    }
  })

  it('200: from the cursor of any line, and around a message', async () => {
    const agent = await service.addAgent()
    const { id, words } = await fill(agent)
    const lines = await linesOf(agent, id)
    for (const [at, { cursor }] of lines.entries()) {
      const behind = await linesOf(agent, id, `order=asc&cursor=${cursor}`)
      assert.deepEqual(behind.map(wordOf), words.slice(at + 1))
      const before = await linesOf(agent, id, `order=desc&cursor=${cursor}`)
      assert.deepEqual(before.map(wordOf), words.slice(0, at).reverse())
    }
    const place = words.indexOf('by a person')
    const message = lines[place]?.message?.id
    assert.deepEqual(
      (await linesOf(agent, id, `order=asc&after=${message}`)).map(wordOf),
      words.slice(place + 1),
    )
    assert.deepEqual(
      (await linesOf(agent, id, `order=asc&before=${message}`)).map(wordOf),
      words.slice(0, place),
    )
  })

  it('200: from a time on, in a conversation of any length', async () => {
    const agent = await service.addAgent()
    const START = 1_800_000_000_000
    const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
    service.clock = () => START
    const { conversation_id } = await agent.prompt('at 0')
    for (const seconds of [10, 20, 30]) {
      service.clock = () => START + seconds * 1000
      await agent.post(`/conversations/${conversation_id}/messages`, { content: `at ${seconds}` })
    }
    const firstFrom = async (time: string) =>
      (await linesOf(agent, conversation_id, `order=asc&per_page=1&from=${encodeURIComponent(time)}`))[0]
    for (const [time, word] of [
      [at(-5), 'at 0'],
      [at(0), 'at 0'],
      [at(1), 'at 10'],
      [at(20), 'at 20'],
      [at(21), 'at 30'],
    ] as const) {
      const [line] = [await firstFrom(time)]
      assert.ok(line, time)
      // What happened right before the message of that time belongs to it.
      if (line.type === 'message') assert.equal(wordOf(line), word, time)
    }
    assert.equal(await firstFrom(at(31)), undefined)
  })

  it('200: a failed model is a line, with its kind and nothing that was said', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 500 })
    const failed = await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'x' }] })
    const id = failed.headers.get('x-conversation-id') ?? ''
    const lines = await linesOf(agent, id)
    assert.deepEqual(lines.map(wordOf), ['x', 'failed', 'waiting'])
    assert.deepEqual(lines[1]?.by?.kind, 'system')
    assert.deepEqual(lines[1]?.details, { code: 'model_failed', reason: 'status' })
  })

  it('200: an answer that nobody saw is marked', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('x')
    await using judge = await holdJudge()
    await agent.post('/ctas', { name: 'C', content: 'Look', evaluator_id: await judge.addTo(agent) })
    service.model.next({ text: 'too late' })
    const asked = agent.prompt('y', { conversation_id })
    // The answer is made and not stored: a pause that came earlier would have stopped it.
    await judge.asked
    await agent.post('/pause')
    await asked
    const { body } = await agent.get(`/conversations/${conversation_id}/timeline?order=asc`)
    const marks = body.data.filter(({ withheld }: { withheld?: boolean }) => withheld)
    assert.deepEqual(marks.map(wordOf), ['too late'])
  })

  it('200: a page reads as much in a long conversation as in a short one', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const { conversation_id } = await agent.prompt('x')
    const read = () => queriesOfRequests(db, () => linesOf(agent, conversation_id, 'per_page=20'))
    await read()
    const short = (await read()).length
    const row = { agent_id: agent.agentId, conversation_id, role: 'user' as const, content: '"y"' }
    const created_at = new Date().toISOString()
    for (let many = 0; many < 10; many++)
      await db
        .insertInto('messages')
        .values(
          Array.from({ length: 1000 }, () => ({
            ...row,
            created_at,
            completion_id: null,
            tool_calls: null,
            tool_call_id: null,
            author: null,
            redacted: null,
          })),
        )
        .execute()
    const queries = await read()
    assert.equal(queries.length, short)
    for (const { sql } of queries.filter(({ sql }) => /"(messages|happenings)"/.test(sql)))
      assert.match(sql, / limit /)
  })

  it('400: a cursor, an order, an id or a parameter that it does not know', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('x')
    for (const query of [
      'cursor=x',
      'cursor=1',
      'cursor=1.2.3',
      'order=up',
      'after=x',
      'before=-1',
      'page=1',
    ]) {
      const answer = await agent.get(`/conversations/${conversation_id}/timeline?${query}`)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, query.split('=')[0])
    }
  })

  it('403 with chat, 404 for others', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const site = await service.app.issue({ ...agent, right: 'chat' })
    const { conversation_id } = await agent.prompt('x')
    assertError(await site.get(`/conversations/${conversation_id}/timeline`), 403, 'insufficient_right')
    assertError(
      await stranger.get(`/conversations/${conversation_id}/timeline`),
      404,
      'conversation_not_found',
    )
  })
})
