import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CompiledQuery } from 'kysely'
import { countInbox } from '../../src/inbox/count-inbox.ts'
import { wantedBy, wantedInSql } from '../../src/inbox/filters.ts'
import { type FilterName, type Filters, inboxSorts } from '../../src/inbox/inbox-query.ts'
import { readThese } from '../../src/inbox/inbox-rows.ts'
import { inboxViews } from '../../src/inbox/inbox-views.ts'
import { readInbox } from '../../src/inbox/read-inbox.ts'
import type { InboxRow } from '../../src/inbox/tables.ts'
import { userKey } from '../../src/users/user-key.ts'
import { assertError, type TestAgent, type TestAnswer } from '../support/app.ts'
import { pause, until } from '../support/becomes.ts'
import { signInNew, type TestConsole } from '../support/console.ts'
import { growingParts, planOf, queriesOfRequests } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'

type Person = TestConsole & { operatorId: number }

onBothEngines('GET /inbox', (service) => {
  /** A person of an agent's team, and calls below the agent's console API. */
  async function person(agent: TestAgent) {
    const signedIn: Person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const call = (method: string, path: string, body?: unknown) =>
      signedIn.call(method, `/agents/${agent.agentId}${path}`, body)
    return { id: signedIn.operatorId, call, inbox: (query = '') => call('GET', `/inbox?${query}`) }
  }

  const idsOf = ({ body }: TestAnswer) => body.data.map(({ id }: { id: string }) => id)

  async function opened(agent: TestAgent, fields: Record<string, unknown> = {}): Promise<string> {
    return (await agent.prompt('Where is my parcel?', fields)).conversation_id
  }

  it('200: an item tells what a person wants to know of a conversation', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent, { user: 'customer-7', external_id: 'case-7', tags: { plan: 'pro' } })
    await agent.patch('/users/customer-7', { name: 'Grace Hopper' })
    const { call, inbox, id: operator } = await person(agent)
    await agent.post(`/conversations/${id}/rating`, { score: 4 })
    await call('PUT', `/conversations/${id}/assignee`, { operator_id: operator })
    await agent.post(`/conversations/${id}/wait`, { reason: 'flagged' })
    const conversation = (await agent.get(`/conversations/${id}`)).body.data
    const messages = (await agent.get(`/conversations/${id}/messages`)).body.data
    const { status, body, text } = await inbox()
    assert.equal(status, 200, text)
    const [{ waiting_since, last_message, ...item }] = body.data
    assert.deepEqual(item, {
      ...conversation,
      user: { id: 'customer-7', source: 'api', name: 'Grace Hopper' },
      channel: null,
      widget_id: null,
      assignee: { id: operator, name: 'Test Person' },
      group: null,
      unread: false,
      waiting_reason: 'flagged',
      priority: 'normal',
      snoozed_until: null,
      outcome: null,
      outcome_by: null,
      due: null,
      language: 'en',
      rating: 4,
    })
    assert.match(waiting_since, /^\d{4}-.*Z$/)
    const { id: messageId, role, content, created_at } = messages.at(-1)
    assert.deepEqual(last_message, { id: messageId, role, content, created_at })
    assert.deepEqual(body.counts, { waiting: 1, mine: 1, unassigned: 0, open: 1, snoozed: 0 })
    assert.equal(body.next_cursor, null)
  })

  it('200: the text of the last message is cut at 200 characters, and is redacted with it', async () => {
    const agent = await service.addAgent()
    service.model.next({ text: '😀'.repeat(300) })
    const id = await opened(agent)
    const [long] = (await agent.get('/inbox')).body.data
    assert.equal(long.last_message.content, '😀'.repeat(200))
    const { id: completion } = await agent.prompt('My mail is jo@example.com', { conversation_id: id })
    await agent.post(`/chat/completions/${completion}/scrub`)
    const [item] = (await agent.get('/inbox')).body.data
    assert.equal(item.last_message.content, '[REDACTED]')
  })

  it('200: each view has its conversations, the newest message first; counts tell how many', async () => {
    const agent = await service.addAgent()
    const me = await person(agent)
    const [later, waits, mine, paused, ended, plain] = [
      await opened(agent),
      await opened(agent),
      await opened(agent),
      await opened(agent),
      await opened(agent),
      await opened(agent),
    ]
    await agent.post(`/conversations/${waits}/wait`)
    await me.call('PUT', `/conversations/${mine}/assignee`, { operator_id: me.id })
    await agent.post(`/conversations/${paused}/pause`)
    await agent.post(`/conversations/${ended}/end`)
    await agent.put(`/conversations/${later}/snooze`, { until: '2099-01-01T09:00:00Z' })
    await agent.prompt('one more thing', { conversation_id: waits })
    const views = {
      waiting: [waits],
      mine: [mine],
      unassigned: [waits, plain, paused],
      open: [waits, plain, paused, mine],
      paused: [paused],
      snoozed: [later],
      ended: [ended],
      all: [waits, plain, ended, paused, mine, later],
    }
    for (const [view, ids] of Object.entries(views)) {
      const page = await me.inbox(`view=${view}`)
      assert.deepEqual(idsOf(page), ids, view)
      assert.deepEqual(page.body.counts, { waiting: 1, mine: 1, unassigned: 3, open: 4, snoozed: 1 })
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await me.inbox(`view=${view}&per_page=1${cursor}`)
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        if (body.next_cursor === null) break
        cursor = `&cursor=${body.next_cursor}`
      }
      assert.deepEqual(seen, ids, `${view} by cursor`)
    }
    assert.deepEqual(idsOf(await me.inbox()), views.open)
    assert.deepEqual((await agent.get('/inbox?view=open')).body.counts, {
      waiting: 1,
      mine: null,
      unassigned: 3,
      open: 4,
      snoozed: 1,
    })
    const other = await service.addAgent({ teamId: agent.teamId })
    const none = { waiting: 0, mine: null, unassigned: 0, open: 0, snoozed: 0 }
    assert.deepEqual((await other.get('/inbox')).body, { data: [], next_cursor: null, counts: none })
  })

  it('200: sort=waiting has who waits longest first in every view and filter, then the others', async () => {
    const agent = await service.addAgent()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push(await opened(agent, { user: `u${count % 2}` }))
    let now = Date.parse('2031-01-01T00:00:00.000Z')
    service.clock = () => (now += 1000)
    const [a = '', b = '', c = '', d = '', e = ''] = ids
    for (const id of [c, a, d]) await agent.post(`/conversations/${id}/wait`)
    await agent.post(`/conversations/${d}/pause`)
    const sorted = async (query: string) => {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const page = await agent.get(`/inbox?sort=waiting&per_page=2&${query}${cursor}`)
        seen.push(...idsOf(page))
        if (page.body.next_cursor === null) return seen
        cursor = `&cursor=${page.body.next_cursor}`
      }
    }
    assert.deepEqual(await sorted('view=open'), [c, a, d, e, b])
    assert.deepEqual(await sorted('view=all'), [c, a, d, e, b])
    assert.deepEqual(await sorted('view=waiting'), [c, a, d])
    assert.deepEqual(await sorted('view=paused'), [d])
    assert.deepEqual(await sorted('view=ended'), [])
    await agent.post(`/conversations/${e}/end`)
    assert.deepEqual(await sorted('view=ended'), [e])
    assert.deepEqual(await sorted('view=all'), [c, a, d, e, b])
    await agent.post(`/conversations/${e}/wait`)
    await agent.post(`/conversations/${e}/resume`)
    assert.deepEqual(await sorted('view=open&user_id=u0'), [c, a, e])
    assert.deepEqual(await sorted('view=unassigned&language=en'), [c, a, d, e, b])
  })

  it('200: filters, each alone and together; unread combines with all', async () => {
    const agent = await service.addAgent()
    const me = await person(agent)
    const german = await agent.prompt('Wo ist mein Paket? Ich habe es gestern noch nicht bekommen.', {
      user: 'anna',
      tags: { plan: 'pro', seats: 3, vip: true, note: { a: 1 }, 'a:b': 'c' },
    })
    const english = await opened(agent, { user: 'anna', tags: { plan: 'free', seats: 30 } })
    const other = await opened(agent, { user: 'ben' })
    const id = german.conversation_id
    await me.call('PUT', `/conversations/${other}/assignee`, { operator_id: me.id })
    const last = (await me.inbox('user_id=ben')).body.data[0].last_message.id
    assert.equal((await me.call('PUT', `/conversations/${other}/read`, { message_id: last })).status, 200)
    for (const [query, ids] of [
      ['language=de', [id]],
      ['user_id=anna', [english, id]],
      ['user_id=nobody', []],
      ['tag=plan:pro', [id]],
      ['tag=seats:3', [id]],
      ['tag=vip:true', [id]],
      ['tag=plan:', []],
      [`tag=${encodeURIComponent("plan:pro' or 1=1 --")}`, []],
      ['tag=note:[object Object]', []],
      ['user_id=anna&tag=plan:free', [english]],
      ['user_id=anna&language=de&tag=plan:free', []],
      [`assignee=${me.id}`, [other]],
      [`assignee=${me.id}&view=all`, [other]],
      ['assignee=999999999999999', []],
      ['unread=true', [english, id]],
      ['unread=false', [other]],
      ['unread=true&user_id=anna&tag=plan:pro', [id]],
      ['unread=true&view=mine', []],
      ['channel_id=1', []],
    ] as const)
      assert.deepEqual(idsOf(await me.inbox(query)), ids, query)
    await agent.prompt('Hallo?', { conversation_id: other })
    assert.deepEqual(idsOf(await me.inbox('unread=true&view=mine')), [other])
  })

  it('counts as many as each view lists with each filter, wherever one statement ends', async () => {
    const agent = await service.addAgent()
    const me = await person(agent)
    const { db } = service.app.app.foundation.database
    const ids: string[] = []
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const tags = { plan: at % 2 === 0 ? 'pro' : 'free' }
      ids.push(await opened(agent, { user: `user-${at % 3}`, tags }))
      if (at % 4 === 1) await agent.post(`/conversations/${ids[at]}/end`)
      if (at % 4 === 2) await me.call('PUT', `/conversations/${ids[at]}/assignee`, { operator_id: me.id })
    }
    for (const act of ['wait', 'pause']) await agent.post(`/conversations/${ids[0]}/${act}`)
    // In which nobody has said anything: all have the same place by their messages.
    await db
      .updateTable('inbox_rows')
      .set({ last_message_id: 0, last_message_at: null })
      .where('conversation_id', 'in', ids.slice(3, 7))
      .execute()
    const [newest] = (await agent.get(`/conversations/${ids[7]}/messages`)).body.data
    await me.call('PUT', `/conversations/${ids[7]}/read`, { message_id: newest.id + 1 })
    // So many have the tag that they are not read at once.
    const many = Array.from({ length: 2001 }, (_, at) => ({
      agent_id: agent.agentId,
      conversation_id: `none-${at}`,
      name: 'plan',
      value: 'pro',
    }))
    for (const part of [many.slice(0, 1000), many.slice(1000)])
      await db.insertInto('conversation_tags').values(part).execute()
    const reader = { operatorId: me.id, joinedAt: '' }
    const set = (values: Partial<InboxRow>, at: number) =>
      db.updateTable('inbox_rows').set(values).where('conversation_id', '=', String(ids[at])).execute()
    await set({ group_id: 7, priority: 1 }, 0)
    await set({ group_id: 7, priority: 1, outcome: 'handed_off' }, 1)
    await set({ group_id: 7 }, 2)
    const each: Record<Exclude<FilterName, 'q'>, Filters> = {
      user_id: { user_id: [userKey({ source: 'api', id: 'user-1' })] },
      channel_id: { channel_id: 1 },
      assignee: { assignee: me.id },
      group: { group: 7 },
      language: { language: 'en' },
      priority: { priority: 'urgent' },
      outcome: { outcome: 'handed_off' },
      tag: { tag: { name: 'plan', value: 'pro' } },
      in: { in: 'conversations:2020-01-01:2020-01-01:UTC' },
      unread: { unread: true },
    }
    const filters: Record<string, Filters> = {
      ...each,
      none: {},
      another: { language: 'de' },
      read: { unread: false },
      both: { unread: true, language: 'en' },
      nobody: { assignee: 0 },
      noGroup: { group: 0 },
    }
    for (const view of inboxViews)
      for (const [name, filter] of Object.entries(filters)) {
        const query = { view, sort: 'latest' as const, ...filter }
        const { rows } = await readInbox(db, agent, reader, query, { per_page: 100 })
        const ended = rows.filter(({ state }) => state === 2).length
        for (const size of [1, 2, 3, 100])
          assert.deepEqual(
            await countInbox(db, agent, reader, query, { size }),
            { open: rows.length - ended, ended, isCapped: false },
            `${view}, ${name}, ${size} a statement`,
          )
        const read = await readThese(db, agent.agentId, ids, { ...query, reader })
        const inSql = await db
          .selectFrom('inbox_rows')
          .select('conversation_id')
          .where('agent_id', '=', agent.agentId)
          .where(wantedInSql(agent, reader, query))
          .execute()
        const wanted = read.filter(wantedBy(agent, reader, query))
        assert.deepEqual(sortedIds(inSql), sortedIds(wanted), `${view}, ${name}`)
        assert.deepEqual(sortedIds(rows), sortedIds(wanted), `${view}, ${name}`)
      }
    assert.deepEqual(await countInbox(db, agent, reader, { view: 'all', sort: 'latest' }), {
      open: 6,
      ended: 2,
      isCapped: false,
    })
  })

  it('200: conversations of a channel, with its name', async () => {
    const agent = await service.addAgent()
    await opened(agent)
    await using peer = await startPlatformPeer()
    const channel = await addChannel(agent, 'messenger-one', peer)
    await channel.says('hello')
    await peer.untilSent(1)
    const { data } = (await agent.get(`/inbox?channel_id=${channel.id}`)).body
    assert.equal(data.length, 1)
    assert.deepEqual(data[0].channel, { id: channel.id, kind: 'messenger-one', name: 'Test messenger-one' })
    assert.deepEqual(data[0].user, {
      id: PERSON['messenger-one'],
      source: `channel-${channel.id}`,
      name: null,
    })
  })

  it('200: q finds by words of messages, with every filter and order; what was redacted is not found', async () => {
    const agent = await service.addAgent()
    const parrot = await agent.prompt('My parrot is blue', { user: 'anna', external_id: 'case-9' })
    const other = await agent.prompt('My blue kettle leaks', { user: 'ben' })
    const [first, second] = [parrot.conversation_id, other.conversation_id]
    const found = async (query: string, ids: string[]) => {
      let page = await agent.get(`/inbox?${query}`)
      while (page.status === 200 && idsOf(page).length < ids.length) {
        await pause()
        page = await agent.get(`/inbox?${query}`)
      }
      assert.deepEqual(idsOf(page), ids, query)
    }
    await found('q=blue', [second, first])
    await found('q=parrot+blue', [first])
    await found('q=blue&user_id=ben', [second])
    await found('q=case-9', [first])
    await found('q=blue&view=ended', [])
    await found(`q=${encodeURIComponent('" OR 1:* & (')}`, [])
    const page = await agent.get('/inbox?q=blue&per_page=1')
    const next = await agent.get(`/inbox?q=blue&per_page=1&cursor=${page.body.next_cursor}`)
    assert.deepEqual([...idsOf(page), ...idsOf(next)], [second, first])
    await agent.post(`/chat/completions/${parrot.id}/scrub`)
    await found('q=parrot', [])
  })

  it('200: unread is what came since the person has read or has joined, and their own answers are read', async () => {
    const agent = await service.addAgent()
    const old = await opened(agent)
    const me = await person(agent)
    const since = await opened(agent)
    const unread = async () =>
      (await me.inbox('view=all')).body.data.map((item: { id: string; unread: boolean }) => [
        item.id,
        item.unread,
      ])
    assert.deepEqual(await unread(), [
      [since, true],
      [old, false],
    ])
    const [first] = (await agent.get(`/conversations/${since}/messages`)).body.data
    const read = (message_id: number) => me.call('PUT', `/conversations/${since}/read`, { message_id })
    assert.deepEqual((await read(first.id)).body, { data: { conversation_id: since, message_id: first.id } })
    assert.deepEqual((await unread())[0], [since, true])
    await me.call('POST', `/conversations/${since}/messages`, { content: 'It is on its way.' })
    assert.deepEqual((await unread())[0], [since, false])
    await read(0)
    assert.deepEqual((await unread())[0], [since, true])
    const colleague = await person(agent)
    const [seen] = (await colleague.inbox()).body.data
    assert.equal(seen.unread, false)
    assert.equal((await agent.get('/inbox')).body.data[0].unread, null)
    // A pause message goes to every conversation: it makes none unread and moves none.
    await agent.patch('/agent', { pause_message: 'We are closed.' })
    await agent.post('/pause')
    assert.deepEqual(await unread(), [
      [since, true],
      [old, false],
    ])
  })

  it('200: nothing of a channel, person or group whose number is beyond a column', async () => {
    const agent = await service.addAgent()
    await opened(agent, { user: 'u' })
    for (const name of ['channel_id', 'assignee', 'group']) {
      const query = `${name}=2147483648`
      assert.deepEqual((await agent.get(`/inbox?${query}`)).body.data, [], name)
      assert.equal((await agent.get(`/inbox/bulk/count?view=open&${query}`)).body.data.open, 0, name)
    }
  })

  it('400: values that no filter has, unknown parameters, cursors of other lists', async () => {
    const agent = await service.addAgent()
    for (let count = 0; count < 3; count++) await opened(agent, { user: 'u' })
    for (const [query, param] of [
      ['view=closed', 'view'],
      ['sort=oldest', 'sort'],
      ['channel_id=x', 'channel_id'],
      ['assignee=-1', 'assignee'],
      ['tag=plan', 'tag'],
      ['unread=yes', 'unread'],
      ['language=', 'language'],
      ['page=2', 'page'],
      ['unraed=true', 'unraed'],
    ]) {
      const answer = await agent.get(`/inbox?${query}`)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    }
    const { next_cursor } = (await agent.get('/inbox?per_page=1')).body
    const forged = (after: unknown) => {
      const [binding, part] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
      return Buffer.from(JSON.stringify([binding, part, after])).toString('base64url')
    }
    const huge = Number.MAX_SAFE_INTEGER
    for (const query of [
      'cursor=x',
      `cursor=${next_cursor}&view=all`,
      `cursor=${next_cursor}&sort=waiting`,
      `cursor=${next_cursor}&user_id=u`,
      `cursor=${forged(['2026-01-01T00:00:00.000Z', 1])}`,
      `cursor=${forged([1.5, 1])}`,
      `cursor=${forged([1, huge])}`,
      `cursor=${forged([1])}`,
    ]) {
      const answer = await agent.get(`/inbox?${query}`)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'cursor', query)
    }
    assert.equal((await agent.get(`/inbox?cursor=${forged([huge, 1])}`)).status, 200)
  })

  it('403 operator_needed: what only a person has; insufficient_right', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    for (const query of ['view=mine', 'unread=true', 'unread=false'])
      assertError(await agent.get(`/inbox?${query}`), 403, 'operator_needed')
    const read = await agent.call('PUT', `/conversations/${id}/read`, { message_id: 0 })
    assertError(read, 403, 'operator_needed')
    const { agentId, teamId } = agent
    const site = await service.app.issue({ agentId, teamId, right: 'chat' })
    assertError(await site.get('/inbox'), 403, 'insufficient_right')
  })

  it('PUT assignee: 200 for people of the team, 400 for anybody else, and audited once', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const me = await person(agent)
    const stranger = await person(await service.addAgent())
    const assign = (operator_id: unknown) =>
      agent.call('PUT', `/conversations/${id}/assignee`, { operator_id })
    const assignee = { id: me.id, name: 'Test Person' }
    for (const expected of [assignee, assignee, null])
      assert.deepEqual((await assign(expected && me.id)).body, {
        data: { conversation_id: id, assignee: expected, group: null },
      })
    const inactive = await person(agent)
    await agent.patch(`/operators/${inactive.id}`, { active: false })
    for (const operator of [stranger.id, inactive.id, 123_456, 0, 'me', undefined]) {
      const answer = await assign(operator)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'operator_id')
    }
    const { data } = (await agent.get('/audit?action=conversation.assigned')).body
    assert.deepEqual(
      data.map(({ details }: { details: unknown }) => details),
      [{ operator_id: null }, { operator_id: me.id }],
    )
    const told = await service.app.app.foundation.database.db
      .selectFrom('happenings')
      .select('details')
      .where('conversation_id', '=', id)
      .where('kind', '=', 'assigned')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      told.map(({ details }) => JSON.parse(details ?? '')),
      [{ operator: assignee }, { operator: null }],
    )
  })

  it('a person who is removed has no conversations any more', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent)
    const me = await person(agent)
    await agent.call('PUT', `/conversations/${id}/assignee`, { operator_id: me.id })
    assert.equal((await agent.call('DELETE', `/operators/${me.id}`)).status, 204)
    const state = async () => (await agent.get('/inbox')).body
    await until(async () => (await state()).counts.unassigned !== 0)
    assert.equal((await state()).data[0].assignee, null)
  })

  it('PATCH tags: 200 merged and taken away, and found by; 400 when they are too many', async () => {
    const agent = await service.addAgent()
    const id = await opened(agent, { tags: { plan: 'pro', seats: 1 } })
    const change = (tags: unknown) => agent.patch(`/conversations/${id}`, { tags })
    assert.deepEqual((await change({ plan: null, seats: 2, vip: true })).body.data.tags, {
      seats: 2,
      vip: true,
    })
    for (const [tag, found] of [
      ['plan:pro', 0],
      ['seats:1', 0],
      ['seats:2', 1],
      ['vip:true', 1],
    ] as const)
      assert.equal((await agent.get(`/inbox?tag=${tag}`)).body.data.length, found, tag)
    const many = Object.fromEntries(Array.from({ length: 63 }, (_, n) => [`t${n}`, n]))
    for (const tags of [many, { x: 'x'.repeat(20_000) }, { ['x'.repeat(65)]: 1 }, 'vip', { '': 1 }]) {
      assertError(await change(tags), 400, 'invalid_request')
    }
    assertError(await agent.patch(`/conversations/${id}`, { ended_at: null }), 400, 'invalid_request')
    assert.equal((await agent.patch(`/conversations/${id}`, { tags: { x: 'x'.repeat(1000) } })).status, 200)
    const stranger = await service.addAgent()
    assertError(await stranger.patch(`/conversations/${id}`, { tags: {} }), 404, 'conversation_not_found')
  })

  it('PUT read: 400 for a message of another conversation', async () => {
    const agent = await service.addAgent()
    const me = await person(agent)
    const [id, other] = [await opened(agent), await opened(agent)]
    const [message] = (await agent.get(`/conversations/${other}/messages`)).body.data
    for (const message_id of [message.id, 987_654_321, -1, '1', null]) {
      const answer = await me.call('PUT', `/conversations/${id}/read`, { message_id })
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'message_id')
    }
  })

  it('plans: no view reads a whole table or sorts one, with any filter or two', async () => {
    const agent = await service.addAgent()
    const me = await person(agent)
    for (let count = 0; count < 20; count++) {
      const id = await opened(agent, { user: 'u', tags: { plan: 'pro' } })
      if (count % 3 === 0) await agent.post(`/conversations/${id}/wait`)
      if (count % 4 === 0) await agent.put(`/conversations/${id}/priority`, { priority: 'urgent' })
    }
    const { db } = service.app.app.foundation.database
    if (service.engine === 'postgres') await db.executeQuery(CompiledQuery.raw('analyze'))
    const filters = [
      'user_id=u',
      'tag=plan:pro',
      'language=en',
      'unread=true',
      'channel_id=1',
      `assignee=${me.id}`,
      'priority=urgent',
    ]
    const sets = [
      '',
      ...filters,
      ...filters.flatMap((one, at) => filters.slice(at + 1).map((two) => `${one}&${two}`)),
    ]
    let asked = 0
    for (const view of inboxViews)
      for (const sort of inboxSorts)
        for (const set of sets) {
          const query = `view=${view}&sort=${sort}&per_page=2&${set}`
          const queries = await queriesOfRequests(db, async () => {
            const first = await me.inbox(query)
            assert.equal(first.status, 200, `${query}: ${first.text}`)
            if (first.body.next_cursor) await me.inbox(`${query}&cursor=${first.body.next_cursor}`)
          })
          for (const one of queries.filter(({ sql }) => /inbox_rows|conversation_tags/.test(sql))) {
            const plan = await planOf(db, service.engine, one)
            asked++
            assert.deepEqual(growingParts(plan, one), [], `${query}\n${one.sql}\n${plan.join('\n')}`)
          }
        }
    assert.ok(asked > 200)
  })

  it('view=all: 200, by one statement, which misses no conversation that ends meanwhile', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const queries = await queriesOfRequests(db, async () => {
      assert.equal((await agent.get('/inbox?view=all')).status, 200)
    })
    assert.equal(queries.filter(({ sql }) => sql.includes('order by "inbox_rows"')).length, 1)
  })

  for (const [query, name] of [
    ['channel_id=1', 'conversations_channel'],
    ['view=paused&sort=waiting', 'inbox_rows_paused_longest'],
  ] as const)
    it(`?${query}: 200, and passes over no other conversations`, async () => {
      const agent = await service.addAgent()
      const { db } = service.app.app.foundation.database
      const queries = await queriesOfRequests(db, async () => {
        assert.equal((await agent.get(`/inbox?${query}`)).status, 200)
      })
      const plans = await Promise.all(queries.map((one) => planOf(db, service.engine, one)))
      assert.ok(plans.flat().some((line) => line.includes(name)))
    })
})

function sortedIds(rows: readonly { conversation_id: string }[]): string[] {
  return rows.map(({ conversation_id }) => conversation_id).sort()
}
