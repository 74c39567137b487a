import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { eraseAgents } from '../../src/agents/erase-agents.ts'
import { agentRows } from '../../src/app/agent-rows.ts'
import { openErasures } from '../../src/app/open-erasures.ts'
import { backfill } from '../../src/search/index/backfill.ts'
import { indexPending } from '../../src/search/index/index-pending.ts'
import type { SearchedTexts } from '../../src/search/index/searched-texts.ts'
import { searchConversations } from '../../src/search/search-conversations.ts'
import { searchedTexts } from '../../src/search/searched-texts.ts'
import { assertError, type TestAgent, type TestAnswer } from '../support/app.ts'
import { filesWith } from '../support/files-with.ts'
import { planOf, queriesOfRequests } from '../support/list-plans.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Hit {
  id: number
  role: string | null
  piece: { text: string; marked: boolean }[]
  conversation: { id: string }
}

onBothEngines('GET /search', (service) => {
  const database = () => service.app.app.foundation.database
  const running = new AbortController().signal

  /** Has everything of an agent in the index, or some of it. */
  const index = (agent: TestAgent, texts: SearchedTexts = searchedTexts) =>
    indexPending({ ...database(), logger: console, texts }, agent.agentId, running, 1)
  const search = async (agent: TestAgent, q: string, more = '') => {
    const { status, body } = await agent.get(`/search?q=${encodeURIComponent(q)}${more}`)
    assert.equal(status, 200, q)
    return body
  }
  const found = async (agent: TestAgent, q: string, more = ''): Promise<string[]> =>
    (await search(agent, q, more)).data.map(textOf)
  const textOf = ({ piece }: Hit) => piece.map(({ text }) => text).join('')
  const marked = (hit: Hit) => hit.piece.filter(({ marked }) => marked).map(({ text }) => text)
  /** An agent that says nothing of its own, with a prompt for each text. */
  async function agentWith(texts: string[], fields = {}) {
    const agent = await service.addAgent()
    const conversations: string[] = []
    for (const text of texts) {
      service.model.next({ text: 'Ok.' })
      conversations.push((await agent.prompt(text, fields)).conversation_id)
    }
    return { agent, conversations }
  }
  /** Runs a check while the texts wait, and once more when they are indexed. */
  async function eitherWay(agent: TestAgent, check: (state: string) => Promise<void>) {
    await check('waiting')
    await index(agent)
    const { db } = database()
    const waiting = db.selectFrom('search_pending').select('id').where('agent_id', '=', agent.agentId)
    assert.deepEqual(await waiting.execute(), [])
    await check('indexed')
  }

  it('200: several words in any order, beginnings of words and other inflections', async () => {
    const { agent } = await agentWith([
      'My refund for the broken kettle has not arrived',
      'Two refunds were promised to me',
      'The kettle is running hot',
    ])
    await eitherWay(agent, async (state) => {
      const kettle = 'My refund for the broken kettle has not arrived'
      assert.deepEqual(await found(agent, 'kettle refund'), [kettle], state)
      assert.deepEqual(await found(agent, 'REFUND keT'), [kettle], state)
      assert.deepEqual((await found(agent, 'refunds')).toSorted(), [
        kettle,
        'Two refunds were promised to me',
      ])
      assert.deepEqual(await found(agent, 'run kettle'), ['The kettle is running hot'], state)
      assert.deepEqual(await found(agent, 'refund teapot'), [], state)
      assert.deepEqual(await found(agent, ''), [], state)
      assert.deepEqual(await found(agent, '?! …'), [], state)
    })
  })

  it('200: an exact word goes before a beginning, a short text before a long one, and what matches is marked', async () => {
    const long = `${'They asked about many other things. '.repeat(20)}Then about a café table.`
    const { agent } = await agentWith([long, 'A cafeteria', 'Cafe!'])
    await eitherWay(agent, async (state) => {
      const { data } = await search(agent, 'café')
      assert.deepEqual(data.map(marked), [['Cafe'], ['café'], ['cafeteria']], state)
      assert.ok(textOf(data[1]).length <= 240 && textOf(data[1]).endsWith('Then about a café table.'))
    })
  })

  it('200: messages of users, the agent and people, by text and by who wrote them; nothing else', async () => {
    const agent = await service.addAgent()
    service.model.next({ text: 'zebra from the agent' })
    const { conversation_id } = await agent.prompt('', {
      messages: [
        { role: 'system', content: 'zebra from the instructions' },
        { role: 'user', content: 'zebra from the user' },
      ],
    })
    await agent.post(`/conversations/${conversation_id}/messages`, {
      content: 'zebra from a person',
      author: 'Ms Quagga',
    })
    await agent.post('/pause', { message: 'zebra from the pause' })
    await eitherWay(agent, async (state) => {
      const { data, total } = await search(agent, 'zebra')
      assert.deepEqual(data.map((hit: Hit) => hit.role).toSorted(), ['assistant', 'operator', 'user'], state)
      assert.equal(total, 3)
      assert.deepEqual(await found(agent, 'quagga'), ['zebra from a person'], state)
    })
  })

  it('200: finds in languages without spaces and in others', async () => {
    const texts = [
      '返金の手続きについて教えてください',
      '我想退货并且要求退款',
      'ขอคืนเงินค่าสินค้าด้วยครับ',
      'Где мой возврат?',
      'أين استرداد المبلغ الخاص بي',
      '환불은 언제 되나요',
      'Wo bleibt die Rückerstattung?',
    ]
    const { agent } = await agentWith(texts)
    const asked: [string, string][] = [
      ['手続き', texts[0] ?? ''],
      ['手続', texts[0] ?? ''],
      ['手続き 返金', texts[0] ?? ''],
      ['退款', texts[1] ?? ''],
      ['คืนเงิน', texts[2] ?? ''],
      ['возврата', texts[3] ?? ''],
      ['استرداد', texts[4] ?? ''],
      ['환불', texts[5] ?? ''],
      ['RUCKERST', texts[6] ?? ''],
    ]
    await eitherWay(agent, async (state) => {
      for (const [q, text] of asked) {
        const { data } = await search(agent, q)
        assert.deepEqual(data.map(textOf), [text], `${state}: ${q}`)
        assert.ok(marked(data[0]).length > 0, q)
      }
    })
  })

  it('200: notes with in=notes', async () => {
    const agent = await service.addAgent()
    const { db } = database()
    const { conversation_id } = await agent.prompt('something else')
    const note = {
      agent_id: agent.agentId,
      conversation_id,
      completion_id: null,
      created_at: '2026-01-01T00:00:00.000Z',
    }
    await db
      .insertInto('conversation_notes')
      .values({ ...note, text: 'wants a giraffe', author: 'A' })
      .execute()
    await eitherWay(agent, async (state) => {
      assert.deepEqual(await found(agent, 'giraffe', '&in=notes'), ['wants a giraffe'], state)
      assert.deepEqual(await found(agent, 'giraffe'), [], state)
      assert.deepEqual(await found(agent, 'else', '&in=notes'), [], state)
    })
  })

  it('200: conversations whose id, external id or end user is asked for', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('hello', {
      external_id: 'order-77',
      user: 'anna@example.com',
    })
    const other = await service.addAgent({ teamId: agent.teamId })
    for (const q of [conversation_id, conversation_id.toUpperCase(), 'order-77', ' anna@example.com ']) {
      const { conversations } = await search(agent, q)
      assert.deepEqual(
        conversations.map(({ id }: { id: string }) => id),
        [conversation_id],
        q,
      )
      assert.deepEqual((await search(other, q)).conversations, [], q)
      assert.deepEqual(await searchConversations(database().db, agent, q), [conversation_id], q)
      assert.deepEqual(await searchConversations(database().db, other, q), [], q)
    }
  })

  it('conversations are found by what is said in them, the newest first and each once', async () => {
    const { agent, conversations } = await agentWith(['an old okapi', 'a new okapi', 'a zebra'])
    const first = conversations[0] ?? ''
    await agent.prompt('the okapi again', { conversation_id: first })
    await agent.prompt('no more of it', { conversation_id: first })
    await eitherWay(agent, async (state) => {
      const ids = await searchConversations(database().db, agent, 'okapi')
      assert.deepEqual(ids, conversations.slice(0, 2), state)
      assert.deepEqual(await searchConversations(database().db, agent, 'okapi', 1), [first])
      assert.deepEqual(await searchConversations(database().db, agent, '  '), [])
    })
  })

  it('filters: each leaves out the others', async () => {
    const agent = await service.addAgent()
    const { db } = database()
    const one = await agent.prompt('walrus one', { user: 'u1', external_id: 'w-1' })
    const two = await agent.prompt('walrus two', { user: 'u2' })
    await agent.prompt('walrus three', { user: 'u1' })
    const set = (text: string, at: string) =>
      db.updateTable('messages').set({ created_at: at }).where('content', '=', JSON.stringify(text)).execute()
    await set('walrus one', '2026-01-01T00:00:00.000Z')
    await set('walrus two', '2026-02-01T00:00:00.000Z')
    await set('walrus three', '2026-03-01T00:00:00.000Z')
    await db
      .updateTable('conversations')
      .set({ channel_id: 41 })
      .where('id', '=', two.conversation_id)
      .execute()
    const only = '&per_page=50'
    await eitherWay(agent, async (state) => {
      const users = async (more: string) =>
        (await search(agent, 'walrus', only + more)).data
          .filter((hit: Hit) => hit.role === 'user')
          .map(textOf)
          .sort()
      for (const [more, expected] of [
        [`&conversation_id=${one.conversation_id}`, ['walrus one']],
        ['&conversation_id=w-1', ['walrus one']],
        ['&conversation_id=w-1&user_id=u2', []],
        ['&user_id=u1', ['walrus one', 'walrus three']],
        ['&user_id=u3', []],
        ['&channel_id=41', ['walrus two']],
        ['&channel_id=4', []],
        ['&from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z', ['walrus two']],
        ['&from=2026-02-01T00:00:01Z&to=2026-04-01T00:00:00Z', ['walrus three']],
        ['&to=2026-01-01T00:00:00Z', []],
        ['&user_id=u1&to=2026-02-01T00:00:00Z', ['walrus one']],
        ['&channel_id=41&from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z', ['walrus two']],
      ] as const)
        assert.deepEqual(await users(more), expected, `${state} ${more}`)
    })
  })

  it('cursor: every hit once, also when texts are indexed and added between pages', async () => {
    const agent = await service.addAgent()
    const texts = Array.from(
      { length: 30 },
      (_, n) => `panda${n % 3 === 0 ? ' '.concat('long '.repeat(n)) : ''} ${n}`,
    )
    const { conversation_id } = await agent.prompt('start')
    await insertMessages(agent, conversation_id, texts.slice(0, 20))
    await index(agent)
    await insertMessages(agent, conversation_id, texts.slice(20))
    for (const between of [async () => {}, () => index(agent)]) {
      const seen: number[] = []
      for (let cursor = ''; ; ) {
        const page = await search(agent, 'panda', `&per_page=7${cursor}`)
        seen.push(...page.data.map((hit: Hit) => hit.id))
        assert.ok(page.total >= 30)
        if (page.next_cursor === null) break
        cursor = `&cursor=${page.next_cursor}`
        await between()
        await insertMessages(agent, conversation_id, ['another one'])
      }
      assert.deepEqual([seen.length, new Set(seen).size], [30, 30])
    }
  })

  it('400: a cursor of another search, no q, an unknown filter or place', async () => {
    const { agent } = await agentWith(['tapir', 'tapir'])
    const { next_cursor } = await search(agent, 'tapir', '&per_page=1')
    assertRefused(await agent.get(`/search?q=lion&cursor=${next_cursor}`), 'cursor')
    assertRefused(await agent.get('/search?q=tapir&cursor=nonsense'), 'cursor')
    assertRefused(await agent.get('/search'), 'q')
    assertRefused(await agent.get('/search?q=a&in=dreams'), 'in')
    assertRefused(await agent.get('/search?q=a&chanel_id=1'), 'chanel_id')
    assertRefused(await agent.get('/search?q=a&from=yesterday'), 'from')
    assertRefused(await agent.get('/search?q=a%00b'), 'q')
  })

  it('404: a conversation of another agent', async () => {
    const { conversations } = await agentWith(['tapir'])
    const other = await service.addAgent()
    assertError(
      await other.get(`/search?q=tapir&conversation_id=${conversations[0]}`),
      404,
      'conversation_not_found',
    )
  })

  it("two agents with the same words find their own, and read nothing of the other's index", async () => {
    const one = await agentWith(['the same lemur', 'one lemur more'])
    const two = await agentWith(['the same lemur'])
    await eitherWay(one.agent, async (state) => {
      assert.equal((await found(one.agent, 'lemur')).length, 2, state)
      assert.equal((await found(two.agent, 'lemur')).length, 1, state)
    })
    await eitherWay(two.agent, async (state) => {
      assert.equal((await found(one.agent, 'lemur')).length, 2, state)
      assert.equal((await found(two.agent, 'lemur')).length, 1, state)
    })
  })

  it('any query is answered, and whatever waits and is indexed is found alike', async () => {
    const { agent } = await agentWith([
      'hello AND "world" NEAR(x) tsquery & | ! <-> :* "',
      "'; drop table messages --",
    ])
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '"',
        '*',
        ' AND ',
        ' NOT ',
        'NEAR(',
        ':*',
        '<->',
        '&',
        '|',
        "'",
        '\\',
        '%',
        '_',
        '^',
        '#1',
        '{',
        '\ud800',
      ),
      fc.constantFrom('hello', 'wor', 'messages', 'a', 'table'),
    )
    const query = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('').toWellFormed())
    const answers = new Map<string, unknown>()
    const ask = async (q: string) => {
      const answer = await agent.get(`/search?q=${encodeURIComponent(q)}`)
      assert.equal(answer.status, q.includes('\u0000') ? 400 : 200, JSON.stringify(q))
      return answer.body.data
    }
    await fc.assert(
      fc.asyncProperty(query, async (q) => {
        answers.set(q, await ask(q))
      }),
      { numRuns: 100 },
    )
    await index(agent)
    for (const [q, before] of answers) assert.deepEqual(await ask(q), before, JSON.stringify(q))
    const { db } = database()
    assert.ok(Array.isArray(await searchConversations(db, agent, 'x'.repeat(100_000))))
    assert.deepEqual(await searchConversations(db, agent, 'no\u0000thing'), [])
  })

  it('a scrub takes the text out of the search in its transaction, waiting or indexed, and out of the files', async () => {
    for (const isIndexed of [false, true]) {
      const { agent } = await agentWith(['my secret is marmoset4711', 'marmosets live here too'])
      if (isIndexed) await index(agent)
      const [hit] = (await search(agent, 'marmoset4711')).data
      assert.equal((await agent.post(`/chat/completions/${hit.completion_id}/scrub`)).status, 200)
      await index(agent)
      assert.deepEqual(await found(agent, 'marmoset4711'), [], `${isIndexed}`)
      assert.deepEqual(await found(agent, 'redacted'), [])
      assert.deepEqual(await found(agent, 'marmosets'), ['marmosets live here too'])
      const { db } = database()
      const words = await db
        .selectFrom('search_words')
        .select('word')
        .where('word', 'like', '%4711%')
        .execute()
      assert.deepEqual(words, [])
      if (service.engine === 'sqlite')
        assert.deepEqual(await filesWith(service.app.dataDir, 'marmoset4711'), [])
    }
  })

  it('an anonymized text is found by what is left of it', async () => {
    const { agent } = await agentWith(['write to bettongs@example.com about the invoice'])
    await index(agent)
    const [hit] = (await search(agent, 'bettongs')).data
    assert.equal((await agent.post(`/chat/completions/${hit.completion_id}/anonymize`)).status, 200)
    assert.deepEqual(await found(agent, 'bettongs'), [])
    assert.deepEqual(await found(agent, 'invoice'), ['write to [EMAIL_ADDRESS] about the invoice'])
    assert.equal((await found(agent, 'email_address invoice')).length, 1)
  })

  it('a text that is redacted while it is being indexed is not indexed as it was', async () => {
    const { agent } = await agentWith(['numbat0815 and the rest'])
    const [hit] = (await search(agent, 'numbat0815')).data
    let redactions = 0
    const texts: SearchedTexts = {
      ...searchedTexts,
      async read(...args) {
        const read = await searchedTexts.read(...args)
        if (redactions++ === 0) await agent.post(`/chat/completions/${hit.completion_id}/scrub`)
        return read
      },
    }
    await index(agent, texts)
    assert.ok(redactions > 1, 'read again')
    assert.deepEqual(await found(agent, 'numbat0815'), [])
    const { db } = database()
    const words = db.selectFrom('search_words').select('word').where('word', 'like', 'numbat%')
    assert.deepEqual(await words.execute(), [])
  })

  it('searches go on while texts are redacted: each answers with what is left', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `quokka number ${n}`)
    const { agent } = await agentWith(texts)
    await index(agent)
    const { data } = await search(agent, 'quokka')
    const scrubbing = data.map((hit: { completion_id: string }) =>
      agent.post(`/chat/completions/${hit.completion_id}/scrub`),
    )
    let left = 20
    for (let count = 0; count < 20; count++) {
      const now = (await search(agent, 'quokka')).total
      assert.ok(now <= left, `${now} after ${left}`)
      left = now
    }
    await Promise.all(scrubbing)
    assert.equal((await search(agent, 'quokka')).total, 0)
  })

  it('200: notes are looked for without reading the messages that wait', async () => {
    const agent = await service.addAgent()
    const { db } = database()
    const queries = await queriesOfRequests(db, () => found(agent, 'lynx', '&in=notes'))
    const query = queries.find(({ sql }) => sql.includes('search_pending'))
    assert.ok(query, 'search_pending')
    const plan = await planOf(db, service.engine, query)
    assert.match(plan.join('\n'), /search_pending_notes/)
  })

  it('texts from before the index are indexed, and going on after a stop leaves none out', async () => {
    const { agent } = await agentWith(['an old caracal', 'another caracal', 'the third caracal'])
    const { db, engine } = database()
    await db.deleteFrom('search_pending').where('agent_id', '=', agent.agentId).execute()
    assert.deepEqual(await found(agent, 'caracal'), [])
    const last = await db
      .selectFrom('messages')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('search_backfill')
      .set({ next_id: last.id, until_id: last.id })
      .where('kind', '=', 1)
      .execute()
    const stopped = AbortSignal.abort()
    await backfill({ db, engine, logger: console, texts: searchedTexts }, stopped)
    assert.deepEqual(await found(agent, 'caracal'), [])
    await backfill({ db, engine, logger: console, texts: searchedTexts }, running)
    await eitherWay(agent, async (state) => {
      assert.equal((await found(agent, 'caracal')).length, 3, state)
    })
    const blocks = db.selectFrom('search_blocks').select('number').where('agent_id', '=', agent.agentId)
    assert.deepEqual(await blocks.execute(), [{ number: -1 }])
  })

  it("erasing an agent takes its index and leaves the others'", async () => {
    const one = await agentWith(['a civet of one'])
    const two = await agentWith(['a civet of two'])
    await index(one.agent)
    await index(two.agent)
    await one.agent.post('/pause')
    const { db, engine } = database()
    const erasures = await openErasures(service.app.app.foundation)
    await db
      .updateTable('agents')
      .set({ deleted_at: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', one.agent.agentId)
      .execute()
    const removeFiles = async () => 0
    await eraseAgents({ db, engine, clock: Date.now, rows: agentRows, erasures, removeFiles }, running)
    const blocks = await db
      .selectFrom('search_blocks')
      .select('id')
      .where('agent_id', '=', one.agent.agentId)
      .execute()
    assert.deepEqual(blocks, [])
    const words = await db
      .selectFrom('search_words')
      .leftJoin('search_blocks', 'search_blocks.id', 'search_words.block_id')
      .select('word')
      .where('search_blocks.id', 'is', null)
      .execute()
    assert.deepEqual(words, [])
    assert.deepEqual(await found(two.agent, 'civet'), ['a civet of two'])
  })

  /** Refuses a parameter by its name. */
  function assertRefused(answer: TestAnswer, param: string) {
    assertError(answer, 400, 'invalid_request')
    assert.equal(answer.body.error.param, param)
  }

  async function insertMessages(agent: TestAgent, conversationId: string, texts: string[]) {
    await database()
      .db.insertInto('messages')
      .values(
        texts.map((text) => ({
          agent_id: agent.agentId,
          conversation_id: conversationId,
          completion_id: null,
          role: 'user' as const,
          content: JSON.stringify(text),
          tool_calls: null,
          tool_call_id: null,
          author: null,
          redacted: null,
          created_at: '2026-01-01T00:00:00.000Z',
        })),
      )
      .execute()
  }
})
