import assert from 'node:assert/strict'
import { it } from 'node:test'
import { breakdowns } from '../../src/analytics/support/read-support.ts'
import type { SupportRow } from '../../src/analytics/support/tables.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET /analytics/support', (service) => {
  const opened = async (agent: TestAgent, fields = {}) =>
    (await agent.prompt('Where is my parcel?', fields)).conversation_id
  async function post(agent: TestAgent, path: string, body?: unknown) {
    const { status, text } = await agent.post(path, body)
    assert.ok(status < 300, `${path}: ${status} ${text}`)
  }
  async function read(agent: TestAgent, query = '') {
    const { status, body, text } = await agent.get(`/analytics/support${query}`)
    assert.equal(status, 200, text)
    return body.data
  }
  /** The figures that are not 0, in total. */
  async function figuresOf(agent: TestAgent) {
    const { totals } = await read(agent)
    return Object.fromEntries(Object.entries(totals).filter(([, value]) => Number(value) > 0))
  }

  /** One that the agent solved, one that a person solved, one that nobody came to, and one that goes on. */
  async function work(agent: TestAgent) {
    await post(agent, '/targets', { name: 'Soon', first_response: 60 })
    const [alone, together, left, open] = await Promise.all(
      ['alone', 'together', 'left', 'open'].map((name) => opened(agent, { tags: { 'crm:name': name } })),
    )
    await post(agent, `/conversations/${alone}/end`)
    await post(agent, `/conversations/${together}/wait`, { reason: 'asked' })
    await post(agent, `/conversations/${together}/messages`, { content: 'It is on its way.' })
    await agent.put(`/conversations/${together}/outcome`, { outcome: 'resolved' })
    await post(agent, `/conversations/${together}/rating`, { score: 4 })
    await post(agent, `/conversations/${left}/wait`, { reason: 'unanswered' })
    await post(agent, `/conversations/${left}/end`)
    await post(agent, `/conversations/${open}/end`)
    await post(agent, `/conversations/${open}/reopen`)
    await becomes(() => figuresOf(agent), {
      ...{ conversations: 4, waited: 2, waited_asked: 1, waited_unanswered: 1, answered: 1 },
      ...{ ended: 3, assumed: 1, resolved: 1, unanswered: 1, solved_by_agent: 1, solved_by_person: 1 },
      ...{ targets_met: 1, reopened: 1, asked: 1, rated: 1, rated_4: 1, rating_mean: 4, rating_share: 1 },
    })
  }

  it('200: what was solved, by whom, how fast, how it was rated', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    await work(agent)
    const { totals, rows, time_zone, by } = await read(agent)
    assert.deepEqual([time_zone, by], ['UTC', 'day'])
    assert.equal(rows.length, 30)
    for (const name of ['answer', 'answer_open', 'solution', 'solution_open'])
      assert.ok(totals[name].median_ms > 0 && totals[name].p90_ms >= totals[name].median_ms, name)
    assert.deepEqual(await figuresOf(other), {}, 'the figures of another agent')
  })

  it('200: each figure of each row leads to as many conversations', async () => {
    const agent = await service.addAgent()
    await work(agent)
    for (const timeZone of ['UTC', 'Asia/Kathmandu'])
      for (const by of breakdowns) {
        const { totals, rows, from, to } = await read(agent, `?by=${by}&time_zone=${timeZone}`)
        const isCount = (name: string) => Number.isInteger(totals[name]) && !name.startsWith('rating_')
        const names = Object.keys(totals).filter(isCount)
        for (const row of rows)
          for (const name of names) {
            if (row[name] === 0) continue
            const days = by === 'day' ? `${row.value}:${row.value}` : `${from}:${to}`
            const part = by === 'day' ? '' : `:${by}:${row.value}`
            const filter = `${name}:${days}:${timeZone}${part}`
            const query = new URLSearchParams({ view: 'all', in: filter })
            const { body, status, text } = await agent.get(`/inbox/bulk/count?${query}`)
            assert.equal(status, 200, text)
            assert.deepEqual(body.data.open + body.data.ended, row[name], filter)
            if (by === 'hour' || timeZone !== 'UTC') continue
            const listed = await agent.get(`/inbox?${query}`)
            assert.equal(listed.body.data.length, row[name], filter)
          }
        const sum = rows.reduce((all: number, row: { conversations: number }) => all + row.conversations, 0)
        assert.equal(sum, totals.conversations, by)
      }
  })

  it('200: of very many values, those with the most conversations', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const values = Array.from({ length: 2500 }, (_, at) => [`ticket:${at}`, (at * 7919) % 2500] as const)
    const rows = ['2026-03-03', '2026-03-04'].flatMap((day) =>
      values.map(([value, count]) => ({
        ...{ agent_id: agent.agentId, kind: 'tag' as const, day, value },
        counts: JSON.stringify({ conversations: [3, count], rated_5: [3, 1] }),
      })),
    )
    for (let at = 0; at < rows.length; at += 1000)
      await db
        .insertInto('support_counts')
        .values(rows.slice(at, at + 1000))
        .execute()
    const heaviest = values.toSorted(([, a], [, b]) => b - a).slice(0, 100)
    const { rows: read } = (await agent.get('/analytics/support?by=tag&from=2026-03-01&to=2026-03-09')).body
      .data
    assert.deepEqual(
      read.map((row: { value: string; conversations: number; rated_5: number }) => [
        row.value,
        row.conversations,
        row.rated_5,
      ]),
      heaviest.map(([value, count]) => [value, 2 * count, 2]),
    )
  })

  it('200: CSV with a line for each conversation that is counted, from which the figures follow', async () => {
    const agent = await service.addAgent()
    await work(agent)
    await agent.prompt('And mine?', { tags: { name: '=1+1' } })
    await becomes(async () => (await read(agent)).totals.conversations, 5)
    const { totals, from, to } = await read(agent)
    const path = `/analytics/support/conversations?from=${from}&to=${to}`
    const { status, headers, text } = await download(agent, path)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    const [names = [], ...lines] = linesOf(text)
    assert.equal(lines.length, 5)
    const at = (name: string) => {
      assert.ok(names.includes(name), name)
      return lines.map((line) => line[names.indexOf(name)] ?? '')
    }
    assert.equal(new Set(at('conversation_id')).size, 5)
    const count = (name: string, value?: string) =>
      at(name).filter((found) => (value === undefined ? found !== '' : found === value)).length
    for (const [figure, column, value] of [
      ['waited', 'waited_at'],
      ['waited_asked', 'waiting_reason', 'asked'],
      ['answered', 'answered_at'],
      ['ended', 'ended_at'],
      ['resolved', 'outcome', 'resolved'],
      ['solved_by_agent', 'solved_by', 'agent'],
      ['reopened', 'reopened_at'],
      ['targets_met', 'targets_met_at'],
      ['rated_4', 'rating', '4'],
    ] as const)
      assert.equal(count(column, value), totals[figure], figure)
    assert.ok(at('tags').includes('["name:=1+1"]'))
    const before = await download(agent, '/analytics/support/conversations?from=2020-01-01&to=2020-01-31')
    assert.deepEqual(linesOf(before.text), [names])
  })

  it('200: CSV of more conversations than are read at once, each once, in days of a time zone', async () => {
    const { agentId, ...agent } = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const row = (number: number, fields: Partial<SupportRow>) => ({
      ...NOTHING,
      ...{
        conversation_id: `made-${agentId}-${String(number).padStart(4, '0')}`,
        agent_id: agentId,
        tags: '[]',
      },
      started_at: '2026-03-01T12:00:00.000Z',
      ...fields,
    })
    const rows = [
      ...Array.from({ length: 1200 }, (_, number) => row(number, { ended_at: '2026-03-02T12:00:00.000Z' })),
      row(1200, {
        started_at: '2026-02-01T00:00:00.000Z',
        ended_at: '2026-03-02T12:00:00.000Z',
        operator_id: 9,
      }),
      row(1201, { started_at: '2026-03-31T15:00:00.000Z' }),
      row(1202, { started_at: '2026-02-28T14:59:59.999Z' }),
    ]
    for (let from = 0; from < rows.length; from += 200)
      await db
        .insertInto('support_rows')
        .values(rows.slice(from, from + 200))
        .execute()
    const query = 'from=2026-03-01&to=2026-03-31&time_zone=Asia/Tokyo'
    const { text } = await download(agent, `/analytics/support/conversations?${query}`)
    const ids = linesOf(text)
      .slice(1)
      .map(([id]) => id)
    const expected = rows.slice(0, 1201).map(({ conversation_id }) => conversation_id)
    assert.deepEqual(ids, expected)
  })

  it('403: a person who may not see all conversations', async () => {
    const agent = await service.addAgent()
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const paths = ['', '/conversations'].map((path) => `/agents/${agent.agentId}/analytics/support${path}`)
    for (const path of paths) assert.equal((await person.call('GET', path)).status, 200, path)
    await owner.call('PATCH', `/operators/${person.operatorId}`, { scope: 'own' })
    for (const path of paths) {
      const refused = await person.call('GET', path)
      assertError(refused, 403, 'insufficient_right')
      assert.match(refused.body.error.message, /the scope 'all', or the right 'manage'/)
    }
    await owner.call('PATCH', `/operators/${person.operatorId}`, { right: 'manage' })
    for (const path of paths) assert.equal((await person.call('GET', path)).status, 200, path)
  })

  it('400: what is not a figure, a breakdown, a period or a time zone', async () => {
    const agent = await service.addAgent()
    for (const query of ['?to=2026-02-30', '?time_zone=Mars', '?from=2026-02-01&to=2026-01-01'])
      assertError(await agent.get(`/analytics/support/conversations${query}`), 400, 'invalid_request')
    for (const query of ['?by=week', '?time_zone=Mars', '?from=2026-01-01&to=2027-06-01', '?from=soon'])
      assertError(await agent.get(`/analytics/support${query}`), 400, 'invalid_request')
    for (const filter of [
      'none:2026-01-01:2026-01-31:UTC',
      'ended:2026-01-31:2026-01-01:UTC',
      'ended:2025-01-01:2026-01-31:UTC',
      'ended:2026-01-01:2026-01-31:Mars',
      'ended:2026-01-01:2026-01-31:UTC:hour:24',
      'ended:2026-01-01:2026-01-31:UTC:operator:nobody',
      'ended:2026-02-31:2026-02-31:UTC',
      'toString:2026-01-01:2026-01-31:UTC',
      'ended',
    ])
      assertError(
        await agent.get(`/inbox?${new URLSearchParams({ view: 'all', in: filter })}`),
        400,
        'invalid_request',
      )
  })
})

/** The facts of a conversation in which nothing has happened. */
const NOTHING = {
  ...{ channel_id: null, language: null, group_id: null, operator_id: null },
  ...{ waited_at: null, reason: null, answered_at: null, answer_ms: null, answer_open_ms: null },
  ...{ ended_at: null, outcome: null, solved_by: null, solution_ms: null, solution_open_ms: null },
  ...{ reopened_at: null, met_at: null, missed_at: null, asked_at: null, rated_at: null, score: null },
}

/** Fetches a file, which is no JSON. */
async function download({ baseUrl, headers }: Pick<TestAgent, 'baseUrl' | 'headers'>, path: string) {
  const answer = await fetch(`${baseUrl}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Reads lines of CSV without line breaks in values. */
function linesOf(text: string): string[][] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    )
}
