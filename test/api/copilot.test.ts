import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines, type Service } from '../support/on-both-engines.ts'

const QUESTION = 'Can a bicycle be returned, please?'
const PASSAGE = 'Bicycles can be returned within 30 days.'

/** A conversation that was handed over to a person, and calls to its paths. */
async function handedOver(service: Service, settings = {}) {
  const agent = await service.addAgent({ settings })
  await agent.post('/knowledge', { title: 'Returns', content: PASSAGE })
  await agent.prompt('Hello')
  const { id: completion, conversation_id } = await agent.prompt(QUESTION)
  const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
  const path = `/conversations/${conversation_id}`
  const ofPerson = `/agents/${agent.agentId}${path}`
  await person.call('POST', `${ofPerson}/pause`)
  service.model.reset()
  const ask = (what: string, body: object = {}) => agent.post(`${path}/${what}`, body)
  return { agent, completion, conversation_id, person, path, ofPerson, ask }
}

interface Told {
  delta?: string
  data?: { content: string; draft: string; citations: { title: string }[]; model: string }
  error?: { code: string }
}

/** Opens the stream of a suggestion. */
async function openSuggestion({ baseUrl, headers }: TestAgent, path: string, body: object = {}) {
  const gone = new AbortController()
  const response = await fetch(`${baseUrl}${path}/suggest`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: gone.signal,
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const lines = createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })
  const read = lines[Symbol.asyncIterator]()
  return {
    async next(): Promise<Told | null> {
      for (let line = await read.next(); !line.done; line = await read.next())
        if (line.value.startsWith('data: ') && line.value !== 'data: [DONE]')
          return JSON.parse(line.value.slice(6))
      return null
    },
    leave: () => gone.abort(),
  }
}

/** Reads a suggestion to its end. */
async function suggested(agent: TestAgent, path: string, body: object = {}) {
  const stream = await openSuggestion(agent, path, body)
  const told: Told[] = []
  for (let one = await stream.next(); one; one = await stream.next()) told.push(one)
  const { data, error } = told.at(-1) ?? {}
  return { text: told.map(({ delta = '' }) => delta).join(''), data, error }
}

const kindsOf = async (agent: TestAgent): Promise<string[]> =>
  (await agent.get('/usage')).body.data.map(({ kind }: { kind: string }) => kind)

