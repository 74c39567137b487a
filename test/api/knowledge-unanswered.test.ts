import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { forgetQuestions, putGroup } from '../../src/knowledge/unanswered/unanswered-store.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { aroundQueries } from '../support/around-queries.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

type Prompted = Awaited<ReturnType<TestAgent['prompt']>>

onBothEngines(
  '/knowledge/unanswered',
  (service) => {
    async function addAgent(): Promise<TestAgent> {
      const agent = await service.addAgent()
      const content = 'You may return a kettle within 30 days of delivery.'
      await agent.post('/knowledge', { title: 'Returns', content })
      return agent
    }

    const list = async (agent: TestAgent, query = '') =>
      (await agent.get(`/knowledge/unanswered${query}`)).body

    const questions = async (agent: TestAgent) =>
      (await list(agent)).data.map(({ question, count }: Record<string, unknown>) => [question, count])

    it('200: questions without an answer, grouped by their words, those asked last first', async () => {
      const agent = await addAgent()
      let now = Date.parse('2026-11-22T10:00:00.000Z')
      service.clock = () => now
      const ask = async (text: string) => {
        now += 1000
        return agent.prompt(text)
      }
      const before = await ask('Who won the football match?')
      await ask('Do you deliver to Mars?')
      await ask('When may I return a kettle?')
      const last = await ask('who won... the FOOTBALL match')
      const page = await list(agent)
      assert.equal(page.total, 2)
      const { id, ...first } = page.data[0]
      assert.equal(typeof id, 'number')
      const example = ({ id, conversation_id }: Prompted, question: string, asked_at: string) => ({
        ...{ question, redacted: null, reasons: ['unknown'], asked_at },
        ...{ conversation_id, completion_id: id },
      })
      assert.deepEqual(first, {
        question: 'who won... the FOOTBALL match',
        redacted: null,
        count: 2,
        reasons: [{ reason: 'unknown', count: 2 }],
        examples: [
          example(last, 'who won... the FOOTBALL match', '2026-11-22T10:00:04.000Z'),
          example(before, 'Who won the football match?', '2026-11-22T10:00:01.000Z'),
        ],
        first_asked_at: '2026-11-22T10:00:01.000Z',
        last_asked_at: '2026-11-22T10:00:04.000Z',
        conversation_id: last.conversation_id,
        completion_id: last.id,
      })
      assert.deepEqual(await questions(agent), [
        ['who won... the FOOTBALL match', 2],
        ['Do you deliver to Mars?', 1],
      ])
    })

    it('forgets thousands of questions by few statements of few variables, and counts what is left', async () => {
      const agent = await addAgent()
      const kept = await agent.prompt('Do you deliver to Mars?')
      const { db } = service.app.app.foundation.database
      const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000)`
      const conversation = kept.conversation_id
      await sql`insert into unanswered_questions (agent_id, words_hash, count, others, disliked, first_asked_at,
          last_asked_at, conversation_id, completion_id)
        ${numbers} select cast(${agent.agentId} as integer), 'many ' || n, 2, 2, 2, '2026-01-01T00:00:00.000Z',
          '2026-01-03T00:00:00.000Z', cast(${conversation} as text), 'gone ' || n from numbers where n <= 1500`.execute(
        db,
      )
      await sql`insert into unanswered_notes (agent_id, question_id, conversation_id, completion_id, reasons, asked_at)
        ${numbers} select cast(${agent.agentId} as integer), id, cast(${conversation} as text), 'gone ' || n, 8,
          '2026-01-03T00:00:00.000Z' from numbers
        join unanswered_questions on words_hash = 'many ' || (case when n > 1500 then n - 1500 else n end)
        where agent_id = ${agent.agentId}`.execute(db)
      await db
        .updateTable('unanswered_notes')
        .set({ completion_id: 'kept', asked_at: '2026-01-02T00:00:00.000Z' })
        .where('agent_id', '=', agent.agentId)
        .where('completion_id', '=', 'gone 2000')
        .execute()
      const variables: number[] = []
      await db.transaction().execute(async (db) => {
        const end = aroundQueries(db, (query, run) => {
          variables.push(query.parameters.length)
          return run()
        })
        const gone = db.selectFrom('unanswered_notes').select('completion_id as id')
        const completions = gone
          .where('agent_id', '=', agent.agentId)
          .where('completion_id', 'like', 'gone %')
        await forgetQuestions(db, completions as never)
        end()
      })
      assert.ok(variables.length > 3 && variables.length < 100, `${variables.length} statements`)
      assert.ok(Math.max(...variables) < 2000, `${Math.max(...variables)} variables`)
      const { data } = await list(agent)
      assert.deepEqual(
        data.map(({ count, reasons, last_asked_at, completion_id }: Record<string, unknown>) => [
          ...[count, reasons, completion_id],
          ...(completion_id === 'kept' ? [last_asked_at] : []),
        ]),
        [
          [1, [{ reason: 'unknown', count: 1 }], kept.id],
          [1, [{ reason: 'disliked', count: 1 }], 'kept', '2026-01-02T00:00:00.000Z'],
        ],
      )
    })

    it('a question that is noted late changes only when its group was asked first', async () => {
      const agent = await addAgent()
      const { id, conversation_id } = await agent.prompt('Do you deliver to Mars?')
      const { db } = service.app.app.foundation.database
      const put = (completion_id: string, asked_at: string) =>
        db
          .transaction()
          .execute((db) =>
            putGroup(
              db,
              { hash: 'late', words: 'late' },
              { agent_id: Number(agent.agentId), conversation_id, completion_id, asked_at },
              1,
            ),
          )
      await put(id.replace(/^.{8}/, 'aaaaaaaa'), '2026-01-03T00:00:00.000Z')
      await put(id.replace(/^.{8}/, 'bbbbbbbb'), '2026-01-01T00:00:00.000Z')
      const { first_asked_at, last_asked_at, completion_id, count } = (await list(agent)).data[1]
      assert.deepEqual(
        [first_asked_at, last_asked_at, completion_id.slice(0, 8), count],
        ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z', 'aaaaaaaa', 2],
      )
    })

    it('200: nearly the same words count as one question, others do not', async () => {
      const agent = await addAgent()
      for (const text of [
        'How do I export my invoices?',
        'Hello! We moved last week. How can I export an invoice, please?',
        'exporting invoices, how?',
        'How do I delete my invoices?',
        'How do I export my contacts?',
      ])
        await agent.prompt(text)
      assert.deepEqual(await questions(agent), [
        ['How do I export my contacts?', 1],
        ['How do I delete my invoices?', 1],
        ['exporting invoices, how?', 3],
      ])
    })

    it('200: only questions with a reason', async () => {
      const agent = await addAgent()
      const { id } = await agent.prompt('Do you deliver to Mars?')
      await agent.prompt('Do you deliver to Venus?')
      await agent.post(`/chat/completions/${id}/like`, { liked: false })
      const only = async (reason: string) =>
        (await list(agent, `?reason=${reason}`)).data.map(({ question }: { question: string }) => question)
      assert.deepEqual(await only('unknown'), ['Do you deliver to Venus?', 'Do you deliver to Mars?'])
      assert.deepEqual(await only('disliked'), ['Do you deliver to Mars?'])
      assert.deepEqual(await only('uncited'), [])
      const mixed = await list(agent, '?reason=unknown&per_page=1')
      const cursor = `&cursor=${mixed.next_cursor}`
      assert.equal((await list(agent, `?reason=unknown${cursor}`)).data.length, 1)
      assertError(await agent.get(`/knowledge/unanswered?reason=disliked${cursor}`), 400, 'invalid_request')
    })

    it('a question that is scrubbed leaves its group, which names the one asked before it', async () => {
      const agent = await addAgent()
      const first = await agent.prompt('Do you deliver to Mars?')
      const second = await agent.prompt('Do you deliver to Mars, please?')
      await agent.post(`/chat/completions/${second.id}/scrub`)
      const [left] = (await list(agent)).data
      assert.deepEqual(
        [left.question, left.count, left.completion_id, left.examples.length],
        ['Do you deliver to Mars?', 1, first.id, 1],
      )
    })

    it('of a group, the newest 50 prompts are kept, and all are counted', async () => {
      const agent = await addAgent()
      for (let times = 0; times < 53; times++) await agent.prompt('Do you deliver to Mars?')
      assert.deepEqual(await questions(agent), [['Do you deliver to Mars?', 53]])
      const { db } = service.app.app.foundation.database
      const notes = db.selectFrom('unanswered_notes').select('id').where('agent_id', '=', agent.agentId)
      assert.equal((await notes.execute()).length, 50)
    })

    it('200: a question is read no further than its first 4,000 characters', async () => {
      const agent = await addAgent()
      const start = `${'moonlight'.repeat(10)} `.repeat(45)
      await agent.prompt(`${start}one`)
      await agent.prompt(`${start}two`)
      assert.deepEqual((await questions(agent)).length, 1)
      await agent.prompt('\ufdfa'.repeat(200_000))
      assert.deepEqual((await questions(agent)).length, 2)
    })

    it('200: pages by number and by cursor', async () => {
      const agent = await addAgent()
      for (const planet of ['Mars', 'Venus', 'Saturn']) await agent.prompt(`Do you deliver to ${planet}?`)
      const first = await list(agent, '?per_page=2')
      assert.deepEqual([first.data.length, first.total], [2, 3])
      const second = await list(agent, `?per_page=2&cursor=${first.next_cursor}`)
      assert.deepEqual(
        [...first.data, ...second.data].map(({ question }) => question),
        ['Do you deliver to Saturn?', 'Do you deliver to Venus?', 'Do you deliver to Mars?'],
      )
      assert.equal(second.next_cursor, null)
      assert.deepEqual((await list(agent, '?per_page=2&page=2')).data, second.data)
    })

    it('a streamed answer counts too; greetings, words of paused agents and texts without a word do not', async () => {
      const agent = await addAgent()
      const messages = [{ role: 'user', content: 'Do you deliver to Mars?' }]
      await agent.post('/chat/completions', { messages, stream: true })
      await agent.prompt('Hello!')
      await agent.prompt('??? 🙈')
      await agent.post('/pause')
      await agent.prompt('Do you deliver to Venus?')
      await agent.post('/resume')
      assert.deepEqual(await questions(agent), [['Do you deliver to Mars?', 1]])
    })

    it('questions at once are all counted', async () => {
      const agent = await addAgent()
      const texts = Array.from({ length: 12 }, (_, at) => `Do you deliver to ${at % 2 ? 'Mars' : 'Venus'}?`)
      await Promise.all(texts.map((text) => agent.prompt(text)))
      assert.deepEqual((await questions(agent)).toSorted(), [
        ['Do you deliver to Mars?', 6],
        ['Do you deliver to Venus?', 6],
      ])
    })

    it('an anonymized question is listed as it is then, a scrubbed one is not; its text is kept nowhere else', async () => {
      const agent = await addAgent()
      const word = `Zyx${crypto.randomUUID().replaceAll('-', '')}`
      const asked = `Do you know ${word} of zyx@example.com?`
      const { id } = await agent.prompt(asked)
      assert.deepEqual(await questions(agent), [[asked, 1]])
      await agent.post(`/chat/completions/${id}/anonymize`)
      const [anonymized] = (await list(agent)).data
      assert.deepEqual(
        [anonymized.question, anonymized.redacted],
        [`Do you know ${word} of [EMAIL_ADDRESS]?`, 'anonymize'],
      )
      const { db } = service.app.app.foundation.database
      const stored = async () => {
        const { rows } = await sql`select * from unanswered_questions`.execute(db)
        return JSON.stringify(rows).toLowerCase()
      }
      const traces = [word, 'example', 'know'].map((trace) => trace.toLowerCase())
      const anonymous = await stored()
      assert.ok(anonymous.includes(id))
      for (const trace of traces) assert.ok(!anonymous.includes(trace), trace)
      await agent.post(`/chat/completions/${id}/scrub`)
      assert.deepEqual((await list(agent)).data, [])
      const scrubbed = await stored()
      for (const trace of [id, ...traces]) assert.ok(!scrubbed.includes(trace), trace)
      if (service.engine === 'sqlite') {
        for (const written of [word, word.toLowerCase()])
          assert.deepEqual(await filesWith(service.app.dataDir, written), [])
      }
    })

    it('words are hashed with a key, apart for each agent', async () => {
      const [one, other] = [await addAgent(), await addAgent()]
      for (const agent of [one, other]) await agent.prompt('Do you deliver to Mars?')
      const { db } = service.app.app.foundation.database
      const rows = await db
        .selectFrom('unanswered_questions')
        .select('words_hash')
        .where('agent_id', 'in', [one.agentId, other.agentId])
        .execute()
      assert.equal(new Set(rows.map(({ words_hash }) => words_hash)).size, 2)
    })

    it('204: dismisses a question, which is listed again when it is asked again', async () => {
      const agent = await addAgent()
      const first = await agent.prompt('Do you deliver to Mars?')
      await agent.prompt('Do you deliver to Mars?')
      const [{ id }] = (await list(agent)).data
      assert.equal((await agent.call('DELETE', `/knowledge/unanswered/${id}`)).status, 204)
      assert.deepEqual(await questions(agent), [])
      assertError(await agent.call('DELETE', `/knowledge/unanswered/${id}`), 404, 'question_not_found')
      const { body } = await agent.get('/audit?action=question.dismissed')
      assert.deepEqual(
        body.data.map(({ target }: { target: string }) => target),
        [`question ${id}`],
      )
      // What comes of a dismissed prompt later does not list it again.
      await agent.post(`/chat/completions/${first.id}/like`, { liked: false })
      assert.deepEqual(await questions(agent), [])
      await agent.prompt('Do you deliver to Mars?')
      const [again] = (await list(agent)).data
      assert.equal(again.count, 1)
      assert.notEqual(again.id, id)
    })

    it('404 for a question of another agent, which does not see it either', async () => {
      const [agent, other] = [await addAgent(), await addAgent()]
      await agent.prompt('Do you deliver to Mars?')
      const [{ id }] = (await list(agent)).data
      assert.equal((await list(other)).total, 0)
      for (const wrong of [id, 999_999, 'x', '0'])
        assertError(await other.call('DELETE', `/knowledge/unanswered/${wrong}`), 404, 'question_not_found')
      assert.equal((await list(agent)).total, 1)
    })

    it('400: an unknown parameter, a wrong page or cursor', async () => {
      const agent = await addAgent()
      for (const query of ['?color=red', '?page=x', '?cursor=abc', '?reason=x'])
        assertError(await agent.get(`/knowledge/unanswered${query}`), 400, 'invalid_request')
    })
  },
  { PARLEY_MODEL_URL: '' },
)
