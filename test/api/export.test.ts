import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { it } from 'node:test'
import fc from 'fast-check'
import { csvValue } from '../../src/lib/csv.ts'
import { uuidv7 } from '../../src/lib/ids.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { aroundQueries } from '../support/around-queries.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Line {
  type: string
  id: string | number
  conversation_id?: string
  content?: unknown
  [field: string]: unknown
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

onBothEngines('GET /export', (service) => {
  const database = () => service.app.app.foundation.database
  const typesOf = (lines: Line[]) => lines.map(({ type }) => type)

  it('200: JSON Lines of every conversation with all that was said in it, and of nobody else', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    await other.prompt('a foreign text')
    service.model.next({ text: 'the answer' })
    const { conversation_id, id } = await agent.prompt('the question', { user: 'u', tags: { a: 1 } })
    await agent.post(`/chat/completions/${id}/feedback`, { feedback: 'well done', score: 1 })
    await agent.post(`/conversations/${conversation_id}/messages`, { content: 'a person', author: 'P' })
    await agent.post(`/conversations/${conversation_id}/notes`, { text: 'a note' })
    await agent.post(`/conversations/${conversation_id}/rating`, { score: 5, comment: 'a comment' })
    await agent.prompt('the second')
    const answer = await download(agent, '/export')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/jsonl/)
    const lines = linesOf(answer.text)
    assert.deepEqual(typesOf(lines), [
      'conversation',
      'conversation',
      'completion',
      'completion',
      ...Array(5).fill('message'),
      'note',
      'rating',
    ])
    const [conversation, , completion] = lines
    assert.deepEqual(
      [conversation?.id, conversation?.user_id, conversation?.tags],
      [conversation_id, 'u', { a: 1 }],
    )
    assert.deepEqual([completion?.id, completion?.feedback, completion?.score], [id, 'well done', 1])
    assert.deepEqual(
      lines.filter(({ type }) => type === 'message').map(({ content }) => content),
      ['the question', 'the answer', 'a person', 'the second', 'the second'],
    )
    assert.ok(!answer.text.includes('foreign'))
    const [act] = (await agent.get('/audit?action=export.made')).body.data
    assert.deepEqual(act.details, { format: 'jsonl', from: null, to: null })
  })

  it('200: from and to choose by when conversations started, the first included and the last not', async () => {
    const agent = await service.addAgent()
    const ids: string[] = []
    for (let day = 1; day <= 5; day++) {
      service.clock = () => Date.parse(`2026-05-0${day}T00:00:00.000Z`)
      ids.push((await agent.prompt(`day ${day}`)).conversation_id)
    }
    const found = async (query: string) =>
      linesOf((await download(agent, `/export?${query}`)).text).flatMap(({ type, id }) =>
        type === 'conversation' ? [id] : [],
      )
    assert.deepEqual(await found('from=2026-05-02T00:00:00Z&to=2026-05-04T00:00:00Z'), ids.slice(1, 3))
    assert.deepEqual(await found('from=2026-05-04T00:00:01Z'), ids.slice(4))
    assert.deepEqual(await found('to=2026-05-01T00:00:00Z'), [])
    assert.deepEqual(await found('from=2026-05-04T00:00:00Z&to=2026-05-02T00:00:00Z'), [])
    assert.deepEqual(await found(''), ids)
  })

  it('200: CSV of messages and notes, harmless to spreadsheets', async () => {
    const agent = await service.addAgent()
    service.model.next({ text: '+1 "quoted", \r\nand lines' })
    await agent.prompt('=HYPERLINK("http://evil")', { user: '@user', external_id: '-1+2' })
    const { text, headers } = await download(agent, '/export?format=csv')
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
    const rows = readCsv(text)
    const cell = (row: number, column: string) => rows[row]?.[rows[0]?.indexOf(column) ?? -1]
    assert.equal(cell(1, 'text'), `'=HYPERLINK("http://evil")`)
    assert.deepEqual([cell(1, 'user_id'), cell(1, 'external_id')], ["'@user", "'-1+2"])
    assert.equal(cell(2, 'text'), `'+1 "quoted", \r\nand lines`)
    assert.equal(rows.length, 3)
  })

  it('400, 403: a wrong format or time, a right too small', async () => {
    const agent = await service.addAgent()
    assertError(await agent.get('/export?format=xml'), 400, 'invalid_request')
    assertError(await agent.get('/export?from=yesterday'), 400, 'invalid_request')
    assertError(await agent.get('/export?form=jsonl'), 400, 'invalid_request')
    const lesser = await service.app.issue({ ...agent, right: 'respond' })
    assertError(await lesser.get('/export'), 403, 'insufficient_right')
  })

  it('a conversation larger than a page comes whole, once and in order', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('first')
    await agent.prompt('other')
    await fill(agent, conversation_id, 1, 1200)
    const messages = linesOf((await download(agent, '/export')).text).filter(({ type }) => type === 'message')
    const ids = messages.map(({ id }) => Number(id))
    assert.deepEqual([ids.length, new Set(ids).size], [1204, 1204])
  })

  it('100,000 rows: what is read stays close to what was taken, however slow the reader', async () => {
    const agent = await service.addAgent()
    await fillConversations(agent, 5000, 19)
    const read = countRows()
    const answer = await open(agent, '/export')
    let taken = 0
    let most = 0
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) {
      text = text.slice(text.lastIndexOf('\n') + 1) + chunk
      taken += text.split('\n').length - 1
      most = Math.max(most, read.rows() - taken)
      if (taken < 2000) await new Promise((resolve) => setImmediate(resolve))
    }
    read.stop()
    assert.equal(taken, 100_000)
    // What the sockets' buffers hold, about a megabyte of lines, and a page or two.
    assert.ok(most < 20_000, `${most} rows in flight`)
  })

  it('what is redacted while an export waits for its reader comes redacted', async () => {
    const agent = await service.addAgent()
    await fillConversations(agent, 3000, 20)
    const last = await agent.prompt('a secret at the end')
    const answer = await open(agent, '/export')
    await once(answer, 'readable')
    assert.equal((await agent.post(`/chat/completions/${last.id}/scrub`)).status, 200)
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    assert.ok(text.includes('[REDACTED]'))
    assert.ok(!text.includes('a secret at the end'))
  })

  it('GET /users/{id}/export 200: all of one person, in conversations of others too', async () => {
    const agent = await service.addAgent()
    const own = await agent.prompt('mine', { user: 'u' })
    await agent.patch('/users/u', { name: 'Una' })
    const theirs = await agent.prompt('theirs', { user: 'v' })
    await agent.prompt('mine too', { user: 'u', conversation_id: theirs.conversation_id })
    const lines = linesOf((await download(agent, '/users/u/export')).text)
    assert.deepEqual(typesOf(lines), [
      'user',
      'conversation',
      'completion',
      'message',
      'message',
      'completion',
      'message',
      'message',
    ])
    assert.deepEqual([lines[0]?.name, lines[1]?.id], ['Una', own.conversation_id])
    assert.equal(lines[6]?.content, 'mine too')
    assert.ok(!JSON.stringify(lines).includes('theirs'))
    const [act] = (await agent.get('/audit?action=export.made')).body.data
    assert.equal(act.target, 'user u')
  })

  async function download({ baseUrl, headers }: TestAgent, path: string) {
    const answer = await fetch(`${baseUrl}${path}`, { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  /** Counts the rows that the database gives to anybody. */
  function countRows() {
    let rows = 0
    const stop = aroundQueries(database().db, async (_, run) => {
      const result = await run()
      rows += result.rows.length
      return result
    })
    return { rows: () => rows, stop }
  }

  function open({ baseUrl, headers }: TestAgent, path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) =>
      get(`${baseUrl}${path}`, { headers }, resolve).on('error', reject),
    )
  }

  async function fill(agent: TestAgent, conversationId: string, from: number, count: number) {
    const { db } = database()
    const rows = Array.from({ length: count }, (_, n) => messageOf(agent, conversationId, `${from + n}`))
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('messages')
        .values(rows.slice(at, at + 500))
        .execute()
  }

  function messageOf(agent: TestAgent, conversation_id: string, text: string) {
    return {
      agent_id: agent.agentId,
      conversation_id,
      completion_id: null,
      role: 'transition' as const,
      content: JSON.stringify(`a message of some length, as people write them, number ${text}`),
      tool_calls: null,
      tool_call_id: null,
      author: null,
      redacted: null,
      created_at: '2026-01-01T00:00:00.000Z',
    }
  }

  /** Conversations with so many messages each. */
  async function fillConversations(agent: TestAgent, count: number, messages: number) {
    const { db } = database()
    await db.transaction().execute(async (db) => {
      for (let from = 0; from < count; from += 100) {
        const rows = Array.from({ length: 100 }, (_, n) => ({
          id: uuidv7(Date.parse('2026-01-01T00:00:00.000Z') + from + n),
          agent_id: agent.agentId,
          team_id: agent.teamId,
          sequence: from + n + 1,
          external_id: null,
          user_id: null,
          channel_id: null,
          tags: null,
          started_at: '2026-01-01T00:00:00.000Z',
        }))
        await db.insertInto('conversations').values(rows).execute()
        const said = rows.flatMap(({ id }) =>
          Array.from({ length: messages }, (_, n) => messageOf(agent, id, `${n}`)),
        )
        for (let at = 0; at < said.length; at += 500)
          await db
            .insertInto('messages')
            .values(said.slice(at, at + 500))
            .execute()
      }
      const counter = { agent_id: agent.agentId, conversations: count, last_conversation_id: '' }
      await db.insertInto('agent_counters').values(counter).execute()
    })
  }
})

it('a value of CSV is read back as it was, but for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (values) => {
      const [row = []] = readCsv(`${values.map(csvValue).join(',')}\r\n`)
      assert.deepEqual(
        row,
        values.map((value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)),
      )
    }),
  )
})

/** Reads CSV as RFC 4180 has it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/gs)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
