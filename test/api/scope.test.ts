import assert from 'node:assert/strict'
import { afterEach, it, mock } from 'node:test'
import { includes, type Right } from '../../src/http/rights.ts'
import { userKey } from '../../src/users/user-key.ts'
import { assertError, type TestAnswer } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { type LiveStream, openLive } from '../support/live-stream.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { DIRECT, ELSEWHERE, LISTS, type Named, OF_NO_CONVERSATION } from '../support/operations-in-scope.ts'
import { upload } from '../support/upload.ts'

onBothEngines('the scope of a person', (service) => {
  const database = () => service.app.app.foundation.database.db

  /** A team with two groups, a person of one of them, and a conversation in each. */
  async function team(scope: object = { scope: 'groups' }) {
    const agent = await service.addAgent()
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const group = async (name: string, operators: number[]) =>
      (await owner.call('POST', '/groups', { name, operators })).body.data.id as number
    const [ours, theirs] = [await group('Ours', [person.operatorId]), await group('Theirs', [])]
    const set = await owner.call('PATCH', `/operators/${person.operatorId}`, scope)
    assert.equal(set.status, 200, set.text)
    const desk = (method: string, path: string, body?: unknown) =>
      person.call(method, `/agents/${agent.agentId}${path}`, body)
    const boss = (method: string, path: string, body?: unknown) =>
      owner.call(method, `/agents/${agent.agentId}${path}`, body)
    const give = (id: string, to: object) => agent.put(`/conversations/${id}/assignee`, to)
    return { agent, owner, person, ours, theirs, desk, boss, give }
  }

  type Team = Awaited<ReturnType<typeof team>>

  /** Makes a conversation of a group with everything that requests may name. */
  async function fill(
    { agent, boss, give }: Team,
    user: string,
    group: number,
    rule: number,
    notification: number,
  ) {
    const { id, number, conversation_id } = await agent.prompt(`Where is the parcel of ${user}?`, { user })
    await give(conversation_id, { group_id: group })
    await boss('POST', `/conversations/${conversation_id}/notes`, { text: `The parcel of ${user} is late` })
    await agent.post(`/conversations/${conversation_id}/wait`)
    const uploaded = await upload(agent, conversation_id, { 'a.txt': 'text' })
    assert.equal(uploaded.status, 201)
    const { data } = (await agent.get(`/conversations/${conversation_id}/messages`)).body
    const db = database()
    const at = new Date().toISOString()
    const place = { agent_id: agent.agentId, conversation_id, completion_id: id }
    const proposal = await db
      .insertInto('knowledge_proposals')
      .values({ ...place, created_at: at, updated_at: at, due_at: null, leased_until: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('unanswered_questions')
      .values({ ...place, words_hash: user, count: 1, first_asked_at: at, last_asked_at: at })
      .execute()
    await db
      .insertInto('rule_log')
      .values({ ...place, rule_id: rule, at, outcome: 'fired' } as never)
      .execute()
    await db
      .insertInto('deliveries')
      .values({
        agent_id: agent.agentId,
        notification_id: notification,
        completion_id: id,
        event_key: 'message.created',
        state: 'delivered',
        created_at: at,
        finished_at: at,
      } as never)
      .execute()
    return {
      conversation: conversation_id,
      completion: id,
      number: String(number),
      response: `resp_${id.replaceAll('-', '')}`,
      user,
      message: String(data.at(-1).id),
      attachment: uploaded.body.data.id,
      proposal: String(proposal.id),
    }
  }

  /** Has a bulk act run a macro in some conversations. */
  async function runMacro({ agent, boss }: Team, ids: string[]) {
    const actions = [{ type: 'tag', tag: 'seen' }]
    const macro = String((await agent.post('/macros', { name: 'm', actions, shared: true })).body.data.id)
    const action = { type: 'macro', macro_id: Number(macro) }
    const bulk = (await boss('POST', '/inbox/bulk', { ids, action })).body.data.id as number
    await becomes(async () => (await boss('GET', `/inbox/bulk/${bulk}`)).body.data.state, 'done')
    const runs = (await boss('GET', `/inbox/bulk/${bulk}/runs`)).body.data as {
      id: number
      conversation_id: string
    }[]
    const runOf = (id: string) => String(runs.find(({ conversation_id }) => conversation_id === id)?.id)
    return { macro, bulk, runOf }
  }

  async function filled(scope?: object) {
    const made = await team(scope)
    const { agent } = made
    const evaluator = (
      await agent.post('/evaluators', { name: 'e', kind: 'length', settings: { max: 9999 } })
    ).body
    const rule = (
      await agent.post('/guardrails', {
        name: 'g',
        on: 'prompt',
        evaluator_id: evaluator.data.id,
        action: 'flag',
      })
    ).body.data.id as number
    const notification = (
      await agent.post('/notifications', { name: 'n', url: 'http://127.0.0.1:9', events: ['error'] })
    ).body.data.id as number
    const channel = (await agent.post('/channels', { kind: 'helpdesk' })).body.data.id as number
    await agent.post('/views', { name: 'v', query: { view: 'all' }, shared: true })
    const [ours, theirs] = [
      await fill(made, 'in', made.ours, rule, notification),
      await fill(made, 'out', made.theirs, rule, notification),
    ]
    const { macro, bulk, runOf } = await runMacro(made, [ours.conversation, theirs.conversation])
    const automated = { name: 'a', active: false, actions: [{ type: 'tag', tag: 'seen' }] }
    const automation = String((await agent.post('/automations', automated)).body.data.id)
    const inside: Named = { ...ours, macro, automation, run: runOf(ours.conversation) }
    const outside: Named = { ...theirs, macro, automation, run: runOf(theirs.conversation) }
    const named: Record<string, string | number> = { rule, notification, channel, bulk }
    const pathOf = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => String(named[name]))
    return { ...made, inside, outside, pathOf }
  }

  /** The operations that a person with the right to respond may use, as the document lists them. */
  async function operations(): Promise<string[]> {
    const document = (await (await fetch(`${service.app.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { 'x-right'?: Right }>>
    }
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        path.startsWith('/api/v1') && operation['x-right'] && includes('respond', operation['x-right'])
          ? `${method.toUpperCase()} ${path.replace('/api/v1', '')}`
          : [],
      ),
    )
  }

  it('every operation is one of a conversation, a list of them, or of neither', async () => {
    const listed = await operations()
    assert.ok(listed.length > 80, `${listed.length} operations`)
    const known = [...Object.keys(DIRECT), ...Object.keys(LISTS), ...ELSEWHERE, ...OF_NO_CONVERSATION]
    assert.deepEqual(listed.toSorted(), known.toSorted())
  })

  it('404 for whatever is named outside of the scope, and as before inside', async () => {
    const { desk, boss, inside, outside } = await filled()
    for (const [name, one] of Object.entries(DIRECT)) {
      const [method = ''] = name.split(' ')
      for (const direct of [one].flat()) {
        const ask = (caller: typeof desk, named: Named) => {
          const { path, body } = direct(named)
          return caller(method, path, body)
        }
        const hidden = await ask(desk, outside)
        // OpenAI's protocol has a 400 for a response that is not there.
        const refused = name === 'POST /responses' ? 400 : 404
        assert.equal(hidden.status, refused, `${name}: ${hidden.text}`)
        const seen = await ask(desk, inside)
        assert.notEqual(seen.status, refused, `${name}: ${seen.text}`)
        if (method === 'GET')
          assert.equal(seen.status, (await ask(boss, inside)).status, `${name}: ${seen.text}`)
      }
    }
  })

  it('lists, counts and searches have nothing of what is outside of the scope', async () => {
    const { desk, boss, inside, outside, pathOf } = await filled()
    const names = [outside.conversation, outside.completion, '"out"', 'of out']
    for (const paths of Object.values(LISTS))
      for (const path of paths) {
        const place = pathOf(path)
        const [seen, all] = [await desk('GET', place), await boss('GET', place)]
        assert.equal(seen.status, 200, `${path}: ${seen.text}`)
        for (const name of names) assert.ok(!seen.text.includes(name), `${path} has ${name}: ${seen.text}`)
        if (path === '/channels/{channel}/parked' || path.includes('view=mine')) continue
        assert.ok(all.text !== seen.text, `${path}: the same for everybody`)
      }
    for (const path of [
      '/conversations',
      '/chat/completions',
      '/users',
      '/search?q=parcel',
      '/search?q=parcel&in=notes',
      '/knowledge/proposals',
      '/knowledge/unanswered',
      '/rules/guardrail/{rule}/log',
      '/notifications/{notification}/deliveries',
      '/inbox/bulk/{bulk}/runs',
    ]) {
      const totalFor = async (ask: typeof desk) => (await ask('GET', pathOf(path))).body.total
      const [seen, all] = [await totalFor(desk), await totalFor(boss)]
      assert.ok(seen > 0 && seen * 2 === all, `${path}: ${seen} of ${all}`)
    }
    const page = (await desk('GET', '/inbox?view=all')).body
    assert.deepEqual(idsOf(page), [inside.conversation])
    assert.deepEqual(page.counts, { waiting: 1, mine: 0, unassigned: 1, open: 1, snoozed: 0 })
    assert.deepEqual((await desk('GET', '/inbox/bulk/count?view=all')).body.data, { open: 1, ended: 0 })
    assert.equal((await desk('GET', '/views')).body.data[0].count, 1)
  })

  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id).toSorted()

  it('all, groups with and without what is in none, and own each show theirs', async () => {
    const { agent, owner, person, ours, theirs, desk, give } = await team()
    const open = async (to: object | null) => {
      const { conversation_id } = await agent.prompt('Hello')
      if (to) await give(conversation_id, to)
      return conversation_id
    }
    const none = await open(null)
    const inOurs = await open({ group_id: ours })
    const inTheirs = await open({ group_id: theirs })
    const mine = await open({ operator_id: person.operatorId })
    const mineElsewhere = await open({ operator_id: person.operatorId, group_id: theirs })
    const mineInOurs = await open({ operator_id: person.operatorId, group_id: ours })
    const endedElsewhere = await open({ operator_id: person.operatorId, group_id: theirs })
    await agent.post(`/conversations/${endedElsewhere}/end`)
    const own = [mine, mineElsewhere, mineInOurs]
    const everything = [none, inOurs, inTheirs, ...own]
    for (const [scope, seen, unassigned] of [
      [{ scope: 'all' }, everything, 3],
      [{ scope: 'groups' }, [inOurs, ...own], 1],
      [{ scope: 'groups', unassigned: true }, [none, inOurs, ...own], 2],
      [{ scope: 'own' }, own, 0],
    ] as const) {
      const name = JSON.stringify(scope)
      assert.equal((await owner.call('PATCH', `/operators/${person.operatorId}`, scope)).status, 200, name)
      const list = async (query: string) => idsOf((await desk('GET', `/inbox?${query}`)).body)
      assert.deepEqual(await list('view=open'), [...seen].toSorted(), name)
      assert.deepEqual(await list('view=all'), [...seen, endedElsewhere].toSorted(), name)
      assert.deepEqual(await list('view=ended'), [endedElsewhere], name)
      assert.deepEqual(await list('view=mine'), own.toSorted(), name)
      const counted = await desk('GET', '/inbox/bulk/count?view=all')
      assert.deepEqual(counted.body.data, { open: seen.length, ended: 1 }, name)
      const { counts } = (await desk('GET', '/inbox')).body
      assert.deepEqual(
        counts,
        { waiting: 0, mine: own.length, unassigned, open: seen.length, snoozed: 0 },
        name,
      )
      const pages: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await desk('GET', `/inbox?view=all&per_page=2${cursor}`)
        pages.push(...idsOf(body))
        if (body.next_cursor === null) break
        cursor = `&cursor=${body.next_cursor}`
      }
      assert.deepEqual(pages.toSorted(), [...seen, endedElsewhere].toSorted(), name)
      const all = (await desk('GET', '/conversations')).body
      assert.deepEqual([all.total, idsOf(all)], [seen.length + 1, [...seen, endedElsewhere].toSorted()], name)
      const second = (await desk('GET', '/conversations?page=2&per_page=2')).body
      assert.deepEqual(
        second.data.map(({ id }: { id: string }) => id),
        all.data.slice(2, 4).map(({ id }: { id: string }) => id),
        name,
      )
    }
  })

  it('400: who may manage sees all; and what has no groups has none without', async () => {
    const { owner, person } = await team({ scope: 'own' })
    const patch = (body: object) => owner.call('PATCH', `/operators/${person.operatorId}`, body)
    for (const [param, body] of [
      ['scope', { right: 'manage', scope: 'own' }],
      ['unassigned', { unassigned: true }],
      ['scope', { scope: 'some' }],
    ] as const) {
      const refused = await patch(body)
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, param)
    }
    const raised = await patch({ right: 'manage' })
    assert.deepEqual([raised.body.data.scope, raised.body.data.unassigned], ['all', false])
    const invited = await owner.call('POST', '/operators', {
      email: `${crypto.randomUUID()}@example.com`,
      right: 'read',
      scope: 'groups',
      unassigned: true,
    })
    assert.equal(invited.status, 201, invited.text)
    assert.deepEqual([invited.body.data.scope, invited.body.data.unassigned], ['groups', true])
  })

  it('a bulk act changes only what its person sees, also when the scope changes before it begins', async () => {
    const { agent, owner, person, ours, theirs, desk, give } = await team()
    const [inside, outside] = [await agent.prompt('Hello'), await agent.prompt('Hello')]
    await give(inside.conversation_id, { group_id: ours })
    await give(outside.conversation_id, { group_id: theirs })
    const action = { type: 'priority', priority: 'high' }
    const done = async (answer: TestAnswer) => {
      assert.equal(answer.status, 202, answer.text)
      const path = `/inbox/bulk/${answer.body.data.id}`
      await becomes(async () => (await desk('GET', path)).body.data.state, 'done')
      return (await desk('GET', path)).body.data
    }
    const filtered = await done(await desk('POST', '/inbox/bulk', { filter: { view: 'all' }, action }))
    assert.deepEqual([filtered.matched, filtered.changed], [1, 1])
    const started = await desk('POST', '/inbox/bulk', {
      ids: [inside.conversation_id],
      action: { type: 'end' },
      delay_seconds: 1,
    })
    await owner.call('PATCH', `/operators/${person.operatorId}`, { scope: 'own' })
    assert.deepEqual((await done(started)).skipped, [{ reason: 'outside_scope', count: 1 }])
  })

  it('an end user is seen as far as their conversations are', async () => {
    const { agent, ours, theirs, desk, give } = await team()
    const hers = async (group: number) => {
      const { conversation_id } = await agent.prompt('Hello', { user: 'ann' })
      await give(conversation_id, { group_id: group })
      return conversation_id
    }
    const [outside, inside] = [await hers(theirs), await hers(ours)]
    const { conversations, counts } = (await desk('GET', '/users/ann')).body.data
    assert.deepEqual(
      conversations.map(({ id }: { id: string }) => id),
      [inside],
    )
    assert.deepEqual(counts, { conversations: 1, completions: 1 })
    assert.deepEqual((await desk('GET', `/conversations/${inside}/earlier`)).body.data, [])
    const { conversation_id: anna } = await agent.prompt('Hello', { user: 'anna' })
    await give(anna, { group_id: theirs })
    assertError(await desk('POST', '/users/ann/merge', { into: 'anna' }), 404, 'user_not_found')
    await agent.post('/users/ann/merge', { into: 'anna' })
    const merged = (await desk('GET', '/users/anna')).body.data
    assert.deepEqual([merged.counts.conversations, merged.conversations[0].id], [1, inside])
    const people = (await desk('GET', '/users')).body.data
    assert.deepEqual(
      people.map(({ id }: { id: string }) => id),
      ['anna'],
    )
    await give(inside, { group_id: theirs })
    for (const user of ['ann', 'anna'])
      assertError(await desk('GET', `/users/${user}`), 404, 'user_not_found')
    assertError(await desk('GET', `/conversations/${outside}`), 404, 'conversation_not_found')
  })

  it('a filter does not tell which sources have an id outside of the scope', async () => {
    const { agent, theirs, desk, boss, give } = await team()
    const { conversation_id } = await agent.prompt('Hello', { user: 'eve' })
    await give(conversation_id, { group_id: theirs })
    const id = userKey({ source: 'widget', id: 'eve' })
    const seen = { given_id: 'eve', proof: 'none', first_seen_at: new Date().toISOString() } as const
    await database()
      .insertInto('users')
      .values({ agent_id: agent.agentId, id, ...seen })
      .execute()
    for (const path of [
      '/inbox?view=all&',
      '/inbox/bulk/count?view=all&',
      '/chat/completions?',
      '/search?q=x&',
    ]) {
      assert.equal((await boss('GET', `${path}user_id=eve`)).status, 400, path)
      assert.equal((await desk('GET', `${path}user_id=eve`)).status, 200, path)
    }
  })

  async function listen({ agent, person }: Team, query = ''): Promise<LiveStream> {
    const url = `${service.app.url}/console/api/agents/${agent.agentId}/live${query}`
    const headers = { cookie: person.cookie, 'x-parley-console': '1', origin: service.app.url }
    const stream = await openLive(url, headers)
    assert.equal(stream.status, 200)
    open.push(stream)
    return stream
  }
  const open: LiveStream[] = []
  afterEach(() => {
    for (const stream of open.splice(0)) stream.leave()
  })

  /** Waits until a stream has told of a conversation, and returns those it has told of by then. */
  async function toldUntil(stream: LiveStream, id: string): Promise<Set<string | null>> {
    for (;;) if ((await stream.next()).conversation_id === id) break
    return new Set(stream.events.map(({ conversation_id }) => conversation_id))
  }

  it('a stream tells of what is inside, and drops a conversation that is given away', async () => {
    const made = await team()
    const { agent, person, ours, theirs, give, boss } = made
    const [first, other, last] = [await agent.prompt('a'), await agent.prompt('b'), await agent.prompt('c')]
    await give(first.conversation_id, { group_id: ours })
    await give(last.conversation_id, { operator_id: person.operatorId })
    const stream = await listen(made)
    const ofOne = await listen(made, `?conversation_id=${first.conversation_id}`)
    for (const { conversation_id } of [other, first, last]) {
      await boss('POST', `/conversations/${conversation_id}/typing`)
      await agent.post(`/conversations/${conversation_id}/messages`, { content: 'Hello' })
    }
    assert.deepEqual(
      await toldUntil(stream, last.conversation_id),
      new Set([first.conversation_id, last.conversation_id]),
    )
    assert.ok(stream.events.some(({ type }) => type === 'typing'))
    await give(first.conversation_id, { group_id: theirs })
    await ofOne.ended
    await stream.nextOf('reset')
    const before = stream.events.length
    await agent.post(`/conversations/${first.conversation_id}/messages`, { content: 'Secret' })
    await agent.post(`/conversations/${last.conversation_id}/messages`, { content: 'Hello' })
    await toldUntil(stream, last.conversation_id)
    for (const event of stream.events.slice(before))
      assert.notEqual(event.conversation_id, first.conversation_id, JSON.stringify(event))
    // Who resumes is not told either.
    const resumed = await listen(made, `?after=${encodeURIComponent(stream.ids[0] ?? '')}`)
    assert.ok(!(await toldUntil(resumed, last.conversation_id)).has(first.conversation_id))
  })

  it('a stream drops what is given away without changing a count, also while it is broken off', async () => {
    const made = await team()
    const { agent, ours, theirs, give } = made
    const [first, other] = [await agent.prompt('a'), await agent.prompt('b')]
    for (const { conversation_id } of [first, other]) {
      await give(conversation_id, { group_id: ours })
      assert.equal((await agent.post(`/conversations/${conversation_id}/end`)).status, 200)
    }
    const stream = await listen(made)
    await agent.prompt('c')
    await becomes(async () => stream.counts.length, 1)
    await give(first.conversation_id, { group_id: theirs })
    await stream.nextOf('reset')
    const place = stream.lastId
    stream.leave()
    await give(other.conversation_id, { group_id: theirs })
    const resumed = await listen(made, `?after=${encodeURIComponent(place)}`)
    await resumed.nextOf('reset')
  })

  it('a stream that cannot be told who looks is cut off, and opens again', async () => {
    const made = await team()
    const { agent, ours, boss, give } = made
    const { conversation_id } = await agent.prompt('Hello')
    await give(conversation_id, { group_id: ours })
    await boss('POST', `/conversations/${conversation_id}/presence`, {})
    const db = database()
    const selectFrom = db.selectFrom.bind(db)
    const failing = mock.method(db, 'selectFrom', (table: 'agents') => {
      if ((table as string) === 'conversations') throw new Error('not now')
      return selectFrom(table)
    })
    try {
      // Its headers may have left, or not.
      const cut = await listen(made).catch(() => null)
      await cut?.ended
      assert.ok(failing.mock.calls.some(({ error }) => error))
    } finally {
      failing.mock.restore()
    }
    assert.equal((await (await listen(made)).nextOf('presence')).conversation_id, conversation_id)
  })

  it('an open stream follows the scope and the groups of its person', async () => {
    const made = await team({ scope: 'all' })
    const { agent, owner, person, ours, theirs, give } = made
    const [inside, outside] = [
      (await agent.prompt('a')).conversation_id,
      (await agent.prompt('b')).conversation_id,
    ]
    await give(inside, { group_id: ours })
    await give(outside, { group_id: theirs })
    const stream = await listen(made)
    const say = (id: string) => agent.post(`/conversations/${id}/messages`, { content: 'Hello' })
    /** Says something in both, and returns what is told of. */
    const told = async () => {
      const before = stream.events.length
      const { conversation_id } = await agent.prompt('marks the end')
      await say(inside)
      await say(outside)
      await give(conversation_id, { operator_id: person.operatorId })
      for (;;) {
        const event = await stream.next()
        if (event.conversation_id === conversation_id && event.fields?.includes('assignee_id')) break
      }
      const ids = stream.events.slice(before).map(({ conversation_id }) => conversation_id)
      return [inside, outside].filter((id) => ids.includes(id))
    }
    assert.deepEqual(await told(), [inside, outside])
    await owner.call('PATCH', `/operators/${person.operatorId}`, { scope: 'groups' })
    await stream.nextOf('reset')
    assert.deepEqual(await told(), [inside])
    await owner.call('PATCH', `/groups/${theirs}`, { operators: [person.operatorId] })
    await stream.nextOf('reset')
    assert.deepEqual(await told(), [inside, outside])
    await owner.call('PATCH', `/groups/${ours}`, { operators: [] })
    await stream.nextOf('reset')
    assert.deepEqual(await told(), [outside])
    await owner.call('PATCH', `/operators/${person.operatorId}`, { scope: 'own' })
    await stream.nextOf('reset')
    assert.deepEqual(await told(), [])
  })
})
