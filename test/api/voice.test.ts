import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import pino from 'pino'
import { buildParts, type Parts } from '../../src/app/parts.ts'
import type { ModelMessage } from '../../src/model/model.ts'
import type { Attachment } from '../../src/transcripts/attachments.ts'
import { runTurn } from '../../src/turns/run-turn.ts'
import type { TurnDependencies } from '../../src/turns/turn-dependencies.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startTranscriptionServer, type TranscriptionServer } from '../support/transcription-server.ts'
import { upload } from '../support/upload.ts'

const OGG = `OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01${'kingfisher '.repeat(20_000)}`
const SAID = 'Please write to ada@example.com about the kettle'
const NO_TEXT = 'I can only read text. Please write me what it is about.'

onBothEngines('voice', (service) => {
  let server: TranscriptionServer
  let parts: Parts

  before(async () => {
    server = await startTranscriptionServer()
    parts = await buildParts(service.app.app.foundation, pino({ level: 'silent' }), () => '')
  })
  after(async () => server?.[Symbol.asyncDispose]())
  beforeEach(() => {
    server.requests.length = 0
    server.answer = { body: JSON.stringify({ text: ` ${SAID} ` }) }
  })

  const transcribed = async (
    transcription: object = { url: server.url, api_key: 'secret', name: 'whisper' },
  ) => {
    const agent = await service.addAgent()
    const { status, text } = await agent.patch('/agent', { transcription })
    assert.equal(status, 200, text)
    return agent
  }

  /** Has a user send a voice message, as channels and widgets do. @param content what stands beside it */
  async function speak(
    agent: TestAgent,
    content = '[voice]',
    signal = new AbortController().signal,
    turns: Partial<TurnDependencies> = {},
  ) {
    const { conversation_id } = await agent.prompt('Hello')
    const { body } = await upload(agent, conversation_id, { 'Ada.oga': OGG })
    const file: Attachment = { ...body.data, kind: 'voice' }
    assert.equal(file.type, 'audio/ogg')
    const message: ModelMessage = { role: 'user', content }
    service.model.reset()
    const ended = await runTurn(
      { ...parts.turns, ...turns },
      { agentId: agent.agentId, teamId: agent.teamId },
      {
        ...{
          conversationId: conversation_id,
          externalId: null,
          channelId: null,
          widgetId: null,
          language: null,
        },
        ...{ tags: null, user: null, deviceId: null, sessionId: null, pageUrl: null, parameters: {} },
        messages: [message],
        files: new Map([[message, [file]]]),
      },
      { signal },
    )
    assert.ok(ended === null || 'content' in ended)
    const messages = async () =>
      (await agent.get(`/conversations/${conversation_id}/messages`)).body.data.slice(2)
    return { conversation_id, ended, messages, file }
  }
  const sent = () => JSON.stringify(service.model.requests.at(-1)?.body.messages.at(-1)?.content)

  it('is written down, stands in the thread, and is the prompt', async () => {
    const agent = await transcribed()
    const { ended, messages, conversation_id, file } = await speak(agent)
    const [request] = server.requests
    assert.deepEqual(
      [request?.path, request?.authorization, request?.model, request?.file.name],
      ['/v1/audio/transcriptions', 'Bearer secret', 'whisper', 'voice.ogg'],
    )
    assert.equal(await request?.file.text(), Buffer.from(OGG).toString())
    assert.match(sent(), new RegExp(SAID))
    const [message] = await messages()
    assert.equal(message.content, SAID)
    assert.deepEqual(message.attachments, [{ ...file, transcript: SAID }])
    assert.equal((await agent.get(`/chat/completions/${ended?.completionId}`)).body.data.prompt, SAID)
    await agent.prompt('And now?', { conversation_id })
    assert.match(JSON.stringify(service.model.requests.at(-1)?.body), new RegExp(SAID))
    assert.equal(server.requests.length, 1)
  })

  it('takes the place of its word beside a text; whisper.cpp has another address', async () => {
    const agent = await transcribed({ url: `${new URL(server.url).origin}/inference` })
    const { messages } = await speak(agent, '[voice] Please help')
    assert.equal(server.requests[0]?.path, '/inference')
    assert.equal((await messages())[0].content, `${SAID} Please help`)
  })

  it('what could not be written down says so, and the agent that it can only read text', async () => {
    for (const [answer, reason] of [
      [{ status: 500, body: '{"error":"kingfisher"}' }, 'The transcription server answered with status 500'],
      [{ body: '{"text":" "}' }, 'The transcription server answered with no text'],
      [{ body: 'no JSON' }, 'The transcription server answered with no text'],
    ] as const) {
      server.answer = answer
      const { ended, messages } = await speak(await transcribed())
      assert.equal(ended?.content, NO_TEXT, reason)
      assert.equal(service.model.requests.length, 0, reason)
      const [message] = await messages()
      assert.deepEqual([message.content, message.attachments[0].reason], ['[voice]', reason])
    }
    const { ended } = await speak(await transcribed(), '[voice] It is broken')
    assert.notEqual(ended?.content, NO_TEXT)
    assert.match(sent(), /\[voice\] It is broken/)
  })

  it('is not written down once the budget is used up: the pause message is the answer', async () => {
    const agent = await transcribed()
    const { pause_message } = (await agent.get('/agent')).body.data
    const spent = { isSpent: async () => true }
    await agent.patch('/agent', { budget: { day: 1 } })
    const { ended, messages } = await speak(agent, '[voice]', undefined, spent)
    assert.equal(ended?.content, pause_message)
    assert.equal((await messages())[0].content, '[voice]')
    assert.equal(server.requests.length, 0)
    assert.equal(service.model.requests.length, 0)
  })

  it('answers also when nothing can be asked, or what was said cannot be stored', async () => {
    const fails = () => {
      throw new Error('kingfisher')
    }
    for (const turns of [{ transcriberFor: fails }, { keepTranscript: async () => fails() }]) {
      const { ended, messages } = await speak(await transcribed(), '[voice]', undefined, turns)
      assert.equal(ended?.content, NO_TEXT)
      assert.equal((await messages()).length, 2)
    }
  })

  it('without a server the agent says that it can only read text, in its words', async () => {
    const agent = await service.addAgent()
    const { ended, messages } = await speak(agent)
    assert.equal(ended?.content, NO_TEXT)
    assert.deepEqual(
      (await messages()).map(({ content }: { content: string }) => content),
      ['[voice]', NO_TEXT],
    )
    await agent.patch('/agent', { unsupported_message: 'Nur Text, bitte.' })
    assert.equal((await speak(agent)).ended?.content, 'Nur Text, bitte.')
    await agent.patch('/agent', { unsupported_message: null })
    await speak(agent)
    assert.match(sent(), /\[voice\]/)
    assert.equal(server.requests.length, 0)
  })

  it('a server that hangs keeps no other prompt waiting, and is left when the client goes away', async () => {
    server.answer = 'hang'
    const agent = await transcribed()
    const gone = new AbortController()
    const speaking = speak(agent, '[voice]', gone.signal)
    await server.arrived(1)
    assert.equal((await agent.prompt('Hello')).choices[0].finish_reason, 'stop')
    gone.abort()
    assert.equal((await speaking).ended, null)
  })

  it('an address that may not be called is refused', async () => {
    const agent = await service.addAgent()
    const refused = await agent.patch('/agent', { transcription: { url: 'http://169.254.169.254/v1' } })
    assertError(refused, 400, 'invalid_request')
    const shown = (await (await transcribed()).get('/agent')).body.data.transcription
    assert.deepEqual(shown, { url: server.url, name: 'whisper', api_key: { set: true, last_four: null } })
  })

  it('masks what was said before the model reads it', async () => {
    const agent = await transcribed()
    await agent.patch('/agent', { mask: { types: ['EMAIL_ADDRESS'] } })
    await speak(agent)
    assert.match(sent(), /write to \[EMAIL_ADDRESS_\d+\] about/)
  })

  for (const mode of ['scrub', 'anonymize'] as const)
    it(`${mode} leaves no byte of it, and what was said as a redacted text`, async () => {
      const agent = await transcribed()
      server.answer = { body: JSON.stringify({ text: SAID.replace('kettle', `${mode} kettle`) }) }
      const { ended, messages } = await speak(agent)
      const { body } = await agent.post(`/chat/completions/${ended?.completionId}/${mode}`)
      assert.equal(body.data.remaining, 0)
      const [{ content, attachments }] = await messages()
      const left = `Please write to [EMAIL_ADDRESS] about the ${mode} kettle`
      assert.equal(content, mode === 'scrub' ? '[VOICE] [REDACTED]' : `[VOICE] ${left}`)
      assert.deepEqual([attachments[0].state, attachments[0].name], ['deleted', null])
      assert.equal(attachments[0].transcript, mode === 'scrub' ? null : left)
      if (service.engine === 'sqlite' && mode === 'scrub')
        assert.deepEqual(await filesWith(service.app.dataDir, `${mode} kettle`), [])
    })
})
