import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent, TestAnswer } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { needsCredentials } from '../support/conforms.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { rowsOfAgent } from '../support/rows-of-agent.ts'
import { withoutFilters } from '../support/without-filters.ts'

interface Document {
  paths: Record<string, Record<string, { security?: object[] }>>
}

/** Bodies that the routes take; those of the others need none. */
const bodies: Record<string, unknown> = {
  'POST /conversations/{id}/messages': { content: 'hello' },
  'POST /chat/completions/{id}/like': { liked: true },
  'POST /chat/completions/{id}/flag': { flagged: true },
  'POST /chat/completions/{id}/feedback': { feedback: 'good' },
  'POST /chat/completions/{id}/clicks': { kind: 'footer', target: 'x' },
  'POST /evaluators/{id}/try': { text: 'x' },
  'POST /channels/{id}/test-message': { to: 'x', text: 'x' },
  'PATCH /conversations/{id}': { tags: {} },
  'POST /datasets/{id}/cases': { messages: [{ role: 'user', content: 'x' }] },
  'POST /conversations/{id}/notes': { text: 'x' },
  'POST /conversations/{id}/rating': { score: 5 },
  'PUT /conversations/{id}/read': { message_id: 1 },
  'POST /conversations/{id}/translate': { to: 'de', text: 'x' },
  'PUT /conversations/{id}/draft': { mode: 'reply', content: 'x' },
  'PUT /conversations/{id}/assignee': { operator_id: null },
  'PUT /conversations/{id}/outcome': { outcome: 'resolved' },
  'PUT /conversations/{id}/priority': { priority: 'high' },
  'PUT /conversations/{id}/snooze': { until: null },
  'PUT /users/{id}/blocked': { blocked: true },
  'POST /users/{id}/merge': { into: 'x' },
}

/** Paths of objects that belong to a team rather than to one agent. */
const ofTeam = /^\/(operators|groups|team|agents|tokens|audit)\b/

/** Tells whether a path names an object. Of work it names a kind. */
const hasId = (path: string) => path.includes('{') && !path.startsWith('/work/')

/** Values that no `{id}` has: larger than a column or an exact number holds, and other spellings of a number. */
const odd = ['2147483648', '999999999999999', '9007199254740993', '01', '1.0', '+1', '1e0', '0x1', '-1', '٣']

/** Kinds whose objects cannot be read one by one. */
const withoutGet = [
  '/agent/versions',
  '/tools',
  '/users',
  '/operators',
  '/groups',
  '/agents',
  '/tokens',
  '/rules',
  '/replies',
  '/views',
  '/macros',
  '/targets',
  '/knowledge/unanswered',
]