onBothEngines('POST /conversations/{id}/suggest', (service) => {
  const lastAsked = () => service.model.requests.at(-1)?.body.messages ?? []

  it('200: streams a reply from the knowledge with its citations, and stores none of it', async () => {
    const { agent, path } = await handedOver(service, { instructions: 'You sell bicycles.' })
    const before = (await agent.get(`${path}/timeline`)).body
    const feed = service.model.feed()
    feed.push('Yes, ')
    const stream = await openSuggestion(agent, path)
    assert.deepEqual(await stream.next(), { delta: 'Yes,' })
    feed.push('within 30 days [1].')
    assert.deepEqual(await stream.next(), { delta: ' within 30 days [1].' })
    feed.end()
    const { data } = (await stream.next()) ?? {}
    assert.equal(data?.content, 'Yes, within 30 days [1].')
    assert.equal(data?.draft, 'Yes, within 30 days.', 'a reply to the user has no numbers')
    assert.deepEqual(
      data?.citations.map(({ title }) => title),
      ['Returns'],
    )
    assert.equal(await stream.next(), null)
    const [first] = lastAsked()
    assert.match(String(first?.content), /^You sell bicycles\.\n\n.*\n\nYou do not answer the user yourself/s)
    assert.doesNotMatch(String(first?.content), /someone from the team will answer/)
    assert.ok(String(lastAsked().at(-1)?.content).endsWith(QUESTION))
    assert.deepEqual((await agent.get(`${path}/timeline`)).body, before, 'nothing is said')
    await becomes(async () => (await kindsOf(agent)).includes('suggestion'), true)
  })

  it('200: what the team said since, the draft and the wish are told, the first two as data', async () => {
    const { agent, path, person, ofPerson } = await handedOver(service)
    await person.call('POST', `${ofPerson}/messages`, { content: 'I am looking it up.' })
    service.model.next({ text: 'Shorter.' })
    const { data } = await suggested(agent, path, { draft: 'Dear customer, yes.', instruction: 'shorter' })
    assert.equal(data?.draft, 'Shorter.')
    const told = String(lastAsked()[0]?.content)
    assert.match(told, /<said since (\w{16})>\n[^<]*I am looking it up\.\n<\/said since \1>/)
    assert.match(told, /<draft (\w{16})>\nDear customer, yes\.\n<\/draft \1>/)
    assert.match(told, /asks of the reply: shorter\n/)
    assert.ok(String(lastAsked().at(-1)?.content).endsWith(QUESTION))
  })

  it('200: calls no tool of the agent, and asks for no person', async () => {
    const { agent, path } = await handedOver(service, { handoff: true })
    const tool = { kind: 'http', name: 'refund', description: 'Refunds.', url: 'http://127.0.0.1:9/' }
    assert.equal((await agent.post('/tools', tool)).status, 201)
    service.model.next({ text: 'Done.' })
    const { data } = await suggested(agent, path)
    const offered = JSON.stringify(service.model.requests.map(({ body }) => body.tools ?? []))
    assert.doesNotMatch(offered, /refund|request_person/)
    assert.equal(data?.draft, 'Done.')
  })

  it('200: the model is sent placeholders, the person has the values', async () => {
    const mask = { types: ['EMAIL_ADDRESS'], restore: true }
    const { agent, path } = await handedOver(service, { mask })
    const { conversation_id } = await agent.prompt('I am ada@example.org')
    service.model.answerFor = ({ messages }) => ({
      text: `To ${/\[EMAIL_ADDRESS_\d+\]/.exec(JSON.stringify(messages))?.[0]}`,
    })
    const { data } = await suggested(agent, `/conversations/${conversation_id}`, {
      draft: 'To ada@example.org',
    })
    assert.equal(data?.draft, 'To ada@example.org')
    const sent = JSON.stringify(service.model.requests.map(({ body }) => body))
    assert.doesNotMatch(sent, /ada@example/)
    assert.equal((await suggested(agent, path)).error, undefined)
  })

  it('502 model_failed: it fails or says nothing, and an error ends a stream that has begun', async () => {
    const { agent, path, ask } = await handedOver(service)
    service.model.answer = { status: 400 }
    const failed = await ask('suggest')
    assertError(failed, 502, 'model_failed')
    assert.equal(failed.body.error.message, 'The model server answered with status 400.')
    service.model.answer = { text: '' }
    assertError(await ask('suggest'), 502, 'model_failed')
    service.model.answer = { pieces: ['Yes, '], ending: 'cut' }
    const { text, error, data } = await suggested(agent, path)
    assert.deepEqual([text, error?.code, data], ['Yes,', 'model_failed', undefined])
  })

  it('a person who leaves stops the model', async () => {
    const { agent, path } = await handedOver(service)
    const feed = service.model.feed()
    feed.push('Yes, that')
    const stream = await openSuggestion(agent, path)
    await stream.next()
    stream.leave()
    await service.model.aborted()
    feed.end()
  })

  it('429 budget_reached: no model is asked', async () => {
    const { ask, agent } = await handedOver(service)
    await agent.patch('/agent', { prices: { 'test-model': { input: 1, output: 1 } }, budget: { day: 0 } })
    for (const [what, body] of [
      ['suggest', {}],
      ['summarize', {}],
      ['translate', { to: 'de', text: 'Good morning to all of you' }],
    ] as const)
      assertError(await ask(what, body), 429, 'budget_reached')
    assert.equal(service.model.requests.length, 0)
  })

  it('409 nothing_to_say: nobody has written, unless it is said what to write', async () => {
    const agent = await service.addAgent()
    const messages = [{ role: 'system', content: 'Say hello.' }]
    const { body } = await agent.post('/chat/completions', { messages })
    const path = `/conversations/${body.conversation_id}`
    assertError(await agent.post(`${path}/suggest`), 409, 'nothing_to_say')
    service.model.next({ text: 'Welcome!' })
    const { data } = await suggested(agent, path, { instruction: 'welcome them' })
    assert.equal(data?.draft, 'Welcome!')
  })

  for (const [what, body] of [
    ['suggest', { instruction: '' }],
    ['suggest', { draft: 'x'.repeat(20_001) }],
    ['suggest', { text: 'x' }],
    ['summarize', { language: 'no language' }],
    ['translate', { text: 'x' }],
    ['translate', { to: 'de' }],
    ['translate', { to: 'de', text: 'x', message_ids: [1] }],
    ['translate', { to: 'de', message_ids: Array.from({ length: 11 }, (_, at) => at + 1) }],
  ] as const)
    it(`400: ${what} with ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { ask } = await handedOver(service)
      assertError(await ask(what, body), 400, 'invalid_request')
    })

  it('403 for a person who may only read, 404 for a conversation of others', async () => {
    const { agent, ofPerson, conversation_id } = await handedOver(service)
    const reader = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    const other = await service.addAgent()
    for (const what of ['suggest', 'summarize', 'translate']) {
      const body = what === 'translate' ? { to: 'de', text: 'x' } : {}
      assertError(await reader.call('POST', `${ofPerson}/${what}`, body), 403, 'insufficient_right')
      assertError(
        await other.post(`/conversations/${conversation_id}/${what}`, body),
        404,
        'conversation_not_found',
      )
    }
    assert.equal((await reader.call('GET', `${ofPerson}/summary`)).status, 200)
  })

  it('an answer that was suggested is recorded as such, and its draft is marked until it is sent', async () => {
    const { agent, person, ofPerson } = await handedOver(service)
    const draft = { mode: 'reply', content: 'Within 30 days.', suggested: true }
    await person.call('PUT', `${ofPerson}/draft`, draft)
    const marks = async () => {
      const { suggested, original } = (await person.call('GET', `${ofPerson}/draft`)).body.data
      return [suggested, original]
    }
    assert.deepEqual(await marks(), [true, null])
    const sent = await person.call('POST', `${ofPerson}/messages`, {
      content: 'Within 30 days.',
      suggested: true,
    })
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual(await marks(), [false, null])
    await person.call('POST', `${ofPerson}/messages`, { content: 'My own words.' })
    const acts = (await agent.call('GET', '/audit')).body.data
    const told = acts.filter(({ action }: { action: string }) => action === 'suggestion.sent')
    assert.deepEqual(
      told.map(({ actor, details }: { actor: { id: number }; details: object }) => [actor.id, details]),
      [[person.operatorId, { message_id: sent.body.data.id }]],
    )
  })
})

onBothEngines('POST /conversations/{id}/summarize', (service) => {
  it('200: sums up what was said, keeps it, and asks again only when something was said since', async () => {
    const { agent, path, ask, person, ofPerson } = await handedOver(service)
    const none = { text: null, last_message_id: null, written_at: null, is_outdated: false }
    assert.deepEqual((await agent.get(`${path}/summary`)).body.data, none)
    service.model.next({ text: 'Wants to return a bicycle.' })
    const written = await ask('summarize', { language: 'de' })
    assert.equal(written.status, 200, written.text)
    assert.equal(written.body.data.text, 'Wants to return a bicycle.')
    const [task, said] = service.model.requests[0]?.body.messages ?? []
    assert.match(String(task?.content), /^You sum up a conversation .*Write in German/s)
    assert.match(String(said?.content), /^<conversation (\w{16})>\n.*Can a bicycle.*<\/conversation \1>$/s)
    assert.deepEqual((await agent.get(`${path}/summary`)).body.data, written.body.data)
    assert.deepEqual((await ask('summarize')).body.data, written.body.data)
    assert.equal(service.model.requests.length, 1, 'the kept one is as new as the conversation')
    await person.call('POST', `${ofPerson}/messages`, { content: 'Send it back to us.' })
    assert.equal((await agent.get(`${path}/summary`)).body.data.is_outdated, true)
    service.model.next({ text: 'Was told to send it back.' })
    assert.equal((await ask('summarize')).body.data.text, 'Was told to send it back.')
    const again = String(service.model.requests.at(-1)?.body.messages.at(-1)?.content)
    assert.match(again, /<notes \w{16}>\nWants to return a bicycle\./)
    assert.ok(!again.includes(QUESTION), 'what it covers is not read again')
    await becomes(async () => (await kindsOf(agent)).includes('handoff_summary'), true)
  })

  it('502 model_failed: the kept one stays; a model that hangs is left when the person leaves', async () => {
    const { agent, path, ask, person, ofPerson } = await handedOver(service)
    service.model.next({ text: 'Kept.' })
    await ask('summarize')
    await person.call('POST', `${ofPerson}/messages`, { content: 'Send it back to us.' })
    for (const answer of [{ status: 400 }, { text: 'Was told to', finish_reason: 'length' }]) {
      service.model.answer = answer
      assertError(await ask('summarize'), 502, 'model_failed')
    }
    assert.equal((await agent.get(`${path}/summary`)).body.data.text, 'Kept.')
    service.model.answer = { hang: true }
    const asked = service.model.requests.length
    const leaving = new AbortController()
    const left = fetch(`${agent.baseUrl}${path}/summarize`, {
      method: 'POST',
      headers: agent.headers,
      signal: leaving.signal,
    })
    await service.model.request(asked)
    leaving.abort()
    await assert.rejects(left)
    await service.model.aborted()
  })

  for (const mode of ['scrub', 'anonymize'] as const)
    it(`${mode}: deletes it, and one that is being written is not kept`, async () => {
      const { agent, path, ask, completion } = await handedOver(service)
      service.model.next({ text: `Rebhuhn ${mode}` })
      await ask('summarize')
      assert.match(await exported(agent), /"type":"handoff_summary".*Rebhuhn/)
      const redact = () => agent.post(`/chat/completions/${completion}/${mode}`)
      assert.equal((await redact()).status, 200)
      assert.equal((await agent.get(`${path}/summary`)).body.data.text, null)
      assert.doesNotMatch(await exported(agent), /Rebhuhn/)
      const held = Promise.withResolvers<void>()
      service.model.next({ text: `Rebhuhn ${mode}`, after: held.promise })
      const writing = ask('summarize')
      await service.model.request(1)
      await redact()
      held.resolve()
      assertError(await writing, 409, 'version_outdated')
      assert.equal((await agent.get(`${path}/summary`)).body.data.text, null)
      if (service.engine === 'sqlite')
        assert.deepEqual(await filesWith(service.app.dataDir, `Rebhuhn ${mode}`), [])
    })
})

onBothEngines('POST /conversations/{id}/translate', (service) => {
  const idOf = async (agent: TestAgent, path: string): Promise<number> =>
    (await agent.get(`${path}/messages`)).body.data.find(
      ({ content }: { content: unknown }) => content === QUESTION,
    ).id

  it('200: messages, once; the original stays; a text is not stored', async () => {
    const { agent, path, ask } = await handedOver(service)
    const id = await idOf(agent, path)
    service.model.next({ text: 'Kann man ein Fahrrad zurückgeben?' })
    const body = { to: 'de', message_ids: [id, id] }
    const { data } = (await ask('translate', body)).body
    const content = 'Kann man ein Fahrrad zurückgeben?'
    assert.deepEqual(data, {
      to: 'de',
      messages: [{ message_id: id, content, is_original: false }],
      text: null,
    })
    const [task, text] = service.model.requests[0]?.body.messages ?? []
    assert.match(String(task?.content), /into German\. All of it is data/)
    assert.match(String(text?.content), /^<text (\w{16})>\nCan a bicycle.*\n<\/text \1>$/)
    assert.deepEqual((await ask('translate', body)).body.data, data)
    assert.equal(service.model.requests.length, 1)
    assert.equal(await idOf(agent, path), id, 'the message is as it was')
    service.model.next({ text: 'Guten Tag, bis morgen!' })
    const draft = await ask('translate', { to: 'de', text: 'Good day, until tomorrow!' })
    assert.deepEqual(draft.body.data, { to: 'de', messages: [], text: 'Guten Tag, bis morgen!' })
    const german = 'Das ist schon auf Deutsch und braucht keine Übersetzung.'
    assert.equal((await ask('translate', { to: 'de', text: german })).body.data.text, german)
    assert.equal(service.model.requests.length, 2, 'what is in the language is not sent')
    await becomes(async () => (await kindsOf(agent)).includes('translation'), true)
    assert.match(await exported(agent), /"type":"translation",.*"language":"de","text":"Kann man/)
  })

  it('200: the words that a person had translated before they were sent are kept with the answer', async () => {
    const { agent, path, person, ofPerson, ask } = await handedOver(service)
    const original = 'Ja, Sie können es innerhalb von dreißig Tagen zurückgeben.'
    const sent = await person.call('POST', `${ofPerson}/messages`, { content: 'Yes, you can.', original })
    assert.equal(sent.status, 200, sent.text)
    const { id } = sent.body.data
    const { messages } = (await ask('translate', { to: 'de', message_ids: [id] })).body.data
    assert.deepEqual(messages, [{ message_id: id, content: original, is_original: true }])
    assert.equal(service.model.requests.length, 0)
    assert.match(await exported(agent), /"is_original":true/)
    assert.ok(!JSON.stringify((await agent.get(`${path}/messages`)).body).includes('dreißig'))
  })

  it('404 message_not_found, 502 model_failed', async () => {
    const { agent, path, ask } = await handedOver(service)
    const id = await idOf(agent, path)
    assertError(await ask('translate', { to: 'de', message_ids: [999_999] }), 404, 'message_not_found')
    const cutOff = ['length', 'content_filter'].map((finish_reason) => ({ text: 'Kann man', finish_reason }))
    for (const answer of [{ status: 400 }, { text: ' ' }, ...cutOff]) {
      service.model.answer = answer
      assertError(await ask('translate', { to: 'de', message_ids: [id] }), 502, 'model_failed')
    }
  })

  for (const mode of ['scrub', 'anonymize'] as const)
    it(`${mode}: deletes translations, and one that is being made is not kept`, async () => {
      const { agent, path, ask, completion } = await handedOver(service)
      const id = await idOf(agent, path)
      const body = { to: 'de', message_ids: [id] }
      service.model.next({ text: `Rebhuhn ${mode}` })
      await ask('translate', body)
      const redact = () => agent.post(`/chat/completions/${completion}/${mode}`)
      if (mode === 'anonymize') {
        assert.equal((await redact()).status, 200)
        assert.equal(await kept(agent), 0)
        return
      }
      await service.app.app.foundation.database.db.deleteFrom('message_translations').execute()
      const held = Promise.withResolvers<void>()
      service.model.next({ text: `Rebhuhn ${mode}`, after: held.promise })
      const making = ask('translate', body)
      await service.model.request(1)
      assert.equal((await redact()).status, 200)
      held.resolve()
      assertError(await making, 409, 'version_outdated')
      assert.equal(await kept(agent), 0)
      if (service.engine === 'sqlite')
        await becomes(() => filesWith(service.app.dataDir, `Rebhuhn ${mode}`), [])
    })

  async function kept({ agentId }: TestAgent): Promise<number> {
    const { db } = service.app.app.foundation.database
    const rows = await db
      .selectFrom('message_translations')
      .select('id')
      .where('agent_id', '=', agentId)
      .execute()
    return rows.length
  }
})

onBothEngines(
  'the copilot without a model',
  (service) => {
    it('suggests what the knowledge says, and says of all else that it needs a model', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: PASSAGE })
      const { conversation_id } = await agent.prompt(QUESTION)
      const path = `/conversations/${conversation_id}`
      const { data, text } = await suggested(agent, path)
      assert.match(data?.draft ?? '', /Bicycles can be returned within 30 days/)
      assert.equal(text, data?.content)
      assert.equal(data?.citations[0]?.title, 'Returns')
      const { conversation_id: unknown } = await agent.prompt('Who won the cup of 1954?')
      const nothing = await suggested(agent, `/conversations/${unknown}`)
      assert.deepEqual([nothing.text, nothing.data?.draft], ['', ''])
      for (const [what, body] of [
        ['suggest', { instruction: 'shorter' }],
        ['summarize', {}],
        ['translate', { to: 'de', text: 'Good morning to all of you' }],
      ] as const)
        assertError(await agent.post(`${path}/${what}`, body), 409, 'model_needed')
    })
  },
  { PARLEY_MODEL_URL: '' },
)

async function exported({ baseUrl, headers }: TestAgent): Promise<string> {
  return (await fetch(`${baseUrl}/export`, { headers })).text()
}
