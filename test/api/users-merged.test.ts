import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { sql } from 'kysely'
import { bySystem } from '../../src/audit/record.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { mergeUsers } from '../../src/profiles/merge-users.ts'
import { userKey } from '../../src/users/user-key.ts'
import { assertError, type TestAgent, type TestAnswer } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addWidget } from '../support/widget-visitors.ts'

const DAY_MS = 24 * 3_600_000

/** Like `assertError`, with the case that failed. */
function assertRefused({ status, body }: TestAnswer, expected: [status: number, code: string], name: string) {
  assert.deepEqual([status, body.error?.code], expected, name)
}

onBothEngines('POST and DELETE /users/{id}/merge', (service) => {
  const path = (id: string) => `/users/${encodeURIComponent(id)}`
  const merge = (agent: TestAgent, id: string, into: string) => agent.post(`${path(id)}/merge`, { into })
  const undo = (agent: TestAgent, id: string) => agent.call('DELETE', `${path(id)}/merge`)
  const profileOf = async (agent: TestAgent, id: string) => {
    const { status, body } = await agent.get(path(id))
    assert.equal(status, 200, id)
    return body.data
  }
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
  /** An agent with two people who have said two things each, by turns. */
  const twoPeople = async () => {
    const agent = await service.addAgent()
    const said: { id: string; conversation_id: string }[] = []
    for (const [at, user] of ['ada', 'countess', 'ada', 'countess'].entries())
      said.push(await agent.prompt(`word${at} from Berlin, ada@example.com`, { user }))
    await agent.patch(path('ada'), { name: 'Ada', attributes: { plan: 'pro' } })
    await agent.patch(path('countess'), { name: 'Countess', attributes: { plan: 'free', city: 'London' } })
    return { agent, said, conversations: said.map(({ conversation_id }) => conversation_id) }
  }

  it('200: lists, counts, filters, search and the earlier conversations are those of both', async () => {
    const { agent, said, conversations } = await twoPeople()
    const { status, body } = await merge(agent, 'countess', 'ada')
    assert.equal(status, 200)
    const newest = conversations.toReversed()
    for (const id of ['ada', 'countess', 'api:countess']) {
      const profile = await profileOf(agent, id)
      assert.equal(profile.id, 'ada')
      assert.deepEqual(profile.counts, { conversations: 4, completions: 4 })
      assert.deepEqual(idsOf(profile.conversations), newest)
      const user = encodeURIComponent(id)
      const inbox = (await agent.get(`/inbox?view=all&user_id=${user}`)).body.data
      assert.deepEqual(idsOf(inbox), newest)
      assert.deepEqual([...new Set(inbox.map((row: { user: { name: string } }) => row.user.name))], ['Ada'])
      const count = (await agent.get(`/inbox/bulk/count?view=all&user_id=${user}`)).body.data
      assert.equal(count.open, 4)
      const completions = (await agent.get(`/chat/completions?user_id=${user}`)).body
      assert.deepEqual(idsOf(completions.data), idsOf(said).toReversed())
      assert.equal(completions.total, 4)
      const hits = (await agent.get(`/search?q=berlin&user_id=${user}`)).body
      assert.equal(hits.total, 8)
    }
    const page = (await agent.get(`/conversations/${newest[0]}/earlier?per_page=2`)).body
    assert.deepEqual([idsOf(page.data), page.total], [newest.slice(1, 3), 3])
    for (const query of [`cursor=${page.next_cursor}`, 'page=2']) {
      const next = (await agent.get(`/conversations/${newest[0]}/earlier?per_page=2&${query}`)).body
      assert.deepEqual([idsOf(next.data), next.next_cursor], [newest.slice(3), null], query)
    }
    const beyond = (await agent.get(`/conversations/${newest[0]}/earlier?per_page=2&page=3`)).body
    assert.deepEqual(beyond.data, [])
    assert.deepEqual(idsOf((await agent.get('/users')).body.data), ['ada'])
    assert.deepEqual(idsOf((await agent.get('/users?q=countess')).body.data), ['ada'])
    const { identities } = body.data
    assert.deepEqual(
      identities.map(({ id, source, merged_into }: Record<string, unknown>) => [id, source, merged_into]),
      [
        ['ada', 'api', null],
        ['countess', 'api', 'api:ada'],
      ],
    )
    const [act] = (await agent.get('/audit?action=user.merged')).body.data
    assert.deepEqual([act.target, act.details], ['user countess', { into: 'user ada' }])
  })

  it('200: the profile gets what it lacks, and gives it back when the merge is undone', async () => {
    const { agent } = await twoPeople()
    await agent.patch(path('ada'), { name: null })
    const before = await profileOf(agent, 'countess')
    const merged = (await merge(agent, 'countess', 'ada')).body.data
    assert.deepEqual([merged.name, merged.attributes], ['Countess', { plan: 'pro', city: 'London' }])
    await agent.patch(path('countess'), { attributes: { city: 'Paris', vip: true } })
    const { status, body } = await undo(agent, 'countess')
    assert.equal(status, 200)
    for (const field of ['id', 'name', 'attributes', 'counts', 'conversations'])
      assert.deepEqual(body.data[field], before[field], field)
    const ada = await profileOf(agent, 'ada')
    assert.deepEqual([ada.name, ada.attributes], [null, { plan: 'pro', city: 'Paris', vip: true }])
    assert.deepEqual([ada.counts.conversations, ada.identities.length], [2, 1])
    assert.deepEqual((await agent.get('/users?q=countess')).body.data.length, 1)
    const acts = (await agent.get('/audit?action=user.unmerged')).body.data
    assert.equal(acts.length, 1)
  })

  it('200: what people have removed of a person stays away at the next merge, and is back with its own end user', async () => {
    const { agent } = await twoPeople()
    await agent.prompt('Hello', { user: 'lady' })
    await agent.patch(path('lady'), { attributes: { tier: 'gold' } })
    await agent.patch(path('ada'), { name: null, attributes: { plan: null } })
    await merge(agent, 'countess', 'ada')
    const removed = { name: null, attributes: { city: null, plan: null } }
    assert.equal((await agent.patch(path('ada'), removed)).status, 200)
    const after = (await merge(agent, 'lady', 'ada')).body.data
    assert.deepEqual([after.name, after.attributes], [null, { tier: 'gold' }])
    await agent.patch(path('ada'), { attributes: { city: 'Paris' } })
    await agent.patch(path('ada'), { attributes: { plan: 'free' } })
    assert.deepEqual((await undo(agent, 'countess')).body.data.attributes, { plan: 'free', city: 'London' })
    const apart = await profileOf(agent, 'ada')
    assert.deepEqual(apart.attributes, { tier: 'gold', city: 'Paris', plan: 'free' })
    await agent.patch(path('ada'), { attributes: { plan: null } })
    const again = (await merge(agent, 'countess', 'ada')).body.data
    assert.deepEqual(
      [again.name, again.attributes.plan],
      ['Countess', 'free'],
      'another merge is another choice',
    )
  })

  it('200: chains are one person, of which each link can be undone with all behind it', async () => {
    const agent = await service.addAgent()
    for (const user of ['a', 'b', 'c', 'd']) await agent.prompt('hi', { user })
    await agent.patch(path('a'), { name: 'A' })
    for (const [from, into] of [
      ['a', 'b'],
      ['c', 'd'],
      ['b', 'd'],
    ] as const)
      assert.equal((await merge(agent, from, into)).status, 200, `${from} into ${into}`)
    for (const id of ['a', 'b', 'c', 'd']) {
      const { id: person, name, counts } = await profileOf(agent, id)
      assert.deepEqual([person, name, counts.conversations], ['d', 'A', 4], id)
    }
    for (const [from, into] of [
      ['d', 'a'],
      ['a', 'd'],
      ['a', 'a'],
      ['b', 'c'],
    ] as const)
      assertRefused(await merge(agent, from, into), [409, 'user_merged'], `${from} into ${into}`)
    assert.equal((await undo(agent, 'b')).body.data.counts.conversations, 2)
    assert.equal((await profileOf(agent, 'a')).id, 'b')
    const { id, name, counts } = await profileOf(agent, 'c')
    assert.deepEqual([id, name, counts.conversations], ['d', null, 2])
    assertError(await undo(agent, 'b'), 409, 'user_not_merged')
    await undo(agent, 'a')
    assert.deepEqual([(await profileOf(agent, 'b')).name, (await profileOf(agent, 'a')).name], [null, 'A'])
  })

  it('200: of merges at once in a circle, people stay whole', async () => {
    const agent = await service.addAgent()
    const users = ['a', 'b', 'c', 'd']
    for (const user of users) await agent.prompt('hi', { user })
    const answers = await Promise.all(
      users.map((user, at) => merge(agent, user, users[(at + 1) % users.length] as string)),
    )
    for (const { status } of answers) assert.ok([200, 409].includes(status), String(status))
    const people = idsOf((await agent.get('/users')).body.data)
    const counts = await Promise.all(
      people.map(async (id) => (await profileOf(agent, id)).counts.conversations),
    )
    assert.ok(people.length >= 1)
    assert.equal(
      counts.reduce((sum, one) => sum + one, 0),
      4,
    )
  })

  it('200: what is said while people are merged counts for the person', async () => {
    const { agent } = await twoPeople()
    await Promise.all([
      merge(agent, 'countess', 'ada'),
      ...['ada', 'countess'].map((user) => agent.prompt('meanwhile', { user })),
    ])
    await agent.prompt('later', { user: 'countess' })
    assert.equal((await profileOf(agent, 'ada')).counts.conversations, 7)
    await undo(agent, 'countess')
    assert.equal((await profileOf(agent, 'countess')).counts.conversations, 4)
  })

  it('200: when one is blocked both are, until it is undone', async () => {
    const { agent, conversations } = await twoPeople()
    await agent.put(`${path('countess')}/blocked`, { blocked: true })
    assert.notEqual((await merge(agent, 'countess', 'ada')).body.data.blocked_at, null)
    for (const id of conversations)
      assert.notEqual((await agent.get(`/conversations/${id}`)).body.data.ended_at, null)
    for (const user of ['ada', 'countess'])
      assert.equal((await agent.prompt('hi', { user })).agent_paused, true)
    await undo(agent, 'countess')
    assert.equal((await profileOf(agent, 'ada')).blocked_at, null)
    assert.notEqual((await profileOf(agent, 'countess')).blocked_at, null)
    await merge(agent, 'countess', 'ada')
    await agent.put(`${path('countess')}/blocked`, { blocked: false })
    for (const user of ['ada', 'countess'])
      assert.equal((await agent.prompt('hi', { user })).agent_paused, false)
    await undo(agent, 'countess')
    assert.equal((await profileOf(agent, 'countess')).blocked_at, null)
  })

  it('200: a block of the person stays on both when the merge is undone, and is lifted for each', async () => {
    const { agent } = await twoPeople()
    const block = (id: string, blocked: boolean) => agent.put(`${path(id)}/blocked`, { blocked })
    await merge(agent, 'countess', 'ada')
    await block('countess', true)
    assert.notEqual((await undo(agent, 'countess')).body.data.blocked_at, null)
    assert.notEqual((await profileOf(agent, 'ada')).blocked_at, null)
    await block('ada', false)
    assert.equal((await profileOf(agent, 'ada')).blocked_at, null)
    assert.notEqual((await profileOf(agent, 'countess')).blocked_at, null)
  })

  for (const mode of ['scrub', 'anonymize'] as const)
    it(`200: ${mode} erases all of the person, who is one for good then`, async () => {
      const { agent } = await twoPeople()
      await merge(agent, 'countess', 'ada')
      const { body } = await agent.post(`${path('countess')}/${mode}`)
      assert.deepEqual([body.data.id, body.data.messages_redacted, body.data.remaining], ['ada', 8, 0])
      const { name, attributes, identities } = await profileOf(agent, 'countess')
      assert.deepEqual([name, attributes, identities[1].undo_until], [null, {}, null])
      assertError(await undo(agent, 'countess'), 409, 'merge_final')
      const receipts = (await agent.get(`${path('countess')}/erasures`)).body
      assert.equal(receipts.total, 1)
      if (mode === 'scrub') assert.equal((await agent.get('/search?q=berlin')).body.total, 0)
    })

  /** Resolves once some transactions wait for others. */
  const somebodyWaits = (most = 1) =>
    becomes(async () => {
      const { db } = service.app.app.foundation.database
      const waiting = sql`select distinct pid from pg_locks where not granted limit ${most}`
      return (await waiting.execute(db)).rows.length
    }, most)

  // An engine with one writer at a time lets nobody come between.
  if (service.engine === 'postgres') {
    for (const [name, begin] of [
      ['an undo', (agent: TestAgent) => undo(agent, 'ada')],
      ['an erasure', (agent: TestAgent) => agent.post(`${path('ada')}/scrub`)],
    ] as const)
      it(`200: ${name} waits for who changes the person, and holds nothing that they need`, async () => {
        const { agent } = await twoPeople()
        await merge(agent, 'ada', 'countess')
        const { db } = service.app.app.foundation.database
        const answer = await db.transaction().execute(async (db) => {
          const ofAgent = db
            .updateTable('users')
            .set({ blocked_at: null })
            .where('agent_id', '=', agent.agentId)
          await ofAgent.where('given_id', '=', 'countess').execute()
          const asked = begin(agent)
          await somebodyWaits()
          await ofAgent.where('given_id', '=', 'ada').execute()
          return { asked }
        })
        assert.equal((await answer.asked).status, 200)
      })

    it('409: somebody who became part of a person meanwhile is merged, while that person is', async () => {
      const agent = await service.addAgent()
      for (const user of ['a', 'b', 'c', 'd']) await agent.prompt('hi', { user })
      for (const user of ['a', 'b']) assert.equal((await merge(agent, user, 'c')).status, 200)
      const { database } = service.app.app.foundation
      const asked = await database.db.transaction().execute(async (db) => {
        const users = db.updateTable('users').set({ blocked_at: null }).where('agent_id', '=', agent.agentId)
        await users.where('given_id', '=', 'a').execute()
        const asked = merge(agent, 'c', 'd')
        await somebodyWaits()
        const keyOf = (id: string) => userKey({ source: 'api', id })
        const by = { ...bySystem, teamId: agent.teamId }
        const late = mergeUsers(database, agent.agentId, keyOf('b'), keyOf('d'), timestamp(Date.now()), by)
        const refused = assert.rejects(late, { code: 'user_merged' })
        await somebodyWaits(2)
        return { asked, refused }
      })
      await asked.refused
      assert.equal((await asked.asked).status, 200)
    })

    it('503: an erasure of somebody who is merged meanwhile is of the person when it is asked for again', async () => {
      const { agent, said } = await twoPeople()
      const { db } = service.app.app.foundation.database
      const { asked } = await db.transaction().execute(async (db) => {
        const completions = db.updateTable('completions').set({ redacted: null })
        await completions.where('id', '=', said[0]?.id ?? '').execute()
        const asked = agent.post(`${path('ada')}/scrub`)
        await somebodyWaits()
        assert.equal((await merge(agent, 'ada', 'countess')).status, 200)
        return { asked }
      })
      assertError(await asked, 503, 'unavailable')
      assert.equal((await profileOf(agent, 'ada')).attributes.plan, 'free')
      assert.equal((await agent.post(`${path('ada')}/scrub`)).status, 200)
      assert.deepEqual((await profileOf(agent, 'ada')).attributes, {})
    })
  }

  it('200: an export holds both, each conversation once', async () => {
    const { agent, said, conversations } = await twoPeople()
    await agent.prompt('by both', { user: 'ada', conversation_id: conversations[1] as string })
    await merge(agent, 'countess', 'ada')
    const response = await fetch(`${agent.baseUrl}${path('countess')}/export`, { headers: agent.headers })
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const of = (type: string) => lines.filter((line) => line.type === type).map(({ id }) => id)
    assert.deepEqual(of('user'), ['ada', 'countess'])
    assert.deepEqual(of('conversation').toSorted(), conversations.toSorted())
    assert.equal(new Set(of('completion')).size, said.length + 1)
    assert.equal(of('completion').length, said.length + 1)
  })

  it('200: receipts of either are those of the person', async () => {
    const { agent } = await twoPeople()
    await agent.post(`${path('countess')}/scrub`)
    const [before] = (await agent.get(`${path('countess')}/erasures`)).body.data
    await merge(agent, 'countess', 'ada')
    assert.deepEqual((await agent.get(`${path('ada')}/erasures`)).body.data, [before])
  })

  it('200: two people with 10,000 messages each are merged, read in pages, and apart again', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const made = { a: 5000, b: 5000 }
    for (const user of ['a', 'b'] as const) {
      const { id } = await agent.prompt('hi', { user })
      const completion = await db
        .selectFrom('completions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const messages = await db.selectFrom('messages').selectAll().where('completion_id', '=', id).execute()
      const { number: _number, ...copied } = completion
      for (let from = 1; from < made[user]; from += 100) {
        const ids = Array.from({ length: Math.min(100, made[user] - from) }, () => randomUUID())
        await db
          .insertInto('completions')
          .values(ids.map((id) => ({ ...copied, id })))
          .execute()
        const texts = ids.flatMap((completion_id) =>
          messages.map(({ id: _id, ...message }) => ({ ...message, completion_id })),
        )
        await db.insertInto('messages').values(texts).execute()
      }
    }
    const before = await profileOf(agent, 'b')
    assert.equal(before.counts.completions, 5000)
    assert.equal((await merge(agent, 'b', 'a')).body.data.counts.completions, 10_000)
    const seen = new Set<string>()
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { body } = await agent.get(`/chat/completions?user_id=b&per_page=100${cursor}`)
      assert.deepEqual([body.total, body.data.length], [10_000, 100])
      for (const { id } of body.data) seen.add(id)
      cursor = `&cursor=${body.next_cursor}`
    }
    assert.equal(seen.size, 300)
    const apart = (await undo(agent, 'b')).body.data
    assert.deepEqual([apart.counts, apart.conversations], [before.counts, before.conversations])
    assert.equal((await profileOf(agent, 'a')).counts.completions, 5000)
  })

  it('200: a visitor sees their own conversations, not those of the person', async () => {
    const { agent, ...widget } = await addWidget(service.app, await service.addAgent())
    const one = await widget.visit()
    const other = await widget.visit()
    const said = await one.say('Hello')
    await other.say('Hi')
    const { status } = await merge(agent, one.session.visitor_id, other.session.visitor_id)
    assert.equal(status, 200)
    const list = (await one.get('/conversations')).body.data
    assert.deepEqual(idsOf(list), [said.first.conversation_id])
  })

  it('409 merge_final: 30 days later; 404: somebody unknown, another agent’s; 400: other bodies', async () => {
    const { agent } = await twoPeople()
    const other = await service.addAgent()
    await other.prompt('hi', { user: 'bob' })
    let at = Date.parse('2026-03-01T00:00:00.000Z')
    service.clock = () => at
    await merge(agent, 'countess', 'ada')
    const { identities } = await profileOf(agent, 'ada')
    assert.equal(identities[1].undo_until, '2026-03-31T00:00:00.000Z')
    at += 30 * DAY_MS
    assertError(await undo(agent, 'countess'), 409, 'merge_final')
    assertError(await undo(agent, 'ada'), 409, 'user_not_merged')
    for (const [id, into] of [
      ['nobody', 'ada'],
      ['ada', 'nobody'],
      ['ada', 'bob'],
      ['bob', 'ada'],
    ] as const)
      assertRefused(await merge(agent, id, into), [404, 'user_not_found'], `${id} into ${into}`)
    assertError(await undo(agent, 'nobody'), 404, 'user_not_found')
    for (const body of [{}, { into: 1 }, { into: '' }, { into: 'ada', more: 1 }])
      assertError(await agent.post(`${path('ada')}/merge`, body), 400, 'invalid_request')
  })
})