onBothEngines('authorization', (service) => {
  /** Every credentialed route of the service as its own document lists it: `GET /conversations`, … */
  async function routes(): Promise<{ method: string; path: string }[]> {
    const document = (await (await fetch(`${service.app.url}/openapi.json`)).json()) as Document
    return Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => needsCredentials(operation))
        .map(([method]) => ({ method: method.toUpperCase(), path: path.replace('/api/v1', '') })),
    )
  }

  function call(agent: TestAgent, method: string, path: string, id: string): Promise<TestAnswer> {
    const filled = path.replace('{kind}', 'guardrail').replace(/\{\w+\}/g, encodeURIComponent(id))
    const body = bodies[`${method} ${path}`] ?? (method === 'POST' || method === 'PATCH' ? {} : undefined)
    return agent.call(method, filled, body)
  }

  /** Asserts a 404, or the 403 that a route for people only answers whatever the id. */
  async function assertNotFound(agent: TestAgent, method: string, path: string, id: string): Promise<void> {
    const { status, text, body } = await call(agent, method, path, id)
    if (body?.error?.code !== 'operator_needed') assert.equal(status, 404, `${method} ${path} ${id}: ${text}`)
  }

  /** Adds an object of each kind that has ids. Returns their ids by the beginning of their paths. */
  async function addEverything(agent: TestAgent): Promise<Record<string, string>> {
    const { id, number, conversation_id } = await agent.prompt('hello', {
      external_id: 'theirs',
      user: 'ann',
    })
    const made = async (path: string, body: unknown) =>
      String((await agent.post(path, body)).body.data.id as number)
    const { body } = await agent.patch('/agent', { model: { name: 'their-model' } })
    const evaluator = await made('/evaluators', { name: 'e', kind: 'length', settings: { max: 5 } })
    const person = { email: `${crypto.randomUUID()}@example.com`, right: 'read' }
    const dataset = await made('/datasets', { name: 'd' })
    const asked = { messages: [{ role: 'user', content: 'x' }] }
    await made(`/datasets/${dataset}/cases`, asked)
    const guardrail = await made('/guardrails', {
      name: 'g',
      on: 'prompt',
      evaluator_id: Number(evaluator),
      action: 'flag',
    })
    await agent.patch('/agent', { instructions: 'x' })
    return {
      '/agent/versions': '2',
      '/operators': await made('/operators', person),
      '/groups': await made('/groups', { name: 'g' }),
      '/agents': String(agent.agentId),
      '/tokens': await made('/tokens', {}),
      '/conversations': conversation_id,
      '/inbox': conversation_id,
      '/chat/completions': id,
      '/chat/completions/': String(number),
      '/users': 'ann',
      '/models': body.data.model.name,
      '/evaluators': evaluator,
      '/guardrails': guardrail,
      '/responses': `resp_${id.replaceAll('-', '')}`,
      '/rules': guardrail,
      '/replies': await made('/replies', { shortcut: 'r', content: 'x' }),
      '/macros': await made('/macros', { name: 'm', actions: [{ type: 'request_person' }], shared: true }),
      '/targets': await made('/targets', { name: 't', resolution: 1 }),
      '/views': await made('/views', { name: 'v', query: { view: 'open' }, shared: true }),
      '/tools': await made('/tools', {
        kind: 'http',
        name: 't',
        description: 'x',
        url: 'http://127.0.0.1:9/',
      }),
      '/datasets': dataset,
      '/runs': await made('/runs', { dataset_id: Number(dataset) }),
      '/widgets': await made('/widgets', { name: 'w' }),
      '/inbox/bulk': await made('/inbox/bulk', { action: { type: 'end' }, ids: [conversation_id] }),
      '/ctas': await made('/ctas', { name: 'c', content: 'x' }),
      '/automations': await made('/automations', { name: 'a', actions: [{ type: 'pause_conversation' }] }),
      '/notifications': await made('/notifications', { name: 'n', url: 'http://127.0.0.1:9', events: ['*'] }),
      '/channels': await made('/channels', { kind: 'helpdesk' }),
      '/knowledge': await made('/knowledge', { title: 'k', content: 'text' }),
      '/knowledge/imports': await made('/knowledge/imports', { url: 'http://127.0.0.1:9' }),
      '/knowledge/proposals': await proposal(agent.agentId, { conversation_id, completion_id: id }),
      '/knowledge/unanswered': await unanswered(agent.agentId, { conversation_id, completion_id: id }),
    }
  }

  async function proposal(agent_id: number, place: { conversation_id: string; completion_id: string }) {
    const at = new Date().toISOString()
    const row = { agent_id, ...place, created_at: at, updated_at: at, due_at: null, leased_until: null }
    const { db } = service.app.app.foundation.database
    const stored = db.insertInto('knowledge_proposals').values(row).returning('id')
    return String((await stored.executeTakeFirstOrThrow()).id)
  }

  async function unanswered(agent_id: number, place: { conversation_id: string; completion_id: string }) {
    const at = new Date().toISOString()
    const row = { agent_id, ...place, words_hash: 'x', count: 1, first_asked_at: at, last_asked_at: at }
    const { db } = service.app.app.foundation.database
    const stored = db.insertInto('unanswered_questions').values(row).returning('id')
    return String((await stored.executeTakeFirstOrThrow()).id)
  }

  it('403 on every route without both credentials, before anything else is looked at', async () => {
    const { baseUrl } = service.app
    const listed = await routes()
    assert.ok(listed.length > 60)
    const answers = await Promise.all(
      listed.map(async ({ method, path }) => {
        const answer = await fetch(baseUrl + path.replace(/\{\w+\}/g, '1'), { method })
        return `${answer.status} ${((await answer.json()) as { error: { code: string } }).error.code}`
      }),
    )
    assert.deepEqual(new Set(answers), new Set(['403 invalid_credentials']))
  })

  it("404 on every route for another agent's objects, of the same team too", async () => {
    const owner = await service.addAgent()
    const ids = Object.entries(await addEverything(owner))
    const others = [await service.addAgent({ teamId: owner.teamId }), await service.addAgent()]
    for (const { method, path } of await routes()) {
      if (!hasId(path)) continue
      const strangers = ofTeam.test(path) ? others.slice(1) : others
      const theirs = ids.filter(([kind]) => path.startsWith(`${kind.replace(/\/$/, '')}/{`))
      assert.ok(theirs.length > 0, path)
      for (const other of strangers) {
        for (const [, id] of theirs) {
          await assertNotFound(other, method, path, id)
        }
      }
    }
    for (const [kind, id] of ids) {
      if (!withoutGet.includes(kind))
        assert.equal((await owner.get(`${kind.replace(/\/$/, '')}/${id}`)).status, 200, kind)
    }
  })

  if (service.engine === 'postgres')
    it("404 although no query looks at the agent: the database keeps other agents' rows", async () => {
      const owner = await service.addAgent()
      const ids = Object.entries(await addEverything(owner))
      const other = await service.addAgent()
      const { db } = service.app.app.foundation.database
      // Background work of the owner, also that which is due in a moment, would change the rows that are compared.
      await becomes(async () => {
        const { data } = (await owner.get('/work')).body
        const busy = data.filter(({ waiting, leased }: Record<string, number>) => waiting || leased)
        const due = db.selectFrom('knowledge_calibrations').select('due_at').where('due_at', 'is not', null)
        const uncounted = db.selectFrom('support_pending').select('id').where('agent_id', '=', owner.agentId)
        const calibrated = await due.where('agent_id', '=', owner.agentId).execute()
        return [...busy, ...calibrated, ...(await uncounted.execute())]
      }, [])
      const before = await rowsOfAgent(db, owner.agentId)
      const { changed, end } = withoutFilters()
      try {
        for (const { method, path } of await routes()) {
          if (ofTeam.test(path)) continue
          if (!path.includes('{')) {
            if (method !== 'GET' || path === '/live') continue
            const { text } = await other.get(path)
            for (const [kind, id] of ids) if (id.length > 8) assert.ok(!text.includes(id), `${path} ${kind}`)
            continue
          }
          for (const [kind, id] of ids)
            if (path.startsWith(`${kind.replace(/\/$/, '')}/{`)) await assertNotFound(other, method, path, id)
        }
      } finally {
        end()
      }
      assert.ok(changed.size > 50, `${changed.size} statements have lost their condition`)
      assert.deepEqual(await rowsOfAgent(db, owner.agentId), before)
    })

  it('404 on every route for ids that nothing has', async () => {
    const agent = await service.addAgent()
    for (const { method, path } of await routes()) {
      if (!hasId(path)) continue
      for (const id of odd) {
        await assertNotFound(agent, method, path, id)
      }
    }
  })

  it("400 for rules that name another agent's evaluator, or one that cannot be", async () => {
    const owner = await service.addAgent()
    const other = await service.addAgent({ teamId: owner.teamId })
    const { body } = await owner.post('/evaluators', { name: 'e', kind: 'length', settings: { max: 5 } })
    for (const id of [body.data.id as number, 2_147_483_648, 999_999_999_999_999]) {
      const condition = { not: { field: `evaluator.${id}.passed`, op: 'eq', value: true } }
      for (const [path, rule] of [
        ['/guardrails', { name: 'g', on: 'prompt', evaluator_id: id, action: 'flag' }],
        ['/ctas', { name: 'c', content: 'x', evaluator_id: id }],
        ['/ctas', { name: 'c', content: 'x', condition }],
        ['/automations', { name: 'a', condition, actions: [{ type: 'pause_conversation' }] }],
      ] as const) {
        const { status, text } = await other.post(path, rule)
        assert.equal(status, 400, `${path} ${id}: ${text}`)
      }
    }
  })
})
