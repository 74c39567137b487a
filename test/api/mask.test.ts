import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { MASKED } from '../../src/turns/prompt/wording.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { calling, startModelServer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

const EMAIL = 'zora.quibble@example.com'
const TYPES = ['PERSON', 'EMAIL_ADDRESS']

onBothEngines('mask', (service) => {
  const masking = (restore = true) => service.addAgent({ settings: { mask: { types: TYPES, restore } } })
  const sent = () => JSON.stringify(service.model.requests.map(({ body }) => body))
  const storedOf = async (agent: TestAgent, id: string) =>
    (await agent.get(`/chat/completions/${id}`)).body.data
  /** Has the model say again what the user wrote. */
  const SAID = `My name is Zora Quibble, write to ${EMAIL}`
  const LEFT = /My name is (\[PERSON_\d+\]), write to (\[EMAIL_ADDRESS_\d+\])/

  it('200: the model is sent placeholders, the user and the transcript have the values', async () => {
    const agent = await masking()
    const answer = await agent.prompt(SAID)
    assert.equal(answer.choices[0].message.content, SAID)
    const { prompt, response } = await storedOf(agent, answer.id)
    assert.deepEqual([prompt, response], [SAID, SAID])
    assert.match(sent(), LEFT)
    assert.doesNotMatch(sent(), /Zora|Quibble|zora\.quibble/i)
    assert.ok(sent().includes(MASKED), 'the model is told what placeholders are')
  })

  for (const kind of ['anthropic', 'gemini'] as const)
    it(`200: ${kind} is sent placeholders, with tools and in a stream, and the user has the values`, async (t) => {
      await using peer = await startPeer((response) => response.end('{"owner":"Zora Quibble","city":"Oslo"}'))
      const server = await startModelServer({ kind })
      t.after(() => server.close())
      const agent = await masking()
      const model = { kind, url: server.url, api_key: 'key', name: 'test-model' }
      assert.equal((await agent.patch('/agent', { model })).status, 200)
      const tool = { kind: 'http', name: 'look_up', description: 'Looks it up.', url: `${peer.url}/{mail}` }
      const parameters = { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] }
      assert.equal((await agent.post('/tools', { ...tool, parameters })).status, 201)
      const left = () => JSON.stringify(server.requests.map(({ body }) => body))
      server.answerFor = () => {
        const [, person = '', email = ''] = LEFT.exec(left()) ?? []
        const isFirst = server.requests.length === 1
        return isFirst ? calling(['look_up', { mail: email }, 'call_1']) : { pieces: [...`Dear ${person}!`] }
      }
      const body = { messages: [{ role: 'user', content: SAID }], stream: true }
      const { text } = await readWholeStream(agent, body)
      assert.match(text, /Dear Zora Quibble!$/)
      assert.equal(decodeURIComponent(peer.requests[0]?.path ?? ''), `/${EMAIL}`)
      assert.doesNotMatch(left(), /Zora|Quibble|zora\.quibble/i)
      assert.ok(left().includes('Oslo'))
    })

  it('200: placeholders stay in a conversation, also where nothing tells what a value is', async () => {
    const agent = await masking()
    const { conversation_id } = await agent.prompt(SAID)
    const again = await agent.prompt(`Zora Quibble waits, ${EMAIL}`, { conversation_id })
    assert.equal(again.choices[0].message.content, `Zora Quibble waits, ${EMAIL}`)
    const [, person = '', email = ''] = LEFT.exec(sent()) ?? []
    assert.equal(service.model.requests.length, 2)
    assert.ok(sent().includes(`${person} waits, ${email}`))
    assert.equal(new Set(sent().match(/\[PERSON_\d+\] waits/g)).size, 1)
    const other = await agent.prompt(SAID)
    assert.equal(other.choices[0].message.content, SAID)
    const last = JSON.stringify(service.model.requests.at(-1)?.body)
    assert.ok(!last.includes(person) || !last.includes(email), 'another conversation has other numbers')
  })

  it('200: a stream is restored, with placeholders that are split over pieces', async () => {
    const agent = await masking()
    service.model.answerFor = ({ messages }) => {
      const text = String(messages.at(-1)?.content)
      return { pieces: [...text.slice(text.indexOf('My name')), '', ' [1', '] [PER'] }
    }
    for (const path of ['/chat/completions', '/responses']) {
      const body = path === '/responses' ? { input: SAID } : { messages: [{ role: 'user', content: SAID }] }
      const { status, text } = await agent.post(path, { ...body, stream: true })
      assert.equal(status, 200, text)
      const events = text.split('\n').filter((line) => line.startsWith('data: {'))
      const told = events.map((line) => JSON.parse(line.slice(6)))
      const said = told
        .map(
          (event) => event.choices?.[0]?.delta.content ?? (event.type?.endsWith('.delta') ? event.delta : ''),
        )
        .join('')
      assert.equal(said, `${SAID} [1] [PER`)
      assert.doesNotMatch(text, /\[PERSON_\d+\]/)
    }
    assert.doesNotMatch(sent(), /Zora|zora/)
  })

  it('200: tools get the values, or the placeholders where the tool says so; results are masked', async () => {
    await using peer = await startPeer((response, { path }) =>
      response.end(JSON.stringify({ path, owner: { name: 'Tilo Brandt', email: 'tilo@example.com' } })),
    )
    const agent = await masking()
    for (const [name, restore] of [
      ['open_tool', true],
      ['closed_tool', false],
    ] as const) {
      const { status, body, text } = await agent.post('/tools', {
        kind: 'http',
        name,
        description: 'Looks up a customer.',
        parameters: { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] },
        url: `${peer.url}/${name}/{mail}`,
        restore,
      })
      assert.equal(status, 201, text)
      assert.equal(body.data.restore, restore)
    }
    for (const stream of [false, true]) {
      service.model.reset()
      service.model.answerFor = ({ messages }) => {
        const all = JSON.stringify(messages)
        const [email = ''] = /\[EMAIL_ADDRESS_\d+\]/.exec(all) ?? []
        if (all.includes('owner')) return { text: `Done: ${all.match(/\[PERSON_\d+\]/g)?.at(-1)}` }
        const args = JSON.stringify({ mail: email })
        const call = (name: string, index: number) => [
          {
            tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
          },
          ...[...args].map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]
        return stream
          ? { pieces: [...call('open_tool', 0), ...call('closed_tool', 1)], finish_reason: 'tool_calls' }
          : calling(['open_tool', args], ['closed_tool', args])
      }
      peer.requests.length = 0
      const { text } = await agent.post('/chat/completions', {
        messages: [{ role: 'user', content: SAID }],
        stream,
      })
      assert.match(text, /Tilo Brandt/)
      const paths = peer.requests.map(({ path }) => decodeURIComponent(path)).sort()
      assert.match(paths[0] ?? '', /^\/closed_tool\/\[EMAIL_ADDRESS_\d+\]$/)
      assert.equal(paths[1], `/open_tool/${EMAIL}`)
      assert.doesNotMatch(sent(), /Zora|zora|Tilo|Brandt|tilo/)
    }
  })

  it('200: calls of tools that the request brought along get the values, streamed or not', async () => {
    const agent = await masking()
    const tools = [{ type: 'function', function: { name: 'mail_to', description: `Such as ${EMAIL}` } }]
    service.model.answerFor = ({ messages }) => {
      const [email = ''] = /\[EMAIL_ADDRESS_\d+\]/.exec(JSON.stringify(messages)) ?? []
      return calling(['mail_to', { to: email }])
    }
    const whole = await agent.prompt(SAID, { tools })
    const message = whole.choices[0].message as { tool_calls?: { function: { arguments: string } }[] }
    assert.deepEqual(JSON.parse(message.tool_calls?.[0]?.function.arguments ?? ''), { to: EMAIL })
    const { text } = await agent.post('/chat/completions', {
      messages: [{ role: 'user', content: SAID }],
      tools,
      stream: true,
    })
    assert.ok(text.includes(EMAIL))
    assert.doesNotMatch(sent(), /zora/i)
  })

  it('200: with restore false the answer keeps the placeholders', async () => {
    const agent = await masking(false)
    const answer = await agent.prompt(SAID)
    assert.match(String(answer.choices[0].message.content), LEFT)
    assert.equal((await storedOf(agent, answer.id)).prompt, SAID)
  })

  it('200: pictures, names of participants and request fields are masked; own patterns are types', async () => {
    const agent = await masking()
    const mask = { types: [...TYPES, 'ORDER'], restore: true }
    const order = { name: 'ORDER', pattern: 'o-[0-9]+' }
    assert.equal((await agent.patch('/agent', { mask })).status, 400)
    assert.equal((await agent.patch('/agent', { redaction_patterns: [order], mask })).status, 200)
    await agent.prompt('', {
      messages: [
        {
          role: 'user',
          name: 'Zora-Quibble',
          content: [
            { type: 'text', text: 'Where is o-4711?' },
            {
              type: 'image_url',
              image_url: {
                url: `data:image/gif;base64,R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA${'A'.repeat(200)}`,
              },
            },
          ],
        },
      ],
      metadata: { mail: EMAIL },
      response_format: { type: 'json_object' },
      stop: [EMAIL],
    })
    assert.match(sent(), /Where is \[ORDER_\d+\]\?.*\[IMAGE\]/)
    assert.doesNotMatch(sent(), /Zora|zora|4711|AAAA/)
  })

  it('POST /playground 200: the trace shows what left, the answer has the values', async () => {
    const agent = await masking()
    const { body } = await agent.post('/playground', { messages: [{ role: 'user', content: SAID }] })
    assert.equal(body.data.response, SAID)
    assert.match(JSON.stringify(body.data.trace.requests), LEFT)
    assert.doesNotMatch(JSON.stringify(body.data.trace.requests), /Zora|zora/)
  })

  it('502 masking_failed: what cannot be masked is not sent, and the prompt is kept', async () => {
    const agent = await masking()
    const { db } = service.app.app.foundation.database
    const rename = (from: string, to: string) => sql.raw(`alter table ${from} rename to ${to}`).execute(db)
    await rename('conversation_keys', 'keys_away')
    try {
      for (const stream of [false, true])
        assertError(
          await agent.post('/chat/completions', { messages: [{ role: 'user', content: SAID }], stream }),
          502,
          'masking_failed',
        )
      assertError(await agent.post('/responses', { input: SAID }), 502, 'masking_failed')
    } finally {
      await rename('keys_away', 'conversation_keys')
    }
    assert.equal(service.model.requests.length, 0)
    const [{ id, prompt, finish_reason, conversation_id }] = (await agent.get('/chat/completions')).body.data
    assert.deepEqual([prompt, finish_reason], [SAID, 'error'])
    const row = await db.selectFrom('completions').select('error_code').where('id', '=', id).execute()
    assert.deepEqual(row, [{ error_code: 'masking_failed' }])
    assert.match((await agent.get(`/conversations/${conversation_id}/timeline`)).text, /"masking_failed"/)
  })

  it('POST /mask/try 200: what would leave, with the types of the agent or others', async () => {
    const agent = await masking()
    const tried = async (more: object = {}) =>
      (await agent.post('/mask/try', { text: `${SAID}, card 4111 1111 1111 1111`, ...more })).body.data
    const { sent: left, placeholders } = await tried()
    assert.match(left, LEFT)
    assert.match(left, /4111/)
    assert.deepEqual(placeholders, left.match(/\[[A-Z_]+_\d+\]/g))
    assert.match((await tried({ types: ['CREDIT_CARD'] })).sent, /Zora Quibble.* card \[CREDIT_CARD_\d+\]$/)
    const plain = await service.addAgent()
    assert.deepEqual((await plain.post('/mask/try', { text: SAID })).body.data, {
      sent: SAID,
      placeholders: [],
    })
    assert.equal(service.model.requests.length, 0)
  })

  it('POST /mask/try 400, 403', async () => {
    const agent = await masking()
    for (const body of [{}, { text: '' }, { text: 'a', types: [] }, { text: 'a', types: ['NO_SUCH_TYPE'] }])
      assertError(await agent.post('/mask/try', body), 400, 'invalid_request')
    const reader = await service.app.issue({ ...agent, right: 'read' })
    assertError(await reader.post('/mask/try', { text: 'a' }), 403, 'insufficient_right')
  })

  it('200: a conversation without personal data has no key', async () => {
    const agent = await masking()
    await agent.prompt('When are you open?')
    await agent.prompt(SAID)
    const { db } = service.app.app.foundation.database
    const keys = await db
      .selectFrom('conversation_keys')
      .where('agent_id', '=', agent.agentId)
      .selectAll()
      .execute()
    assert.equal(keys.length, 1)
  })

  it('an agent without it is sent what was said', async () => {
    const agent = await service.addAgent()
    await agent.prompt(SAID)
    assert.ok(sent().includes(SAID))
    assert.ok(!sent().includes(MASKED))
  })
})
