import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { offering } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type Peer, startPeer } from '../support/peer.ts'

const EMAIL = 'grace.hopper@example.org'
const CARD = '4111 1111 1111 1111'

onBothEngines(
  'POST /chat/completions/{id}/anonymize',
  (service) => {
    const anonymize = (agent: TestAgent, id: string | number) =>
      agent.post(`/chat/completions/${id}/anonymize`)
    const read = async (agent: TestAgent, id: string) =>
      (await agent.get(`/chat/completions/${id}`)).body.data

    it('200: findings are replaced by their type, all else stays, and a repeat changes nothing', async () => {
      const agent = await service.addAgent()
      service.model.next({ text: 'I will write to you.' })
      const { id, number } = await agent.prompt(`Write to ${EMAIL} about my card ${CARD}, please`)
      const first = await anonymize(agent, number)
      assert.equal(first.status, 200)
      assert.deepEqual(first.body, { data: { id, mode: 'anonymize', messages_redacted: 1, remaining: 0 } })
      const stored = await read(agent, id)
      assert.equal(stored.prompt, 'Write to [EMAIL_ADDRESS] about my card [CREDIT_CARD], please')
      assert.equal(stored.response, 'I will write to you.')
      assert.deepEqual(
        stored.messages.map((message: { redacted: string }) => message.redacted),
        ['anonymize', 'anonymize'],
      )
      const again = await anonymize(agent, id)
      assert.deepEqual(again.body, { data: { id, mode: 'anonymize', messages_redacted: 0, remaining: 0 } })
    })

    it('200: tool arguments stay valid JSON; feedback, reason, names and snippets are redacted too', async () => {
      const agent = await service.addAgent()
      const call = {
        id: 'call_1',
        type: 'function',
        function: {
          name: 'mail',
          arguments: JSON.stringify({ to: EMAIL, copies: 2, card: 4111111111111111 }),
        },
      }
      service.model.next({
        raw: {
          body: JSON.stringify({
            choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [call] } }],
          }),
          content_type: 'application/json',
        },
      })
      const { id } = await agent.prompt('', {
        messages: [
          { role: 'user', name: 'Grace Hopper', content: [{ type: 'text', text: `Mail ${EMAIL}` }] },
        ],
        ...offering('mail'),
      })
      await agent.post(`/chat/completions/${id}/feedback`, { feedback: `Reach me at ${EMAIL}`, score: 1 })
      await agent.post(`/chat/completions/${id}/flag`, { flagged: true, reason: `shows ${EMAIL}` })
      assert.equal((await anonymize(agent, id)).body.data.messages_redacted, 2)
      const stored = await read(agent, id)
      assert.deepEqual(JSON.parse(stored.messages[1].tool_calls[0].function.arguments), {
        to: '[EMAIL_ADDRESS]',
        copies: 2,
        card: '[CREDIT_CARD]',
      })
      assert.deepEqual(stored.messages[0].content, [{ type: 'text', text: 'Mail [EMAIL_ADDRESS]' }])
      assert.equal(stored.messages[0].author, '[PERSON]')
      assert.equal(stored.feedback, 'Reach me at [EMAIL_ADDRESS]')
      assert.equal(stored.flag_reason, 'shows [EMAIL_ADDRESS]')
      assert.equal(stored.score, 1)
    })

    it('200: names and ids of tool calls, unknown fields, page addresses, clicks, usage', async () => {
      const agent = await service.addAgent()
      const call = {
        id: EMAIL,
        type: 'function',
        function: { name: EMAIL, arguments: '{}' },
        extra_content: { [EMAIL]: `of ${EMAIL}`, id: EMAIL },
      }
      const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, asked_by: EMAIL }
      const message = { role: 'assistant', content: 'Hello' }
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: EMAIL }], usage })
      service.model.next({ raw: { body, content_type: 'application/json' } })
      const { id } = await agent.prompt('', {
        page_url: `https://example.com/?who=${encodeURIComponent(EMAIL)}&n=1`,
        messages: [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'call_2' }] },
          { role: 'tool', tool_call_id: EMAIL, content: 'found' },
          { role: 'tool', tool_call_id: 'call_2', content: 'found' },
          { role: 'user', content: 'thanks' },
        ],
      })
      await agent.post(`/chat/completions/${id}/clicks`, { kind: 'footer', target: `mailto:${EMAIL}` })
      while ((await anonymize(agent, id)).body.data.remaining > 0);
      const { messages, ...stored } = await read(agent, id)
      const [first, second] = messages[1].tool_calls
      assert.match(first.id, /^call_redacted_[a-z]+$/)
      assert.equal(messages[2].tool_call_id, first.id)
      assert.deepEqual([second.id, messages[3].tool_call_id], ['call_2', 'call_2'])
      assert.equal(first.function.name, 'redacted')
      const { asked_by: _, ...counts } = usage
      assert.deepEqual(stored.usage, counts)
      assert.equal(stored.finish_reason, '[EMAIL_ADDRESS]')
      assert.equal(stored.page_url, 'https://example.com/?who=%5BEMAIL_ADDRESS%5D&n=1')
      const { db } = service.app.app.foundation.database
      const tables = ['messages', 'completions', 'events'] as const
      const rows = await Promise.all(
        tables.map((table) =>
          db.selectFrom(table).selectAll().where('agent_id', '=', agent.agentId).execute(),
        ),
      )
      assert.ok(!/hopper/.test(JSON.stringify(rows)))
      assert.equal((await anonymize(agent, id)).body.data.messages_redacted, 0)
    })

    it('200: a refusal is redacted as one, also when it ends after the call, and a scrub leaves nothing of it', async () => {
      const agent = await service.addAgent()
      const message = { role: 'assistant', content: null, refusal: `I will not write to ${EMAIL}` }
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
      const held = Promise.withResolvers<void>()
      const raw = { body, content_type: 'application/json' }
      service.model.next({ raw }, { raw, after: held.promise })
      const early = await agent.prompt('hello')
      assert.equal((await anonymize(agent, early.id)).body.data.messages_redacted, 1)
      const answering = agent.prompt('hello again')
      await service.model.request(1)
      const [open] = (await agent.get('/chat/completions')).body.data
      await anonymize(agent, open.id)
      held.resolve()
      await answering
      const refusal = 'I will not write to [EMAIL_ADDRESS]'
      for (const { id } of [early, open]) {
        const stored = await read(agent, id)
        assert.equal(stored.response, refusal)
        assert.deepEqual(stored.messages.at(-1).content, [{ type: 'refusal', refusal }])
      }
      await agent.post(`/chat/completions/${early.id}/scrub`)
      const scrubbed = await read(agent, early.id)
      assert.deepEqual([scrubbed.response, scrubbed.messages.at(-1).content], ['[REDACTED]', '[REDACTED]'])
    })

    it('200: pictures, sounds and files are replaced and counted, and the conversation goes on', async () => {
      const agent = await service.addAgent()
      const data = 'UklGRiQAAABXQVZF'.repeat(20)
      const content = [
        { type: 'text', text: 'What is this?' },
        {
          type: 'image_url',
          image_url: { url: `data:image/gif;base64,R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA${data}` },
        },
        { type: 'input_audio', input_audio: { data, format: 'wav' } },
        { type: 'file', file: { filename: 'letter.pdf', file_data: `data:application/pdf;base64,${data}` } },
      ]
      const { id, conversation_id } = await agent.prompt('', { messages: [{ role: 'user', content }] })
      const { body } = await anonymize(agent, id)
      assert.deepEqual(body.data, { id, mode: 'anonymize', messages_redacted: 1, remaining: 0 })
      const { db } = service.app.app.foundation.database
      const rows = await db.selectFrom('messages').selectAll().where('completion_id', '=', id).execute()
      assert.ok(!JSON.stringify(rows).includes(data))
      const texts = ['What is this?', '[IMAGE]', '[VOICE]', '[FILE]']
      const redacted = texts.map((text) => ({ type: 'text', text }))
      assert.deepEqual((await read(agent, id)).messages[0].content, redacted)
      await agent.prompt('And now?', { conversation_id })
      const { body: sent } = await service.model.request(1)
      assert.deepEqual(sent.messages.at(-3)?.content, redacted)
      assert.equal((await anonymize(agent, id)).body.data.messages_redacted, 0)
    })

    it('200: long messages are written a few at a time, in one call', async () => {
      const agent = await service.addAgent()
      const long = `${EMAIL} and nobody else. `.repeat(36_000)
      service.model.next({ text: 'Thank you.' })
      const messages = [long, long].map((content) => ({ role: 'user', content }))
      const { id } = await agent.prompt('', { messages })
      const { data } = (await anonymize(agent, id)).body
      assert.deepEqual(data, { id, mode: 'anonymize', messages_redacted: 2, remaining: 0 })
      const { db } = service.app.app.foundation.database
      const { redactions } = await db
        .selectFrom('completions')
        .select('redactions')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(redactions, 2, 'transactions')
      const acts = await db
        .selectFrom('audit')
        .select('id')
        .where('target', '=', `completion ${id}`)
        .execute()
      assert.equal(acts.length, 1)
    })

    it('200: in batches until nothing remains, and what is written later waits for the next call', async () => {
      const agent = await service.addAgent()
      const messages = Array.from({ length: 5 }, (_, n) => ({ role: 'user', content: `${n} ${EMAIL}` }))
      const { id, conversation_id } = await agent.prompt('', { messages })
      const results = []
      for (let n = 0; n < 3; n++) results.push((await anonymize(agent, id)).body.data)
      assert.deepEqual(
        results.map(({ messages_redacted, remaining }) => [messages_redacted, remaining]),
        [
          [3, 3],
          [3, 0],
          [0, 0],
        ],
      )
      await agent.post(`/conversations/${conversation_id}/messages`, { content: `Write to ${EMAIL}` })
      assert.equal((await anonymize(agent, id)).body.data.messages_redacted, 1)
    })

    it('200: scrub goes over what was anonymized; after a scrub there is nothing to anonymize', async () => {
      const agent = await service.addAgent()
      const { id } = await agent.prompt(`Write to ${EMAIL}`)
      await anonymize(agent, id)
      const scrubbed = await agent.post(`/chat/completions/${id}/scrub`)
      assert.equal(scrubbed.body.data.messages_redacted, 2)
      assert.deepEqual((await anonymize(agent, id)).body.data, {
        id,
        mode: 'anonymize',
        messages_redacted: 0,
        remaining: 0,
      })
    })

    it('200: two scrubs and an anonymize at once leave nothing but the placeholder', async () => {
      const agent = await service.addAgent()
      const messages = Array.from({ length: 3 }, (_, n) => ({ role: 'user', content: `${n} ${EMAIL}` }))
      const { id } = await agent.prompt('', { messages })
      const scrub = () => agent.post(`/chat/completions/${id}/scrub`)
      const answers = await Promise.all([scrub(), anonymize(agent, id), scrub()])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
      while ((await scrub()).body.data.remaining > 0);
      const stored = await read(agent, id)
      for (const message of stored.messages) assert.equal(message.content, '[REDACTED]')
    })

    it('200: only the types of the agent’s setting, and its own patterns', async () => {
      const agent = await service.addAgent()
      const settings = {
        redaction_types: ['EMAIL_ADDRESS'],
        redaction_patterns: [{ name: 'CUSTOMER_NUMBER', pattern: 'K-\\d{6}' }],
        redaction_words: { deny: ['Falke'], allow: ['info@example.com'] },
      }
      assert.equal((await agent.patch('/agent', settings)).status, 200)
      const { id } = await agent.prompt(`${EMAIL}, ${CARD}, K-123456, FALKE, info@example.com`)
      await anonymize(agent, id)
      assert.equal(
        (await read(agent, id)).prompt,
        `[EMAIL_ADDRESS], ${CARD}, [CUSTOMER_NUMBER], [CUSTOM], info@example.com`,
      )
    })

    it('PATCH /agent 400: an unknown type, or a pattern that could be made slow', async () => {
      const agent = await service.addAgent()
      assertError(await agent.patch('/agent', { redaction_types: ['NOTHING'] }), 400, 'invalid_request')
      const slow = { redaction_patterns: [{ name: 'SLOW', pattern: '(' }] }
      assertError(await agent.patch('/agent', slow), 400, 'invalid_request')
    })

    it('200: an answer that comes after the redaction is redacted as well', async () => {
      const agent = await service.addAgent()
      const feed = service.model.feed()
      const messages = [{ role: 'user', content: `I am ${EMAIL}` }]
      const pending = agent.post('/chat/completions', { messages, stream: true })
      await service.model.request(0)
      const [open] = (await agent.get('/chat/completions')).body.data
      assert.equal(open.finish_reason, null)
      assert.equal((await anonymize(agent, open.id)).status, 200)
      feed.push(`You are ${EMAIL}`)
      feed.end()
      assert.equal((await pending).status, 200)
      const stored = await read(agent, open.id)
      assert.equal(stored.prompt, 'I am [EMAIL_ADDRESS]')
      assert.equal(stored.response, 'You are [EMAIL_ADDRESS]')
      const redacted = async () =>
        (await read(agent, open.id)).messages.map((message: { redacted: string }) => message.redacted)
      // Only the patterns redacted it: the next call asks the hosted service.
      assert.deepEqual(await redacted(), ['anonymize', null])
      const { db } = service.app.app.foundation.database
      const mark = db.selectFrom('completions').select('redacted').where('id', '=', open.id)
      assert.equal((await mark.executeTakeFirstOrThrow()).redacted, null, 'retention finds it too')
      assert.equal((await anonymize(agent, open.id)).body.data.remaining, 0)
      assert.deepEqual(await redacted(), ['anonymize', 'anonymize'])
      assert.equal((await mark.executeTakeFirstOrThrow()).redacted, 'anonymize')
    })

    if (service.engine === 'sqlite') {
      it('200: the finding is in no file of the data directory afterwards, and was before', async () => {
        const agent = await service.addAgent()
        const secret = 'unmistakable.person@example.org'
        const { id } = await agent.prompt(`I am ${secret}`)
        assert.ok(await anyFileHolds(service.app.dataDir, secret))
        await anonymize(agent, id)
        assert.equal(await anyFileHolds(service.app.dataDir, secret), false)
      })
    }

    it('404: unknown, of another agent, or no id at all; 403 without credentials', async () => {
      const agent = await service.addAgent()
      for (const id of ['999999', '01a1fb39-42e8-798f-826a-1a03ef6fcd26', 'nonsense', '0', '%00']) {
        assertError(await anonymize(agent, id), 404, 'completion_not_found')
      }
      assertError(
        await agent.post('/chat/completions/1/anonymize', undefined, { 'x-api-key': '' }),
        403,
        'invalid_credentials',
      )
    })
  },
  { PARLEY_REDACTION_BATCH: '3' },
)

