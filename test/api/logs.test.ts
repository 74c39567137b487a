import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import pino from 'pino'
import { startApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, messageOf } from '../support/platform-peer.ts'
import { startS3Peer } from '../support/s3-peer.ts'
import { upload } from '../support/upload.ts'

const SECRET = 'sk-hunter2-hunter2'

for (const engine of engines) {
  describe(`logs on ${engine}`, () => {
    it('have a line a request, and no credential, query string, id or text, whatever goes wrong', async () => {
      const log = collected()
      await using model = await startModelServer()
      const env = { PARLEY_MODEL_URL: model.url, PARLEY_MODEL_API_KEY: SECRET }
      await using service = await startApp(engine, env, Date.now, pino({ level: 'trace' }, log.stream))
      const { agent } = service
      const say = (fields = {}) => ({
        messages: [{ role: 'user', content: 'zebra prompt' }],
        user: 'zebra-user',
        ...fields,
      })

      model.answer = { text: 'zebra answer' }
      const { id, conversation_id } = await agent.prompt('zebra prompt', {
        external_id: 'zebra-conversation',
      })
      await readWholeStream(agent, say())
      model.next({ status: 500 }, { raw: { body: 'zebra nonsense', content_type: 'application/json' } })
      await agent.post('/chat/completions', say())
      await agent.post('/chat/completions', say())
      model.next({ pieces: ['zebra'], ending: 'cut' })
      await readWholeStream(agent, say())
      await agent.post('/chat/completions', '{"zebra')
      await agent.post('/chat/completions', { messages: [{ role: 'zebra', content: 'zebra' }] })
      await agent.get('/conversations/zebra-conversation?zebra=1')
      await agent.get('/conversations?page=zebra')
      await agent.get('/zebra/nowhere?api_key=zebra')
      await agent.post(`/chat/completions/${id}/feedback`, { feedback: 'zebra feedback' })
      await agent.post(`/conversations/${conversation_id}/messages`, { content: 'zebra', author: 'zebra' })
      await agent.patch('/agent', { model: { url: 'https://1.1.1.1/', api_key: SECRET } })
      await agent.patch('/agent', { model: { url: null } })
      await agent.call('GET', '/agent', undefined, { 'x-api-key': `${agent.apiKey}zebra` })
      await agent.post(`/chat/completions/${id}/scrub`)
      const { db } = service.app.foundation.database
      const zebra = { channel_secret: 'zebra-secret', access_token: 'zebra-token' }
      const channel = await addChannel(agent, 'messenger-three', { url: 'http://127.0.0.1:9' }, zebra)
      const event = messageOf('messenger-three', 'zebra-person', 'zebra-event', 'zebra on a channel')
      for (const key of [agent.apiKey, 'zebra', ''])
        await fetch(`${channel.url}?api_key=${key}`, {
          method: 'POST',
          body: JSON.stringify(event),
          headers: { 'content-type': 'application/json' },
        })
      // Answered, and tried in vain to be sent.
      let item: { error: string | null } | undefined
      while (!item) {
        await setImmediate()
        item = await db
          .selectFrom('mailbox_items')
          .select('error')
          .where('error', 'is not', null)
          .executeTakeFirst()
      }
      await db.updateTable('agents').set({ settings: 'zebra' }).where('id', '=', agent.agentId).execute()
      await agent.post('/chat/completions', say())
      await service.close()

      const written = log.text()
      const lines = written
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const requests = lines.filter(({ route }) => route === '/api/v1/chat/completions')
      assert.deepEqual(
        requests.map(({ method, status }) => `${method} ${status}`),
        ['POST 200', 'POST 200', 'POST 502', 'POST 502', 'POST 200', 'POST 400', 'POST 400', 'POST 500'],
      )
      for (const { request_id, agent_id, trace_id, ms } of requests) {
        assert.match(request_id, /^req_/)
        assert.equal(agent_id, agent.agentId)
        assert.match(trace_id, /^[0-9a-f]{32}$/)
        assert.equal(typeof ms, 'number')
      }
      assert.ok(lines.some(({ msg }) => msg === 'request failed'))
      for (const secret of [
        'zebra',
        'hunter2',
        agent.apiKey,
        agent.bearerToken,
        'parley_key_',
        id,
        conversation_id,
      ]) {
        assert.ok(!written.includes(secret), `${secret} is in: ${lineWith(written, secret)}`)
      }
    })

    it('say what the model server said of a failure, also to a judge', async () => {
      const log = collected()
      await using model = await startModelServer()
      const env = { PARLEY_MODEL_URL: model.url, PARLEY_MODEL_API_KEY: SECRET }
      await using service = await startApp(engine, env, Date.now, pino({ level: 'trace' }, log.stream))
      const { agent } = service
      const message = `The model does not exist, key ${SECRET}, prompt: zebra prompt`
      const body = JSON.stringify({ error: { message, type: 'invalid', code: 'model_not_found' } })
      model.answer = { status: 404, raw: { body, content_type: 'application/json' } }
      const say = { messages: [{ role: 'user', content: 'zebra prompt' }] }
      const { text } = await agent.post('/chat/completions', say)
      assert.ok(!text.includes('exist') && text.includes('status 404'))
      await agent.post('/chat/completions', { ...say, stream: true })
      const judge = { name: 'J', kind: 'model_judge', settings: { criteria: 'Kind.' } }
      const { data } = (await agent.post('/evaluators', judge)).body
      await agent.post(`/evaluators/${data.id}/try`, { text: 'zebra prompt' })
      const said = 'The model does not exist, key [key], prompt: [text]'
      const lines = log
        .text()
        .split('\n')
        .filter((line) => line.includes('a model call failed'))
      assert.equal(lines.length, 3)
      for (const line of lines) {
        const { agent_id, reason, status, code, said: told } = JSON.parse(line)
        assert.deepEqual(
          [agent_id, reason, status, code, told],
          [agent.agentId, 'status', 404, 'model_not_found', said],
        )
      }
    })

    it('have nothing of a long prompt, a tool call or a tool that the model server repeats', async () => {
      const log = collected()
      await using model = await startModelServer()
      const env = { PARLEY_MODEL_URL: model.url }
      await using service = await startApp(engine, env, Date.now, pino({ level: 'trace' }, log.stream))
      const prompt = Array.from({ length: 1200 }, (_, at) => `zebra${at * 7919}`).join(' ')
      const call = { name: 'book', arguments: '{"patient":"zebra patient"}' }
      const tools = [{ type: 'function', function: { name: 'book', description: 'zebra bookings' } }]
      const messages = [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: call }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'zebra booked' },
        { role: 'user', content: prompt },
      ]
      for (const repeated of [prompt, call.arguments, JSON.stringify(tools), 'zebra booked']) {
        const body = JSON.stringify({ error: { message: `Bad input: ${repeated}` } })
        model.next({ status: 400, raw: { body, content_type: 'application/json' } })
        await service.agent.post('/chat/completions', { messages, tools })
      }
      const lines = log
        .text()
        .split('\n')
        .filter((line) => line.includes('a model call failed'))
      assert.equal(lines.length, 4)
      for (const line of lines) assert.match(JSON.parse(line).said, /^Bad input: .*\[text\]/)
      assert.equal(lineWith(log.text(), 'zebra'), undefined)
    })

    it('have prompts and responses where the operator says so', async () => {
      const log = collected()
      await using model = await startModelServer()
      model.answer = { text: 'zebra answer' }
      const env = { PARLEY_MODEL_URL: model.url, PARLEY_LOG_TEXT: 'true' }
      await using service = await startApp(engine, env, Date.now, pino({}, log.stream))
      const { id } = await service.agent.prompt('zebra prompt')
      const line = JSON.parse(lineWith(log.text(), 'zebra') ?? '{}')
      assert.deepEqual(
        [line.msg, line.completion_id, line.prompt, line.response],
        ['answered', id, 'zebra prompt', 'zebra answer'],
      )
    })
  })
}

it('say why the store of files fails, without its keys', async () => {
  const log = collected()
  await using store = await startS3Peer()
  const env = { ...store.settings, PARLEY_FILES_SECRET: SECRET }
  await using service = await startApp('sqlite', env, Date.now, pino({}, log.stream))
  const { conversation_id } = await service.agent.prompt('hello')
  assert.equal((await upload(service.agent, conversation_id, { 'a.txt': 'a' })).status, 503)
  const { code, reason } = JSON.parse(lineWith(log.text(), 'request failed') ?? '{}')
  assert.deepEqual([code, reason], ['unavailable', 'the store of files answered 403 SignatureDoesNotMatch'])
  assert.ok(!log.text().includes('hunter2'))
})

function collected() {
  let written = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    },
  })
  return { stream, text: () => written }
}

function lineWith(text: string, part: string): string | undefined {
  return text.split('\n').find((line) => line.includes(part))
}
