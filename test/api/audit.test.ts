import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CompiledQuery } from 'kysely'
import { bySystem, record } from '../../src/audit/record.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { needsCredentials } from '../support/conforms.ts'
import { signInNew } from '../support/console.ts'
import { forget } from '../support/forget.ts'
import { pagesOf, planOf, queriesOfRequests } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Row {
  id: number
  at: string
  actor: { kind: string; id: number | null; name: string | null }
  action: string
  target: string | null
  details: Record<string, unknown> | null
  address: string | null
}

const SECRET = 'a secret that stands nowhere'
const TEXT = 'My name is Erika Mustermann.'

onBothEngines('GET /audit', (service) => {
  /** The acts of the agent's own token, oldest first. */
  async function actsOf(agent: TestAgent): Promise<Row[]> {
    const { body } = await agent.get('/audit?actor=token&per_page=100')
    return body.data.toReversed()
  }

  /** Makes calls that change something, and returns the acts that they should leave. */
  async function changeEverything(agent: TestAgent): Promise<string[]> {
    const expected: string[] = []
    async function act(method: string, path: string, body: unknown, ...actions: string[]) {
      const answer = await agent.call(method, path, body)
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
      expected.push(...actions)
      return answer.body?.data
    }
    await act(
      'PATCH',
      '/agent',
      { name: 'New', instructions: SECRET, model: { api_key: SECRET } },
      'agent.changed',
    )
    await act('POST', '/pause', undefined, 'agent.paused')
    await act('POST', '/pause', undefined)
    await act('POST', '/resume', undefined, 'agent.resumed')
    const { id, conversation_id } = await agent.prompt(TEXT, { user: 'ann' })
    await act('POST', `/conversations/${conversation_id}/pause`, undefined, 'conversation.paused')
    await act('POST', `/conversations/${conversation_id}/resume`, undefined, 'conversation.resumed')
    const answer = { content: TEXT }
    await act('POST', `/conversations/${conversation_id}/messages`, answer, 'conversation.paused')
    await act('POST', `/conversations/${conversation_id}/end`, undefined, 'conversation.ended')
    await act('POST', `/conversations/${conversation_id}/reopen`, undefined, 'conversation.reopened')
    await act('POST', `/chat/completions/${id}/anonymize`, undefined, 'completion.anonymized')
    await act('POST', `/chat/completions/${id}/scrub`, undefined, 'completion.scrubbed')
    await act('POST', '/users/ann/anonymize', undefined, 'user.anonymized')
    await act('POST', '/users/ann/scrub', undefined, 'user.scrubbed')
    const length = { name: 'e', kind: 'length', settings: { max: 5 } }
    const evaluator = await act('POST', '/evaluators', length, 'evaluator.created')
    await act('PATCH', `/evaluators/${evaluator.id}`, { threshold: 0.1 }, 'evaluator.changed')
    await act('DELETE', `/evaluators/${evaluator.id}`, undefined, 'evaluator.removed')
    const called = { kind: 'http', name: 'look_up', description: SECRET, url: 'http://127.0.0.1:9/' }
    const tool = await act('POST', '/tools', { ...called, headers: { a: 'secret-token' } }, 'tool.created')
    await act('PATCH', `/tools/${tool.id}`, { description: 'other' }, 'tool.changed')
    await act('DELETE', `/tools/${tool.id}`, undefined, 'tool.removed')
    const dataset = await act('POST', '/datasets', { name: SECRET }, 'dataset.added')
    await act('PATCH', `/datasets/${dataset.id}`, { name: 'other' }, 'dataset.changed')
    const asked = { messages: [{ role: 'user', content: SECRET }] }
    const cases = `/datasets/${dataset.id}/cases`
    const testCase = await act('POST', cases, asked, 'case.added')
    await act('PATCH', `${cases}/${testCase.id}`, asked, 'case.changed')
    const run = await act('POST', '/runs', { dataset_id: dataset.id }, 'run.started')
    await act('DELETE', `/runs/${run.id}`, undefined, 'run.removed')
    await act('DELETE', `${cases}/${testCase.id}`, undefined, 'case.removed')
    await act('DELETE', `/datasets/${dataset.id}`, undefined, 'dataset.removed')
    const actions = [{ type: 'call_webhook', url: 'http://127.0.0.1:9/', secret: SECRET }]
    for (const [path, rule] of [
      ['/ctas', { name: 'c', content: SECRET }],
      ['/automations', { name: 'a', actions }],
    ] as const) {
      const made = await act('POST', path, rule, 'rule.created')
      await act('PATCH', `${path}/${made.id}`, { name: SECRET }, 'rule.changed')
      await act('DELETE', `${path}/${made.id}`, undefined, 'rule.removed')
    }
    const document = await act('POST', '/knowledge', { title: SECRET, content: 'text' }, 'knowledge.added')
    await act('POST', '/knowledge', { title: SECRET, content: 'other' }, 'knowledge.replaced')
    await act('POST', '/knowledge', { title: SECRET, content: 'other' })
    await act('PATCH', `/knowledge/${document.id}`, { text: SECRET }, 'knowledge.changed')
    await act('PATCH', `/knowledge/${document.id}`, { text: SECRET })
    await act('DELETE', `/knowledge/${document.id}`, undefined, 'knowledge.removed')
    const channel = await act('POST', '/channels', { kind: 'helpdesk' }, 'channel.created')
    await act('PATCH', `/channels/${channel.id}`, { name: SECRET }, 'channel.changed')
    await act('DELETE', `/channels/${channel.id}`, undefined, 'channel.removed')
    const wish = { name: 'n', url: 'http://127.0.0.1:9/', events: ['*'], secret: SECRET.replaceAll(' ', '-') }
    const notification = await act('POST', '/notifications', wish, 'notification.created')
    const at = `/notifications/${notification.id}`
    await act('PATCH', at, { name: SECRET }, 'notification.changed')
    await act('POST', `${at}/rotate-secret`, undefined, 'notification.changed')
    const delivery = await act('POST', `${at}/test`, undefined)
    await act('POST', `${at}/deliveries/${delivery.id}/replay`, undefined, 'delivery.replayed')
    await act('DELETE', at, undefined, 'notification.removed')
    const widget = await act(
      'POST',
      '/widgets',
      { name: 'w', texts: { de: { greeting: SECRET } } },
      'widget.created',
    )
    await act('PATCH', `/widgets/${widget.id}`, { name: SECRET }, 'widget.changed')
    await act('POST', `/widgets/${widget.id}/rotate-secret`, undefined, 'widget.changed')
    await act('DELETE', `/widgets/${widget.id}`, undefined, 'widget.removed')
    const email = `${crypto.randomUUID()}@example.com`
    const person = await act('POST', '/operators', { email, right: 'read', name: SECRET }, 'operator.invited')
    await act('PATCH', `/operators/${person.id}`, { name: SECRET }, 'operator.changed')
    await act('POST', `/operators/${person.id}/reset`, undefined, 'operator.reset')
    await act('DELETE', `/operators/${person.id}`, undefined, 'operator.removed')
    return expected
  }

  it('each act leaves one row, with who did it and from where, and no secret or text', async () => {
    const agent = await service.addAgent()
    const expected = await changeEverything(agent)
    const acts = await actsOf(agent)
    assert.deepEqual(
      acts.map(({ action }) => action),
      expected,
    )
    const [{ actor, address } = { actor: null, address: null }] = acts
    assert.deepEqual([actor?.kind, actor?.name, address], ['token', 'test', '127.0.0.1'])
    for (const act of acts) assert.deepEqual([act.actor, act.address], [actor, address])
    assert.deepEqual(acts[0]?.details, { changed: ['name', 'instructions', 'model.api_key'] })
    assert.equal(acts[0]?.target, `agent ${agent.agentId}`)
    const all = JSON.stringify(acts)
    for (const hidden of [SECRET, SECRET.replaceAll(' ', '-'), TEXT, 'Mustermann', '@example.com'])
      assert.ok(!all.includes(hidden), hidden)
  })

  it('what only reads leaves no row, and neither does what is refused', async () => {
    const agent = await service.addAgent()
    const { id, conversation_id } = await agent.prompt('hello')
    const response = await fetch(`${service.app.url}/openapi.json`)
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { security?: object[] }>>
    }
    const before = await actsOf(agent)
    for (const [path, { get }] of Object.entries(paths)) {
      // A live stream does not end, and exports are acts.
      if (!get || !needsCredentials(get) || /\/(live|export)$/.test(path)) continue
      const one = path.includes('/conversations') ? conversation_id : id
      await agent.get(path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, one))
    }
    for (const [method, path, body] of [
      ['PATCH', '/agent', { unknown: 1 }],
      ['POST', '/operators', { email: 'nobody', right: 'read' }],
      ['DELETE', '/channels/0', undefined],
      ['POST', '/chat/completions/0/scrub', undefined],
    ] as const)
      assert.ok((await agent.call(method, path, body)).status >= 400)
    assert.deepEqual(await actsOf(agent), before)
  })

  it('an act that fails leaves no row', async () => {
    const agent = await service.addAgent()
    const { database, clock } = service.app.app.foundation
    const by = { ...bySystem, teamId: agent.teamId }
    const at = new Date(clock()).toISOString()
    const failed = database.db.transaction().execute(async (db) => {
      await record(db, { ...by, at, action: 'thing.done' })
      throw new Error('not done')
    })
    await assert.rejects(failed, /not done/)
    assert.equal((await agent.get('/audit?action=thing.done')).body.total, 0)
    const nonsense = await agent.get('/audit?action=nonsense')
    assertError(nonsense, 400, 'invalid_request')
    assert.equal(nonsense.body.error.param, 'action')
  })

  it('lists those of the team and of no other, newest first, by actor, action and time, in pages', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const base = Date.now()
    const minute = (count: number) => new Date(base + count * 60_000).toISOString()
    for (const [count, call] of [
      [1, () => agent.post('/pause')],
      [2, () => person.call('POST', `/agents/${agent.agentId}/resume`)],
      [3, () => agent.post('/pause')],
      [4, () => stranger.post('/pause')],
    ] as const) {
      service.clock = () => Date.parse(minute(count))
      assert.equal((await call()).status, 200)
    }
    const list = async (query: string) =>
      (await agent.get(`/audit?from=${minute(1)}&${query}`)).body.data.map(
        ({ at, action }: Row) => `${Math.round((Date.parse(at) - base) / 60_000)} ${action}`,
      )
    const all = ['3 agent.paused', '2 agent.resumed', '1 agent.paused']
    assert.deepEqual(await list(''), all)
    assert.deepEqual(await list('action=agent.paused'), [all[0], all[2]])
    assert.deepEqual(await list('actor=token'), [all[0], all[2]])
    assert.deepEqual(await list(`actor=operator:${person.operatorId}`), [all[1]])
    assert.deepEqual(await list(`actor=operator:${person.operatorId}&action=agent.paused`), [])
    assert.deepEqual(await list('actor=operator:2147483648'), [])
    const queries = await queriesOfRequests(service.app.app.foundation.database.db, () =>
      list(`actor=operator:${person.operatorId}`),
    )
    const ofAudit = queries.filter(({ sql }) => sql.includes('audit'))
    assert.ok(ofAudit.length > 0, 'the query is seen')
    const examined = ofAudit.filter(({ sql }) => sql.includes('coalesce'))
    assert.deepEqual(examined, [], 'the index of an actor has nothing that would be sorted out')
    assert.deepEqual(await list(`to=${minute(2)}`), [all[1], all[2]])
    const first = await agent.get(`/audit?from=${minute(1)}&per_page=2`)
    const next = `cursor=${first.body.next_cursor}&per_page=2&from=${minute(1)}`
    assert.deepEqual(
      [...first.body.data, ...(await agent.get(`/audit?${next}`)).body.data].map(({ at }: Row) => at),
      [minute(3), minute(2), minute(1)],
    )
    assert.equal((await person.call('GET', '/audit?action=agent.resumed')).body.total, 1)
  })

  it('a filter reads its own part of its own index, whichever others keep the same order', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const other = { team_id: agent.teamId, actor_kind: 'operator' as const, action: 'rule.changed' }
    for (let from = 0; from < 8000; from += 400) {
      const acts = Array.from({ length: 400 }, (_, index) => ({
        ...other,
        at: new Date(Date.UTC(2026, 0, 1) + (from + index) * 1000).toISOString(),
        actor_id: (from + index) % 2 === 0 ? 3 : 5,
        // Ten acts have this actor and this action, and lie far apart.
        ...((from + index) % 800 === 0 ? { actor_id: 4, action: 'tool.changed' } : {}),
      }))
      await db.insertInto('audit').values(acts).execute()
    }
    if (service.engine === 'postgres') await db.executeQuery(CompiledQuery.raw('vacuum analyze audit'))
    for (const [query, index] of [
      ['actor=operator:4', 'audit_actor'],
      ['action=tool.changed', 'audit_action'],
      ['actor=operator:4&action=rule.changed', 'audit_actor'],
      ['actor=operator:5&action=tool.changed', 'audit_action'],
      ['actor=operator:5&action=tool.deleted', 'audit_action'],
      ['actor=system', 'audit_kind'],
    ] as const) {
      const queries = await queriesOfRequests(db, () => agent.get(`/audit?${query}`))
      const read = queries.filter(
        // Of two filters, the one that leaves fewer is found by counting both.
        ({ sql, parameters }) =>
          sql.includes('from "audit"') && !(query.includes('&') && parameters.includes(10_001)),
      )
      assert.ok(read.length > 0, query)
      for (const one of read) {
        const plan = (await planOf(db, service.engine, one)).join('\n')
        const about = `${query}\n${one.sql}\n${plan}`
        assert.ok(new RegExp(`\\b${index}\\b`).test(plan), about)
        if (service.engine === 'postgres') assert.ok((await pagesOf(db, one)) < 40, about)
      }
    }
  })

  for (const query of ['actor=nobody', 'actor=operator:', 'actor=token:x', 'from=yesterday', 'x=1'])
    it(`400 for ${query}`, async () => {
      assertError(await (await service.addAgent()).get(`/audit?${query}`), 400, 'invalid_request')
    })

  it('forgets what is older than its days', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const now = Date.parse('2020-06-01T00:00:00.000Z')
    const by = { ...bySystem, teamId: agent.teamId }
    for (const at of ['2019-01-01T00:00:00.000Z', '2020-05-01T00:00:00.000Z'])
      await record(db, { ...by, at, action: 'thing.done' })
    await forget(db, 'acts', now)
    const { body } = await agent.get('/audit?action=thing.done')
    assert.deepEqual(
      body.data.map(({ at }: Row) => at),
      ['2020-05-01T00:00:00.000Z'],
    )
  })
})
