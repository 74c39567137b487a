import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Kysely } from 'kysely'
import type { Tables } from '../../src/storage/tables.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { filesWith } from '../support/files-with.ts'
import { offering } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const BATCH = 3
const REDACTED = '[REDACTED]'
const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }
/** A message as the model server gets it. */
interface Sent {
  role: string
  tool_calls?: { id: string }[]
  tool_call_id?: string
}

const DETAILS = { cached_tokens: 3 }

onBothEngines(
  'POST /chat/completions/{id}/scrub',
  (service) => {
    const scrub = (agent: TestAgent, id: string | number) => agent.post(`/chat/completions/${id}/scrub`)
    const read = async (agent: TestAgent, id: string) =>
      (await agent.get(`/chat/completions/${id}`)).body.data

    /** A completion of seven message rows with text of every kind; each holds the word. */
    async function everyKindOfText(agent: TestAgent, word: string, fields = {}) {
      const call = {
        id: `${word}_call_1`,
        type: 'function',
        function: { name: `${word}_look`, arguments: `{"for":"${word} args"}`, [word]: `${word} field` },
        extra_content: { note: `${word} note` },
      }
      const cited = {
        url: `https://example.com/?q=${word}`,
        title: `${word} title`,
        content: `${word} snippet`,
      }
      const message = {
        role: 'assistant',
        content: `${word} response`,
        tool_calls: [{ ...call, id: `${word}_call_2` }],
        annotations: [{ url_citation: cited }],
      }
      const answered = {
        model: `a ${word} model`,
        choices: [{ index: 0, message, finish_reason: `${word} finish` }],
        usage: { ...USAGE, prompt_tokens_details: DETAILS },
      }
      service.model.next({ raw: { body: JSON.stringify(answered), content_type: 'application/json' } })
      const answer = await agent.prompt('', {
        page_url: `https://example.com/shop?q=${word}#${word}`,
        messages: [
          { role: 'system', content: `${word} system` },
          { role: 'user', name: `${word} name`, content: `${word} user` },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: `${word}_call_1`, content: `${word} result` },
          { role: 'user', content: [{ type: 'text', text: `${word} part` }] },
        ],
        ...offering(`${word}_look`),
        ...fields,
      })
      const path = `/chat/completions/${answer.id}`
      await agent.post(`${path}/feedback`, { feedback: `${word} feedback`, score: 5 })
      await agent.post(`${path}/flag`, { flagged: true, reason: `${word} reason` })
      await agent.post(`${path}/like`, { liked: true })
      await agent.post(`${path}/clicks`, {
        kind: 'referral',
        target: `https://example.com/?q=${word} target`,
      })
      const operator = { content: `${word} operator`, author: `${word} person` }
      await agent.post(`/conversations/${answer.conversation_id}/messages`, operator)
      // Only counts are kept of what a server tells today; earlier versions kept all of it.
      const details = { ...DETAILS, [word]: 2 }
      const usage = { ...USAGE, [word]: 1, note: `${word} usage`, prompt_tokens_details: details }
      const { db } = service.app.app.foundation.database
      await db
        .updateTable('completions')
        .set({ usage: JSON.stringify(usage) })
        .where('id', '=', answer.id)
        .execute()
      return answer
    }

    it('200: in batches, with exact counts, until nothing remains', async () => {
      const agent = await service.addAgent()
      const { id } = await everyKindOfText(agent, 'zebra')
      const results = []
      for (let n = 0; n < 4; n++) {
        const { status, body } = await scrub(agent, id)
        assert.equal(status, 200)
        assert.deepEqual(Object.keys(body), ['data'])
        results.push(body.data)
      }
      const result = { id, mode: 'scrub' }
      assert.deepEqual(results, [
        { ...result, messages_redacted: 3, remaining: 4 },
        { ...result, messages_redacted: 3, remaining: 1 },
        { ...result, messages_redacted: 1, remaining: 0 },
        { ...result, messages_redacted: 0, remaining: 0 },
      ])
    })

    it('200: every kind of text is replaced; ids, likes, flags, scores, tags and visitors are kept', async () => {
      const agent = await service.addAgent()
      const kept = {
        user: 'u-1',
        device_id: 'd-1',
        session_id: 's-1',
        external_id: 'ext',
        tags: { vip: true },
      }
      const { id } = await everyKindOfText(agent, 'zebra', kept)
      const before = await read(agent, id)
      for (let left = 1; left > 0; ) left = (await scrub(agent, id)).body.data.remaining
      const after = await read(agent, id)
      assert.ok(!JSON.stringify(after).includes('zebra'))
      assert.deepEqual(after, {
        ...before,
        prompt: REDACTED,
        response: REDACTED,
        flag_reason: REDACTED,
        feedback: REDACTED,
        citations: [{ title: REDACTED, url: REDACTED, snippet: REDACTED }],
        usage: { ...USAGE, prompt_tokens_details: DETAILS },
        finish_reason: REDACTED,
        model: REDACTED,
        page_url: `https://example.com/shop?${REDACTED}`,
        messages: before.messages.map((message: Record<string, unknown>, index: number) => ({
          ...message,
          content: message.content === null ? null : REDACTED,
          author: message.author === null ? null : REDACTED,
          redacted: 'scrub',
          ...(message.tool_calls ? { tool_calls: after.messages[index].tool_calls } : {}),
          ...(message.tool_call_id ? { tool_call_id: after.messages[index].tool_call_id } : {}),
        })),
      })
      assert.deepEqual((await agent.get('/conversations/ext')).body.data.tags, { vip: true })
    })

    it('200: tool calls stay such that model servers take them: ids that pair, a plain name, an object', async () => {
      const agent = await service.addAgent()
      const { id } = await everyKindOfText(agent, 'zebra', { external_id: 'paired' })
      for (let left = 1; left > 0; ) left = (await scrub(agent, id)).body.data.remaining
      const { messages } = await read(agent, id)
      const calls = messages.flatMap((message: { tool_calls?: object[] }) => message.tool_calls ?? [])
      const [first, second] = calls
      assert.equal(messages[3].tool_call_id, first.id)
      assert.notEqual(first.id, second.id)
      for (const call of calls) {
        assert.match(call.id, /^[a-zA-Z0-9_-]{1,40}$/)
        assert.deepEqual(call, {
          id: call.id,
          type: 'function',
          function: { name: 'redacted', arguments: JSON.stringify({ redacted: REDACTED }) },
        })
      }
      await agent.post('/conversations/paired/resume')
      await agent.prompt('and now?', { external_id: 'paired' })
      const sent = (await service.model.request(1)).body.messages as Sent[]
      const call = sent.flatMap(({ tool_calls }) => tool_calls ?? [])[0]
      const result = sent.find(({ role }) => role === 'tool')
      assert.match(call?.id ?? '', /^[a-z0-9]{9}$/)
      assert.equal(result?.tool_call_id, call?.id)
    })

    it('200: ids of calls pair across completions; another agent makes others of the same', async () => {
      const agents = [await service.addAgent(), await service.addAgent()]
      const call = { id: 'zebra', type: 'function', function: { name: 'look', arguments: '{}' } }
      const ids = []
      for (const agent of agents) {
        const message = { role: 'assistant', content: null, tool_calls: [call] }
        const body = JSON.stringify({ choices: [{ index: 0, message }] })
        service.model.next({ raw: { body, content_type: 'application/json' } }, { text: 'found' })
        const asked = await agent.prompt('look', {
          external_id: `calls-${agent.agentId}`,
          ...offering('look'),
        })
        const answered = await agent.prompt('', {
          external_id: `calls-${agent.agentId}`,
          messages: [{ role: 'tool', tool_call_id: 'zebra', content: 'a result' }],
        })
        await scrub(agent, answered.id)
        await scrub(agent, asked.id)
        const { tool_call_id } = (await read(agent, answered.id)).messages[0]
        assert.equal((await read(agent, asked.id)).messages[1].tool_calls[0].id, tool_call_id)
        ids.push(tool_call_id)
      }
      assert.notEqual(ids[0], ids[1])
    })

    it('200: a click after a scrub is redacted by the next; its call to action stays known by its id', async () => {
      const agent = await service.addAgent()
      const { body } = await agent.post('/ctas', { name: 'Trial', content: 'Try it, zebra!', active: true })
      const { id } = await agent.prompt('hello')
      await scrub(agent, id)
      for (const [kind, target] of [
        ['footer', 'https://example.com/?zebra'],
        ['cta', String(body.data.id)],
      ])
        assert.equal((await agent.post(`/chat/completions/${id}/clicks`, { kind, target })).status, 200)
      await scrub(agent, id)
      const { db } = service.app.app.foundation.database
      const events = db.selectFrom('events').select(['key', 'data']).where('completion_id', '=', id)
      const told = (await events.orderBy('id').execute()).filter(({ data }) => data !== null)
      const dataOf = (key: string) =>
        told.filter((event) => event.key === key).map(({ data }) => JSON.parse(data ?? ''))
      assert.deepEqual(dataOf('footer_click'), [{ target: REDACTED }])
      assert.deepEqual(dataOf('cta_click'), [
        { target: String(body.data.id), cta: { id: body.data.id, name: 'Trial', content: REDACTED } },
      ])
      assert.deepEqual(dataOf('cta_trigger'), [
        { cta: { id: body.data.id, name: 'Trial', content: REDACTED } },
      ])
      assert.deepEqual((await read(agent, id)).ctas, [
        { id: body.data.id, name: 'Trial', content: REDACTED, url: null, button: null },
      ])
    })

    it('200: calls that meet go on where the others ended, and none answers that nothing is left to do', async () => {
      const agent = await service.addAgent()
      const { id } = await everyKindOfText(agent, 'zebra')
      const answers = await Promise.all([scrub(agent, id), scrub(agent, id), scrub(agent, id)])
      const counts = answers.map(({ body }) => body.data.messages_redacted).sort()
      assert.deepEqual(counts, [1, 3, 3])
      assert.equal(Math.min(...answers.map(({ body }) => body.data.remaining)), 0)
    })

    it('200: texts that are absent or empty do not count as rewritten', async () => {
      const agent = await service.addAgent()
      service.model.next({ text: '' })
      // Of a text, Parley would say that it is empty.
      const { id } = await agent.prompt('', { response_format: { type: 'json_object' } })
      const { data } = (await scrub(agent, id)).body
      assert.deepEqual([data.messages_redacted, data.remaining], [0, 0])
    })

    it('200: by number; the result has the UUID', async () => {
      const agent = await service.addAgent()
      const { id, number } = await agent.prompt('zebra')
      const { data } = (await scrub(agent, number)).body
      assert.deepEqual(data, { id, mode: 'scrub', messages_redacted: 2, remaining: 0 })
    })

    it('200: other completions of the conversation keep their text', async () => {
      const agent = await service.addAgent()
      const first = await agent.prompt('zebra one', { external_id: 'ext' })
      const second = await agent.prompt('zebra two', { external_id: 'ext' })
      await scrub(agent, first.id)
      assert.equal((await read(agent, second.id)).prompt, 'zebra two')
    })

    it('200: text given after a scrub is redacted by the next', async () => {
      const agent = await service.addAgent()
      const { id } = await agent.prompt('zebra')
      await scrub(agent, id)
      await agent.post(`/chat/completions/${id}/feedback`, { feedback: 'zebra again' })
      assert.equal((await read(agent, id)).feedback, 'zebra again')
      assert.equal((await scrub(agent, id)).body.data.messages_redacted, 0)
      assert.equal((await read(agent, id)).feedback, REDACTED)
      await agent.post(`/chat/completions/${id}/flag`, { flagged: true, reason: 'zebra too' })
      await scrub(agent, id)
      assert.equal((await read(agent, id)).flag_reason, REDACTED)
    })

    it('200: a person’s answer is redacted with the prompt that it answers', async () => {
      const agent = await service.addAgent()
      const first = await agent.prompt('zebra one', { external_id: 'answered' })
      const second = await agent.prompt('zebra two', { external_id: 'answered' })
      await agent.post('/conversations/answered/messages', { content: 'zebra three', author: 'Zoe' })
      assert.equal((await scrub(agent, first.id)).body.data.messages_redacted, 2)
      assert.equal((await scrub(agent, second.id)).body.data.messages_redacted, 3)
      const { text } = await agent.get('/conversations/answered/messages')
      assert.ok(!/zebra|Zoe/.test(text), text)
    })

    it('200: several scrubs at once rewrite each row once', async () => {
      const agent = await service.addAgent()
      const { id } = await everyKindOfText(agent, 'zebra')
      let redacted = 0
      for (let left = 1; left > 0; ) {
        const answers = await Promise.all([scrub(agent, id), scrub(agent, id), scrub(agent, id)])
        for (const { status, body } of answers) {
          assert.equal(status, 200)
          redacted += body.data.messages_redacted
        }
        left = Math.min(...answers.map(({ body }) => body.data.remaining))
      }
      assert.equal(redacted, 7)
      assert.ok(!JSON.stringify(await read(agent, id)).includes('zebra'))
    })

    for (const streamed of [false, true]) {
      it(`200: while the answer is still being made${streamed ? ' as a stream' : ''}: it is stored redacted`, async () => {
        const agent = await service.addAgent()
        const held = Promise.withResolvers<void>()
        const feed = service.model.feed(streamed ? {} : { text: 'zebra answer', after: held.promise })
        const body = { messages: [{ role: 'user', content: 'zebra prompt' }] }
        const answering = streamed ? readWholeStream(agent, body) : agent.post('/chat/completions', body)
        await service.model.request(0)
        const [{ id }] = (await agent.get('/chat/completions')).body.data
        const { data } = (await scrub(agent, id)).body
        assert.deepEqual([data.messages_redacted, data.remaining], [1, 0])
        feed.push('zebra answer')
        const cited = { url: 'https://example.com/', title: 'Okapi', content: 'zebra snippet' }
        feed.push({ annotations: [{ type: 'url_citation', url_citation: cited }] })
        feed.end()
        held.resolve()
        await answering
        const completion = await read(agent, id)
        assert.deepEqual([completion.prompt, completion.response], [REDACTED, REDACTED])
        assert.deepEqual(
          completion.messages.map(({ redacted }: { redacted: string }) => redacted),
          ['scrub', 'scrub'],
        )
        assert.ok(!JSON.stringify(completion).includes('zebra'))
        const again = (await scrub(agent, id)).body.data
        assert.deepEqual([again.messages_redacted, again.remaining], [0, 0])
      })
    }

    it('200: any body of any content type', async () => {
      const agent = await service.addAgent()
      const { id } = await agent.prompt('zebra')
      for (const [type, body] of [
        ['application/json', ''],
        ['application/json', '{'],
        ['text/plain', 'x'],
        ['nonsense', 'x'],
      ] as const) {
        const { status } = await agent.post(`/chat/completions/${id}/scrub`, body, { 'content-type': type })
        assert.equal(status, 200, `${type} ${body}`)
      }
    })

    it("403, and 404: unknown ones, another agent's", async () => {
      const agent = await service.addAgent()
      const colleague = await service.addAgent({ teamId: agent.teamId })
      const { id, number } = await agent.prompt('zebra')
      const path = `/chat/completions/${id}/scrub`
      assertError(await agent.post(path, undefined, { authorization: '' }), 403, 'invalid_credentials')
      for (const other of [id, number, '0', 'x', '019d0000-0000-7000-8000-000000000000', '999999999999999']) {
        assertError(await scrub(colleague, other), 404, 'completion_not_found')
      }
      assert.equal((await read(agent, id)).prompt, 'zebra')
    })

    it('the text is in rows before and in none after', async () => {
      const agent = await service.addAgent()
      const { id } = await everyKindOfText(agent, 'quagga')
      const { db } = service.app.app.foundation.database
      const before = (await allRows(db)).match(/quagga \w+/g) ?? []
      const kinds =
        'system name user args result part response args snippet feedback reason operator person ' +
        'field note title usage model finish target'
      assert.deepEqual(before.map((found) => found.split(' ')[1]).sort(), kinds.split(' ').sort())
      for (let left = 1; left > 0; ) left = (await scrub(agent, id)).body.data.remaining
      assert.ok(!(await allRows(db)).includes('quagga'))
    })

    if (service.engine === 'sqlite') {
      it('the text is in files of the data directory before and in none after', async () => {
        const agent = await service.addAgent()
        const completions = [
          await everyKindOfText(agent, 'okapi'),
          // Long enough to fill pages of its own, which a scrub sets free.
          await agent.prompt('okapi '.repeat(4000)),
        ]
        assert.notDeepEqual(await filesWith(service.app.dataDir, 'okapi'), [])
        for (const { id } of completions) {
          for (let left = 1; left > 0; ) left = (await scrub(agent, id)).body.data.remaining
        }
        assert.deepEqual(await filesWith(service.app.dataDir, 'okapi'), [])
      })
    }
  },
  { PARLEY_REDACTION_BATCH: String(BATCH) },
)

/** Every row of every table as text. */
async function allRows(db: Kysely<Tables>): Promise<string> {
  const tables = await db.introspection.getTables()
  const rows = tables.map(({ name }) =>
    db
      .selectFrom(name as never)
      .selectAll()
      .execute(),
  )
  return JSON.stringify(await Promise.all(rows))
}
