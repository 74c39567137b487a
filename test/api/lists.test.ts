import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { CompiledQuery } from 'kysely'
import { uuidv7 } from '../../src/lib/ids.ts'
import type { UserKey } from '../../src/users/user-key.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { documentOf } from '../support/conforms.ts'
import { growingParts, pagesOf, planOf, queriesOfRequests } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

/** More completions than a total counts. */
const MANY = 12_000
const BEGIN = Date.parse('2026-01-01T00:00:00.000Z')

/** Filters that most completions of the test match: PostgreSQL may prefer any index with the list's order for them. */
const COMMON = ['flagged', 'channel_id', 'min_timestamp', 'max_timestamp']

/** The index that leads to completions by each filter. */
const INDEXES: Record<string, string> = {
  conversation_id: 'completions_conversation',
  user_id: 'completions_user',
  device_id: 'completions_device',
  session_id: 'completions_session',
  channel_id: 'completions_channel',
  language: 'completions_language',
  liked: 'completions_liked',
  flagged: 'completions_flagged',
  min_timestamp: 'completions_agent',
  max_timestamp: 'completions_agent',
}

/** Only the API runs, so that nothing else queries the database. */
const ENV = { PARLEY_ROLES: 'api' }

onBothEngines(
  'Lists',
  (service) => {
    let agent: TestAgent
    const conversations: string[] = []
    let conversation: string
    let guardrail: number
    /** Values for the query parameters of lists, and for `{id}` in their paths. */
    let values: Record<string, string>

    before(async () => {
      agent = await service.addAgent()
      for (let count = 0; count < 20; count++)
        conversations.push((await agent.prompt('the first of many')).conversation_id)
      conversation = conversations[0] ?? ''
      const channel = await agent.post('/channels', { kind: 'helpdesk', settings: {} })
      const notification = await agent.post('/notifications', {
        name: 'n',
        url: 'http://127.0.0.1:9/',
        events: ['footer_click'],
      })
      const at = timeOf(0)
      const rule = {
        agent_id: agent.agentId,
        kind: 'guardrail' as const,
        name: 'g',
        position: 0,
        settings: JSON.stringify({
          on: 'prompt',
          evaluator_id: 1,
          action: 'flag',
          reply: 'no',
          replacement: '',
        }),
      }
      const stored = { ...rule, active: 0 as const, created_at: at, updated_at: at }
      const { db } = service.app.app.foundation.database
      guardrail = (await db.insertInto('rules').values(stored).returning('id').executeTakeFirstOrThrow()).id
      const site = {
        agent_id: agent.agentId,
        team_id: agent.teamId,
        kind: 'site' as const,
        url: 'http://127.0.0.1:9/',
        include: '[]',
        exclude: '[]',
        page_limit: 1,
        state: 'done' as const,
        created_at: at,
      }
      const imported = await db
        .insertInto('knowledge_imports')
        .values(site)
        .returning('id')
        .executeTakeFirst()
      const named = { agent_id: agent.agentId, name: 'd', created_at: at, updated_at: at }
      const dataset = await db.insertInto('datasets').values(named).returning('id').executeTakeFirst()
      const user = { agent_id: agent.agentId, id: 'listed' as UserKey, given_id: 'listed', first_seen_at: at }
      await db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const action = { type: 'priority', priority: 'normal' }
      const bulk = (await agent.post('/inbox/bulk', { ids: [conversation], action })).body.data
      values = {
        conversation_id: conversation,
        user_id: 'user-1',
        device_id: 'device-1',
        session_id: 'session-1',
        channel_id: '7',
        q: 'first',
        in: 'messages',
        language: 'en',
        liked: 'true',
        flagged: 'true',
        failed: 'true',
        min_timestamp: timeOf(0),
        max_timestamp: timeOf(MANY),
        actor: 'token',
        action: 'agent.paused',
        from: timeOf(0),
        to: timeOf(MANY),
        after: '0',
        before: '1000000',
        order: 'desc',
        outcome: 'added',
        reason: 'disliked',
        dataset_id: String(dataset?.id),
        '/datasets/{id}': String(dataset?.id),
        '/inbox/bulk/{id}': String(bulk.id),
        '/conversations/{id}': conversation,
        '/channels/{id}': String(channel.body.data.id),
        '/notifications/{id}': String(notification.body.data.id),
        '/knowledge/imports/{id}': String(imported?.id),
        '/agents/{id}': String(agent.agentId),
        '/users/{id}': 'listed',
      }
      await fill()
      const [{ number }] = (await list('per_page=1')).data
      values.after = String(number)
    })

    /** Adds completions, the oldest first; a few match the filters. */
    async function fill() {
      const { db } = service.app.app.foundation.database
      await db.deleteFrom('messages').where('agent_id', '=', agent.agentId).execute()
      await db.deleteFrom('completions').where('agent_id', '=', agent.agentId).execute()
      for (let from = 0; from < MANY; from += 500) {
        const rows = Array.from({ length: 500 }, (_, index) => {
          const place = from + index
          return {
            id: uuidv7(BEGIN + place),
            agent_id: agent.agentId,
            conversation_id: conversations[place % 20] ?? '',
            user_id: `user-${place % 3}` as UserKey,
            device_id: place % 50 === 0 ? 'device-1' : null,
            session_id: `session-${place % 4000}`,
            channel_id: place % 2 === 0 ? 7 : null,
            language: place % 1000 === 0 ? 'de' : 'en',
            liked: place % 100 === 0 ? (1 as const) : null,
            flagged: place >= 1000 ? (1 as const) : (0 as const),
            created_at: timeOf(place),
            answered_at: timeOf(place),
            finish_reason: 'stop',
            model: 'm',
            tags: '[]',
          }
        })
        await db.insertInto('completions').values(rows).execute()
      }
    }

    const list = async (query: string) => (await agent.get(`/chat/completions?${query}`)).body

    it('total: counted to 10,000, and total_capped where there may be more', async () => {
      const all = await list('per_page=1')
      assert.deepEqual([all.total, all.total_capped], [10_000, true])
      const few = await list('session_id=session-1&per_page=1')
      assert.deepEqual([few.total, 'total_capped' in few], [3, false])
    })

    it('page: reaches as far as the total', async () => {
      const last = await list('page=100&per_page=100')
      assert.equal(last.data.length, 100)
      assert.equal(last.data[99].created_at, timeOf(MANY - 10_000))
      const past = await list('page=101&per_page=100')
      assert.deepEqual([past.data, past.total, past.next_cursor], [[], 10_000, null])
    })

    it('cursor: goes on beyond the total, to the last item, each once and newest first', async () => {
      let page = await list('page=99&per_page=100')
      const seen: string[] = times(page)
      for (let number = 100; page.next_cursor; number++) {
        page = await list(`per_page=100&cursor=${page.next_cursor}`)
        assert.deepEqual([page.page, page.total, page.total_capped], [number, 10_000, true])
        seen.push(...times(page))
      }
      assert.deepEqual(
        seen,
        Array.from({ length: MANY - 9800 }, (_, index) => timeOf(MANY - 9801 - index)),
      )
    })

    it('cursor: what is added meanwhile shifts nothing', async () => {
      const other = await service.addAgent()
      for (const text of ['one', 'two', 'three']) await other.prompt(text)
      const first = (await other.get('/chat/completions?per_page=2')).body
      await other.prompt('four')
      const second = (await other.get(`/chat/completions?per_page=2&cursor=${first.next_cursor}`)).body
      assert.deepEqual(
        [...first.data, ...second.data].map(({ prompt }) => prompt),
        ['three', 'two', 'one'],
      )
      assert.deepEqual([second.total, second.page, second.next_cursor], [3, 2, null])
    })

    for (const [query, total] of [
      ['device_id=device-1', 240],
      ['liked=true', 120],
      ['language=de', 12],
      ['flagged=true', 10_000],
      [`min_timestamp=${timeOf(500)}&max_timestamp=${timeOf(520)}`, 21],
      [`session_id=session-7&min_timestamp=${timeOf(4007)}`, 2],
      ['user_id=user-1&liked=true', 40],
      ['device_id=device-1&liked=true&channel_id=7', 120],
      ['language=en&user_id=user-1&flagged=true&device_id=device-1', 70],
    ] as const) {
      it(`filters: ${query} has ${total}, by page and by cursor`, async () => {
        const first = await list(`${query}&per_page=7`)
        assert.equal(first.total, total)
        const seen = times(first)
        for (let page = first; page.next_cursor && seen.length < 300; ) {
          page = await list(`${query}&per_page=7&cursor=${page.next_cursor}`)
          const byNumber = await list(`${query}&per_page=7&page=${page.page}`)
          assert.deepEqual(byNumber.data, page.data)
          seen.push(...times(page))
        }
        if (total < 300) assert.equal(seen.length, total)
        assert.deepEqual(seen, [...new Set(seen)].toSorted().reverse())
      })
    }

    it('filters that no index leads to: a page examines 10,000 items at most and tells where to go on', async () => {
      const first = await list('flagged=false&per_page=100')
      assert.deepEqual([first.data, first.total, first.total_capped], [[], 0, true])
      const second = await list(`flagged=false&per_page=100&cursor=${first.next_cursor}`)
      assert.equal(second.data.length, 100)
      assert.equal(second.data[0].created_at, timeOf(999))
    })

    it('cursor: 400 with param for any other text, list, filter or agent', async () => {
      const { next_cursor } = await list('flagged=true&per_page=2')
      assert.equal((await agent.get(`/chat/completions?flagged=true&cursor=${next_cursor}`)).status, 200)
      const decoded = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
      const forged = (after: unknown) =>
        Buffer.from(JSON.stringify(decoded.with(1, after))).toString('base64url')
      const other = await service.addAgent()
      for (const [who, query] of [
        [agent, 'flagged=true&cursor=abc'],
        [agent, 'flagged=true&cursor='],
        [agent, `flagged=true&cursor=${next_cursor}x`],
        [agent, `cursor=${next_cursor}`],
        [agent, `flagged=false&cursor=${next_cursor}`],
        [agent, `flagged=true&language=en&cursor=${next_cursor}`],
        [agent, `flagged=true&min_timestamp=${timeOf(1)}&cursor=${next_cursor}`],
        [agent, `flagged=true&cursor=${forged(['x', 1])}`],
        [agent, `flagged=true&cursor=${forged([timeOf(1), 1.5])}`],
        [agent, `flagged=true&cursor=${forged([timeOf(1)])}`],
        [agent, `flagged=true&cursor=${forged([1, timeOf(1)])}`],
        [other, `flagged=true&cursor=${next_cursor}`],
      ] as const) {
        const answer = await who.get(`/chat/completions?${query}`)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, 'cursor', query)
      }
      const elsewhere = await agent.get(`/conversations/${conversation}/messages?cursor=${next_cursor}`)
      assertError(elsewhere, 400, 'invalid_request')
    })

    it('a filter reads its own part of its index only', async () => {
      if (service.engine !== 'postgres') return
      const { db } = service.app.app.foundation.database
      await db.executeQuery(CompiledQuery.raw('vacuum analyze completions'))
      // None of these has more than 20 completions.
      for (const query of [
        'session_id=session-9',
        'session_id=session-2000',
        'language=de',
        `language=en&min_timestamp=${timeOf(MANY - 20)}`,
        `language=en&max_timestamp=${timeOf(20)}`,
        `channel_id=7&liked=true&min_timestamp=${timeOf(MANY - 500)}`,
      ]) {
        const queries = await queriesOfRequests(db, () => agent.get(`/chat/completions?${query}`))
        for (const one of queries.filter(({ sql }) => sql.includes('from "completions"'))) {
          const pages = await pagesOf(db, one)
          assert.ok(pages < 40, `${query}: ${pages} pages\n${one.sql}`)
        }
      }
    })

    it('plans: no list reads a whole table or sorts one, with any filter or two', async () => {
      const { db } = service.app.app.foundation.database
      if (service.engine === 'postgres') await db.executeQuery(CompiledQuery.raw('analyze'))
      const { paths } = await documentOf(service.app.url)
      let asked = 0
      for (const [path, { get }] of Object.entries(paths)) {
        const declared = ((get as { parameters?: Parameter[] })?.parameters ?? []).filter(
          (one) => one.in === 'query',
        )
        const parameters = declared.map(({ name }) => name)
        // A test of its own looks at the plans of the inbox, as a person sees it.
        if (!path.startsWith('/api/v1') || !parameters.includes('per_page') || path.endsWith('/inbox'))
          continue
        const needed = declared.flatMap(({ name, required }) => (required ? name : []))
        const filters = parameters.filter(
          (name) =>
            !['page', 'per_page', 'limit', 'cursor', 'snapshot'].includes(name) && !needed.includes(name),
        )
        const place = path
          .replace('/api/v1', '')
          .replace('/rules/{kind}/{id}', `/rules/guardrail/${guardrail}`)
          .replace(/^\/[\w/]+\/\{id\}/, (start) => start.replace('{id}', values[start] ?? ''))
        assert.ok(!place.includes('{'), `no value for ${path}`)
        const sets = [[], ...filters.map((name) => [name]), ...pairsOf(filters)]
        for (const names of sets) {
          const query = [...needed, ...names]
            .map((name) => `${name}=${encodeURIComponent(values[name] ?? '')}`)
            .join('&')
          const queries = await queriesOfRequests(db, async () => {
            const first = await agent.get(`${place}?per_page=2&${query}`)
            assert.equal(first.status, 200, `${place}?${query}: ${first.text}`)
            await agent.get(`${place}?per_page=2&page=2&${query}`)
            if (first.body.next_cursor)
              await agent.get(`${place}?per_page=2&cursor=${first.body.next_cursor}&${query}`)
          })
          for (const one of queries) {
            const plan = await planOf(db, service.engine, one)
            asked++
            assert.deepEqual(growingParts(plan, one), [], `${place}?${query}\n${one.sql}\n${plan.join('\n')}`)
            const [name = ''] = names
            const isFree = names.length !== 1 || (service.engine === 'postgres' && COMMON.includes(name))
            const index = isFree ? undefined : INDEXES[name]
            if (index && one.sql.includes('from "completions"'))
              assert.ok(plan.join(' ').includes(index), `${query}\n${one.sql}\n${plan.join('\n')}`)
          }
        }
      }
      assert.ok(asked > 100)
    })
  },
  ENV,
)

interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
}

function timeOf(place: number): string {
  return new Date(BEGIN + place * 1000).toISOString()
}

function times(page: { data: { created_at: string }[] }): string[] {
  return page.data.map(({ created_at }) => created_at)
}

function pairsOf(names: string[]): string[][] {
  return names.flatMap((name, at) => names.slice(at + 1).map((other) => [name, other]))
}
