import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { type ErrorCode, errorTable } from '../../src/errors.ts'
import type { Tables } from '../../src/storage/tables.ts'
import type { TestAgent } from '../support/app.ts'
import { addDataset, asks } from '../support/datasets.ts'
import { onBothEngines, type Service } from '../support/on-both-engines.ts'

const AT_ONCE = 8
const QUESTION = 'Can I swap a kettle that I bought as a gift?'

/** A limit: the table of what is counted, the number that there may be, and requests that each add one. */
interface Limit {
  readonly table: keyof Tables
  readonly most: number
  /** The columns in which no two rows are alike. */
  readonly unlike?: readonly string[]
  /** Prepares what the requests need, and returns the request with a number. */
  begin(agent: TestAgent): Promise<(n: number) => Promise<{ status: number; text: string }>>
}

/** A limit of what a request adds that needs nothing before it. */
function plain(
  table: keyof Tables,
  most: number,
  path: string,
  body: (n: number) => object,
  unlike: readonly string[] = [],
): Limit {
  return { table, most, unlike, begin: async (agent) => (n) => agent.post(path, body(n)) }
}

/** By the error that tells of the limit. */
const LIMITS: Record<string, Limit> = {
  too_many_groups: plain(
    'groups',
    100,
    '/groups',
    (n) => ({ name: `Group ${n}`, operators: [], agents: [] }),
    ['name'],
  ),
  too_many_targets: plain('targets', 100, '/targets', () => ({ name: 'Fast', resolution: 60 })),
  too_many_tools: plain(
    'tools',
    100,
    '/tools',
    (n) => ({ kind: 'http', name: `tool_${n}`, description: 'Looks up.', url: 'https://shop.example/look' }),
    ['name'],
  ),
  too_many_datasets: plain('datasets', 100, '/datasets', () => ({ name: 'Returns' })),
  too_many_bulk_acts: plain('bulk_acts', 20, '/inbox/bulk', () => ({
    filter: { view: 'open' },
    action: { type: 'end' },
  })),
  too_many_replies: plain(
    'replies',
    1000,
    '/replies',
    (n) => ({ shortcut: `reply-${n}`, content: 'Hello' }),
    ['shortcut', 'shortcut_key'],
  ),
  too_many_views: plain('saved_views', 30, '/views', () => ({
    name: 'Open',
    query: { view: 'open' },
    shared: true,
  })),
  too_many_macros: plain('macros', 100, '/macros', () => ({
    name: 'End it',
    actions: [{ type: 'end_conversation' }],
    shared: true,
  })),
  too_many_imports: plain('knowledge_imports', 100, '/knowledge/imports', () => ({
    url: 'https://shop.example/help',
  })),
  too_many_cases: {
    table: 'dataset_cases',
    most: 500,
    async begin(agent) {
      const { id } = await addDataset(agent)
      return () => agent.post(`/datasets/${id}/cases`, asks(QUESTION))
    },
  },
  too_many_runs: {
    table: 'test_runs',
    most: 10,
    async begin(agent) {
      const datasets = await Promise.all(
        Array.from({ length: AT_ONCE + 1 }, () => addDataset(agent, [asks(QUESTION)])),
      )
      return (n) => agent.post('/runs', { dataset_id: datasets[n]?.id })
    },
  },
  too_many_proposals: {
    table: 'knowledge_proposals',
    most: 200,
    async begin(agent) {
      const answered = async () => {
        const { conversation_id } = await agent.prompt(QUESTION)
        await agent.post(`/conversations/${conversation_id}/messages`, { content: 'Yes, with the receipt.' })
        return conversation_id
      }
      const conversations = await Promise.all(Array.from({ length: AT_ONCE + 1 }, answered))
      return (n) => agent.post('/knowledge/proposals', { conversation_id: conversations[n] })
    },
  },
}

/** Copies the only row of an agent in a table, so that all but one of those that may be there are. */
async function fill({ app }: Service, agent: TestAgent, { table, most, unlike = [] }: Limit): Promise<void> {
  const { db } = app.app.foundation.database
  const owner = table === 'groups' ? sql`team_id = ${agent.teamId}` : sql`agent_id = ${agent.agentId}`
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(table)} where ${owner}`.execute(db)
  assert.equal(rows.length, 1, 'the first request has added a row')
  const { id: _, ...row } = rows[0] as Record<string, unknown>
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  for (let n = 2; n < most; n++) {
    const copy = { ...row, ...Object.fromEntries(unlike.map((name) => [name, `copy-${n}`])) }
    await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(copy))})`.execute(
      db,
    )
  }
}

describe('the list of limits', () => {
  it('has each error that tells of one', () => {
    // Tags are limited by what one request brings.
    const errors = Object.keys(errorTable).filter(
      (code) => /^too_many_/.test(code) && code !== 'too_many_tags',
    )
    assert.deepEqual(Object.keys(LIMITS).toSorted(), errors.toSorted())
  })

  it('has the numbers that their messages name', () => {
    for (const [code, { most }] of Object.entries(LIMITS))
      assert.match(errorTable[code as ErrorCode][1], new RegExp(`at most ${most} `), code)
  })
})

onBothEngines(
  'requests at once that each add one',
  (service) => {
    for (const [code, limit] of Object.entries(LIMITS))
      it(`409 ${code} for all but the last that there may be`, async () => {
        const agent = await service.addAgent()
        const add = await limit.begin(agent)
        const first = await add(0)
        assert.ok(first.status < 300, first.text)
        await fill(service, agent, limit)
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => add(n + 1)))
        const refused = answers.filter(({ status }) => status === 409)
        assert.equal(refused.length, AT_ONCE - 1, answers.map(({ text }) => text).join('\n'))
        for (const { text } of refused) assert.equal(JSON.parse(text).error.code, code)
      })
  },
  // Nothing that is added is worked and done meanwhile.
  { PARLEY_ROLES: 'api' },
)