let analyzer: Peer
let answerWith: (text: string) => { status?: number; body: unknown }

before(async () => {
  analyzer = await startPeer((response, request) => {
    const { text } = JSON.parse(request.body) as { text: string }
    const { status = 200, body } = answerWith(text)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})
after(() => analyzer.close())

onBothEngines('POST /chat/completions/{id}/anonymize with a hosted service', (service) => {
  const findZebra = (text: string) => {
    // Presidio counts code points.
    const at = [...text].findIndex((_, index, all) => all.slice(index, index + 5).join('') === 'zebra')
    return { body: at < 0 ? [] : [{ entity_type: 'ANIMAL', start: at, end: at + 5, score: 0.9 }] }
  }

  async function hostedAgent() {
    const agent = await service.addAgent()
    const settings = {
      hosted_redaction: true,
      redaction: { url: analyzer.url, api_key: 'analyzer-secret-key', language: 'de', threshold: 0.5 },
    }
    assert.equal((await agent.patch('/agent', settings)).status, 200)
    return agent
  }

  it('200: the service gets text that the patterns have been over, and its findings are replaced', async () => {
    answerWith = findZebra
    const agent = await hostedAgent()
    const { id } = await agent.prompt(`😀 a zebra at ${EMAIL}`)
    const { status, body } = await agent.post(`/chat/completions/${id}/anonymize`)
    assert.equal(status, 200)
    assert.equal(body.data.remaining, 0)
    assert.equal(
      (await agent.get(`/chat/completions/${id}`)).body.data.prompt,
      '😀 a [ANIMAL] at [EMAIL_ADDRESS]',
    )
    const sent = analyzer.requests.at(-1)
    assert.equal(sent?.path, '/analyze')
    assert.equal(sent?.headers.authorization, 'Bearer analyzer-secret-key')
    const { language, score_threshold } = JSON.parse(sent?.body ?? '{}')
    assert.deepEqual([language, score_threshold], ['de', 0.5])
    assert.ok(analyzer.requests.every((request) => !request.body.includes(EMAIL)))
  })

  it('500 redaction_service_failed: the patterns’ work is kept, rows wait, and a repeat goes on', async () => {
    answerWith = () => ({ status: 503, body: { error: 'down' } })
    const agent = await hostedAgent()
    const { id } = await agent.prompt(`A zebra at ${EMAIL}`)
    const failed = await agent.post(`/chat/completions/${id}/anonymize`)
    assertError(failed, 500, 'redaction_service_failed')
    const kept = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.equal(kept.prompt, 'A zebra at [EMAIL_ADDRESS]')
    assert.equal(kept.messages[0].redacted, null)
    const errors = await service.app.app.foundation.database.db
      .selectFrom('events')
      .select(['completion_id', 'data'])
      .where('agent_id', '=', agent.agentId)
      .where('key', '=', 'error')
      .execute()
    assert.deepEqual(errors, [{ completion_id: id, data: '{"code":"redaction_service_failed"}' }])
    answerWith = findZebra
    const repeated = await agent.post(`/chat/completions/${id}/anonymize`)
    assert.equal(repeated.body.data.remaining, 0)
    assert.equal(
      (await agent.get(`/chat/completions/${id}`)).body.data.prompt,
      'A [ANIMAL] at [EMAIL_ADDRESS]',
    )
  })

  it('500 redaction_service_failed for a user: the patterns’ work is kept, and a repeat goes on', async () => {
    answerWith = () => ({ status: 503, body: { error: 'down' } })
    const agent = await hostedAgent()
    const { id } = await agent.prompt(`A zebra at ${EMAIL}`, { user: 'ann' })
    assertError(await agent.post('/users/ann/anonymize'), 500, 'redaction_service_failed')
    const prompt = async () => (await agent.get(`/chat/completions/${id}`)).body.data.prompt
    assert.equal(await prompt(), 'A zebra at [EMAIL_ADDRESS]')
    answerWith = findZebra
    assert.equal((await agent.post('/users/ann/anonymize')).status, 200)
    assert.equal(await prompt(), 'A [ANIMAL] at [EMAIL_ADDRESS]')
  })

  it('500 redaction_service_failed: an answer that lies about positions is not trusted', async () => {
    answerWith = () => ({ body: [{ entity_type: 'ANIMAL', start: 2, end: 999, score: 1 }] })
    const agent = await hostedAgent()
    const { id } = await agent.prompt('A zebra')
    assertError(await agent.post(`/chat/completions/${id}/anonymize`), 500, 'redaction_service_failed')
    assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.prompt, 'A zebra')
  })

  it('500 redaction_service_failed: wanted but set nowhere', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { hosted_redaction: true })
    const { id } = await agent.prompt(`A zebra at ${EMAIL}`)
    assertError(await agent.post(`/chat/completions/${id}/anonymize`), 500, 'redaction_service_failed')
  })

  /** An agent whose hosted service finds nothing, and answers when it is let. */
  async function waitingAgent() {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const slow = await startPeer((response) => {
      asked.resolve()
      void go.promise.then(() => response.end('[]'))
    })
    const agent = await service.addAgent()
    const settings = { hosted_redaction: true, redaction: { url: slow.url } }
    assert.equal((await agent.patch('/agent', settings)).status, 200)
    return {
      agent,
      asked: asked.promise,
      go: go.resolve,
      [Symbol.asyncDispose]: () => slow[Symbol.asyncDispose](),
    }
  }

  it('200: a reason that was read before feedback came is redacted all the same', async () => {
    await using waiting = await waitingAgent()
    const { agent } = waiting
    const { id } = await agent.prompt('hello')
    await agent.patch('/agent', { hosted_redaction: false })
    await agent.post(`/chat/completions/${id}/anonymize`)
    await agent.patch('/agent', { hosted_redaction: true })
    await agent.post(`/chat/completions/${id}/flag`, { flagged: true, reason: `rude to ${EMAIL}` })
    const anonymized = agent.post(`/chat/completions/${id}/anonymize`)
    await waiting.asked
    await agent.post(`/chat/completions/${id}/feedback`, { feedback: `I am ${EMAIL}` })
    waiting.go()
    assert.equal((await anonymized).body.data.remaining, 0)
    const { flag_reason, feedback } = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual([flag_reason, feedback], ['rude to [EMAIL_ADDRESS]', 'I am [EMAIL_ADDRESS]'])
  })

  it('200: a scrub that ends while the service is asked is not written over', async () => {
    await using waiting = await waitingAgent()
    const { agent } = waiting
    service.model.next({
      raw: {
        body: JSON.stringify({
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: 'A zebra',
                annotations: [
                  { url_citation: { url: 'https://example.com/', title: 'A page', content: 'zebras' } },
                ],
              },
            },
          ],
        }),
        content_type: 'application/json',
      },
    })
    const { id } = await agent.prompt('A zebra?')
    await service.app.app.foundation.database.db
      .insertInto('evaluations')
      .values({
        agent_id: agent.agentId,
        completion_id: id,
        evaluator_id: 1,
        evaluator_name: 'Animals',
        subject: 'response',
        passed: 1,
        content: 'speaks of a zebra',
        created_at: new Date().toISOString(),
      })
      .execute()
    const anonymized = agent.post(`/chat/completions/${id}/anonymize`)
    await waiting.asked
    assert.equal((await agent.post(`/chat/completions/${id}/scrub`)).body.data.remaining, 0)
    waiting.go()
    assert.equal((await anonymized).body.data.messages_redacted, 0)
    const { prompt, citations, evaluations } = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual(
      [prompt, citations[0].snippet, evaluations[0].content],
      ['[REDACTED]', '[REDACTED]', '[REDACTED]'],
    )
  })

  for (const [path, body, field] of [
    ['feedback', { feedback: `Tell ${EMAIL}` }, 'feedback'],
    ['flag', { flagged: true, reason: `Tell ${EMAIL}` }, 'flag_reason'],
  ] as const)
    it(`200: a ${field} that comes while the service is asked is redacted by the same call`, async () => {
      await using waiting = await waitingAgent()
      const { agent } = waiting
      const { id } = await agent.prompt('Hello')
      const first = agent.post(`/chat/completions/${id}/anonymize`)
      await waiting.asked
      await agent.post(`/chat/completions/${id}/${path}`, body)
      waiting.go()
      const { messages_redacted, remaining } = (await first).body.data
      assert.deepEqual([messages_redacted, remaining], [0, 0])
      assert.equal((await agent.get(`/chat/completions/${id}`)).body.data[field], 'Tell [EMAIL_ADDRESS]')
    })

  it('200: an answer that comes while the service is asked has its citations redacted by the same call', async () => {
    await using waiting = await waitingAgent()
    const { agent } = waiting
    const feed = service.model.feed()
    const messages = [{ role: 'user', content: 'Hello' }]
    const answering = agent.post('/chat/completions', { messages, stream: true })
    await service.model.request(0)
    const [{ id }] = (await agent.get('/chat/completions')).body.data
    const first = agent.post(`/chat/completions/${id}/anonymize`)
    await waiting.asked
    const cited = { url: 'https://example.com/', title: 'A page', content: `Of ${EMAIL}` }
    feed.push('An answer')
    feed.push({ annotations: [{ type: 'url_citation', url_citation: cited }] })
    feed.end()
    await answering
    waiting.go()
    assert.equal((await first).body.data.remaining, 0)
    const { citations } = (await agent.get(`/chat/completions/${id}`)).body.data
    assert.deepEqual(citations, [{ title: 'A page', url: cited.url, snippet: 'Of [EMAIL_ADDRESS]' }])
  })
})

async function anyFileHolds(directory: string, text: string): Promise<boolean> {
  for (const name of await readdir(directory)) {
    if ((await readFile(join(directory, name))).includes(text)) return true
  }
  return false
}
