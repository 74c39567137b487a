import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ANSWER_RULES } from '../../src/agents/answer-rules.ts'
import { defaultSettings } from '../../src/agents/settings.ts'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const SECRET = 'sk-very-secret-1234'

const HOURS = {
  time_zone: 'Europe/Berlin',
  week: [
    { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' },
    { days: [6], from: '22:00', to: '24:00' },
  ],
  holidays: [{ date: '2026-12-25', name: 'Christmas' }],
}

onBothEngines(
  'GET and PATCH /agent',
  (service) => {
    it('GET 200: every setting, with its default', async () => {
      const agent = await service.addAgent()
      const { status, body } = await agent.get('/agent')
      assert.equal(status, 200)
      const { created_at, version, ...rest } = body.data
      assert.match(created_at, /^\d{4}-.*Z$/)
      const noKey = { set: false, last_four: null }
      assert.deepEqual(rest, {
        id: agent.agentId,
        team_id: agent.teamId,
        name: 'Test agent',
        is_paused: false,
        paused_at: null,
        resumed_at: null,
        instructions: '',
        model: {
          kind: 'openai',
          url: null,
          api_key: noKey,
          name: null,
          fallbacks: [],
          parameters: {},
          images: 'auto',
          timeout_ms: null,
        },
        time_zone: 'UTC',
        hours: null,
        answer_rules: ANSWER_RULES,
        history_limit: 50,
        context_tokens: 16_000,
        summaries: true,
        synonyms: [],
        answer_threshold: null,
        texts: {},
        prices: {},
        budget: null,
        greeting: 'Hello! How can I help you?',
        pause_message: 'The assistant is paused. A person will take over from here.',
        resume_message: null,
        unsupported_message: 'I can only read text. Please write me what it is about.',
        away_message: null,
        follow_up_message: null,
        inactivity: { policy: 'wait', follow_up_after: null, resolve_after: 1440 },
        cite_in_channels: false,
        ask_rating: false,
        handoff: false,
        search_tool: true,
        rewrite: 'auto',
        propose_entries: false,
        hosted_redaction: false,
        embedding: { url: null, api_key: noKey, name: null },
        transcription: { url: null, api_key: noKey, name: null },
        redaction: { url: null, api_key: noKey, language: 'en', threshold: null, entities: null },
        redaction_types: null,
        redaction_style: 'type',
        redaction_files: 'delete',
        redaction_patterns: [],
        redaction_words: { deny: [], allow: [] },
        mask: null,
        redaction_care: 'usual',
        retention: null,
      })
    })

    it('PATCH 200: each setting alone; the others stay', async () => {
      const agent = await service.addAgent()
      let expected = (await agent.get('/agent')).body.data
      for (const patch of [
        { name: 'Ada' },
        { instructions: 'Be kind.' },
        { history_limit: 0 },
        { time_zone: 'Asia/Kathmandu' },
        { hours: HOURS },
        { hours: null },
        { greeting: null },
        { pause_message: 'Paused.' },
        { resume_message: 'Back.' },
        { away_message: 'Back at {back_at}.' },
        { follow_up_message: 'Anything else?' },
        { inactivity: { policy: 'check', follow_up_after: 5, resolve_after: 60 } },
        { hosted_redaction: true },
        { redaction_types: ['EMAIL_ADDRESS'] },
        { redaction_style: 'numbered' },
        { mask: { types: ['PERSON'], restore: false } },
        { redaction_care: 'thorough' },
        { redaction_patterns: [{ name: 'ORDER', pattern: 'o-[0-9]+' }] },
        { redaction_words: { deny: ['Projekt Falke'], allow: ['Ada'] } },
        { retention: { days: 30, mode: 'scrub' } },
        { retention: null },
        {},
      ]) {
        const { status, body } = await agent.patch('/agent', patch)
        assert.equal(status, 200, JSON.stringify([patch, body]))
        expected = { ...expected, ...patch, version: body.data.version }
        assert.deepEqual(body.data, expected)
        assert.deepEqual((await agent.get('/agent')).body.data, expected)
      }
    })

    it('PATCH 400: a parameter of the model that Parley sets itself', async () => {
      const agent = await service.addAgent()
      const answer = await agent.patch('/agent', { model: { parameters: { temperature: 0, messages: [] } } })
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, 'model.parameters.messages')
    })

    it('PATCH 200: model and redaction are merged field by field', async () => {
      const agent = await service.addAgent()
      await agent.patch('/agent', { model: { name: 'm', timeout_ms: 500, parameters: { temperature: 0 } } })
      const { model } = (await agent.patch('/agent', { model: { timeout_ms: null } })).body.data
      assert.deepEqual([model.name, model.timeout_ms, model.parameters], ['m', null, { temperature: 0 }])
      await agent.patch('/agent', { redaction: { language: 'de', threshold: 0.5 } })
      const { redaction } = (await agent.patch('/agent', { redaction: { threshold: null } })).body.data
      assert.deepEqual([redaction.language, redaction.threshold], ['de', null])
    })

    it('PATCH 200: patches of different settings at once are all kept', async () => {
      const agent = await service.addAgent()
      await Promise.all([
        agent.patch('/agent', { name: 'Ada' }),
        agent.patch('/agent', { instructions: 'Be kind.' }),
        agent.patch('/agent', { model: { name: 'm' } }),
        agent.patch('/agent', { model: { timeout_ms: 500 } }),
        agent.post('/pause'),
      ])
      const { data } = (await agent.get('/agent')).body
      assert.deepEqual(
        [data.name, data.instructions, data.model.name, data.model.timeout_ms, data.is_paused],
        ['Ada', 'Be kind.', 'm', 500, true],
      )
    })

    for (const part of ['model', 'embedding', 'transcription', 'redaction']) {
      it(`secrets never come out: ${part}.api_key`, async () => {
        const agent = await service.addAgent()
        const answers = [
          await agent.patch('/agent', { [part]: { url: 'https://1.1.1.1/v1', api_key: SECRET } }),
          await agent.get('/agent'),
        ]
        for (const { text, body } of answers) {
          assert.ok(!text.includes(SECRET.slice(0, -4)))
          assert.deepEqual(body.data[part].api_key, { set: true, last_four: '1234' })
        }
        const { db } = service.app.app.foundation.database
        const rows = JSON.stringify(await db.selectFrom('agents').selectAll().execute())
        assert.ok(!rows.includes(SECRET.slice(0, -4)), 'it is stored sealed')
        const short = (await agent.patch('/agent', { [part]: { api_key: 'short' } })).body.data
        assert.deepEqual(
          short[part].api_key,
          { set: true, last_four: null },
          'four of few would tell too much',
        )
      })

      it(`400: ${part}.api_key that no header carries`, async () => {
        const agent = await service.addAgent()
        for (const api_key of ['a\r\nx-evil: 1', 'ключ', ' a', '', 'a'.repeat(1001)]) {
          const { status, body } = await agent.patch('/agent', { [part]: { api_key } })
          assert.deepEqual([status, body.error?.param], [400, `${part}.api_key`], api_key)
        }
        assert.equal((await agent.patch('/agent', { [part]: { api_key: 'a'.repeat(1000) } })).status, 200)
      })

      it(`a moved ${part}.url drops the key; another path of the same server keeps it`, async () => {
        const agent = await service.addAgent()
        const patch = async (fields: object) =>
          (await agent.patch('/agent', { [part]: fields })).body.data[part].api_key.set
        assert.equal(await patch({ url: 'https://1.1.1.1/v1', api_key: SECRET }), true)
        assert.equal(await patch({ url: 'https://1.1.1.1/v2' }), true)
        assert.equal(await patch({ url: 'https://8.8.8.8/v1' }), false)
        assert.equal(await patch({ url: 'https://1.1.1.1/v1', api_key: SECRET }), true)
        assert.equal(await patch({ url: 'http://1.1.1.1/v1' }), false)
        assert.equal(await patch({ api_key: SECRET }), true)
        assert.equal(await patch({ url: null }), false)
        assert.equal(await patch({ url: 'https://1.1.1.1/v1', api_key: SECRET }), true)
        assert.equal(await patch({ api_key: null }), false)
      })

      for (const url of [
        'http://127.0.0.2/v1',
        'http://10.0.0.1/v1',
        'http://192.168.1.1/v1',
        'http://[::1]:8080/v1',
        'http://169.254.169.254/latest',
        'http://167772161/v1',
        'http://0x7f.2/v1',
        'http://[::ffff:10.0.0.1]/v1',
        'http://0.0.0.0/v1',
        'http://user:password@1.1.1.1/v1',
        'ftp://1.1.1.1/v1',
        'file:///etc/passwd',
        'not an address',
      ]) {
        it(`PATCH 400: ${part}.url ${url}`, async () => {
          const agent = await service.addAgent()
          const before = (await agent.get('/agent')).body
          const answer = await agent.patch('/agent', { name: 'Changed', [part]: { url } })
          assertError(answer, 400, 'invalid_request')
          assert.equal(answer.body.error.param, `${part}.url`)
          assert.ok(!answer.text.includes('password@'))
          assert.deepEqual((await agent.get('/agent')).body, before, 'nothing of the patch is kept')
        })
      }
    }

    it('PATCH 200: an address that PARLEY_PRIVATE_TARGETS lists; its model is asked with its key', async () => {
      const agent = await service.addAgent()
      const model = { url: service.model.url, api_key: SECRET, name: 'own-model' }
      assert.equal((await agent.patch('/agent', { model })).status, 200)
      await agent.prompt('hello')
      const { headers, body } = await service.model.request(0)
      assert.equal(headers.authorization, `Bearer ${SECRET}`)
      assert.equal(body.model, 'own-model')
    })

    it("the installation's key goes to the installation's server alone", async () => {
      const agent = await service.addAgent()
      await agent.prompt('hello')
      await agent.patch('/agent', { model: { url: service.model.url } })
      await agent.prompt('hello')
      const [first, second] = service.model.requests
      assert.equal(first?.headers.authorization, 'Bearer installation-key')
      assert.equal(second?.headers.authorization, undefined)
    })

    for (const patch of [
      { name: '' },
      { name: 'a\u0000b' },
      { name: null },
      { time_zone: 'Mars/Base' },
      { time_zone: '+02:00' },
      { time_zone: '' },
      { time_zone: null },
      { hours: { week: [] } },
      { hours: { ...HOURS, time_zone: 'Mars/Base' } },
      { hours: { ...HOURS, week: [{ days: [0], from: '09:00', to: '17:00' }] } },
      { hours: { ...HOURS, week: [{ days: [], from: '09:00', to: '17:00' }] } },
      { hours: { ...HOURS, week: [{ days: [1, 1], from: '09:00', to: '17:00' }] } },
      { hours: { ...HOURS, week: [{ days: [1], from: '24:00', to: '17:00' }] } },
      { hours: { ...HOURS, week: [{ days: [1], from: '9:00', to: '25:00' }] } },
      { hours: { ...HOURS, holidays: [{ date: '2026-02-30', name: 'None' }] } },
      { hours: { ...HOURS, holidays: [HOURS.holidays[0], HOURS.holidays[0]] } },
      { history_limit: 1.5 },
      { history_limit: -1 },
      { history_limit: 1001 },
      { is_paused: true },
      { id: 7 },
      { model: { temperature: 1 } },
      { model: { timeout_ms: 1 } },
      { model: { api_key: '' } },
      { model: null },
      { redaction: { language: 'Deutsch' } },
      { redaction: { threshold: 2 } },
      { redaction_types: ['NO_SUCH_TYPE'] },
      { redaction_style: 'lettered' },
      { mask: { types: [] } },
      { mask: { types: ['NO_SUCH_TYPE'] } },
      { redaction_care: 'none' },
      { redaction_patterns: [{ name: 'lower', pattern: 'x' }] },
      { redaction_patterns: [{ name: 'X', pattern: '(' }] },
      { redaction_words: { deny: ['...'] } },
      { redaction_words: { deny: ['Projekt*'] } },
      { redaction_words: { deny: ['x'.repeat(61)] } },
      { redaction_words: { deny: ['Falke'], allow: ['FALKE'] } },
      { redaction_words: { never: [] } },
      { retention: { days: 0, mode: 'scrub' } },
      { retention: { days: 1, mode: 'burn' } },
    ]) {
      it(`PATCH 400: ${JSON.stringify(patch)}`, async () => {
        const agent = await service.addAgent()
        const before = (await agent.get('/agent')).body
        assertError(await agent.patch('/agent', patch), 400, 'invalid_request')
        assert.deepEqual((await agent.get('/agent')).body, before)
      })
    }

    it('PATCH 400: bad JSON; GET and PATCH 403; PATCH 413 and 415', async () => {
      const { agent } = service.app
      assertError(await agent.patch('/agent', '{'), 400, 'invalid_json')
      for (const method of ['GET', 'PATCH']) {
        assertError(
          await agent.call(method, '/agent', undefined, { 'x-api-key': '' }),
          403,
          'invalid_credentials',
        )
      }
      assertError(await agent.patch('/agent', { name: 'x'.repeat(70_000) }), 413, 'body_too_large')
      const answer = await agent.call('PATCH', '/agent', '{}', { 'content-type': 'text/plain' })
      assertError(answer, 415, 'unsupported_media_type')
    })

    it("GET /models 200: the agent's model, in OpenAI's shape; 403", async () => {
      const agent = await service.addAgent()
      const { status, body } = await agent.get('/models')
      assert.equal(status, 200)
      const { created } = body.data[0]
      const created_at = (await agent.get('/agent')).body.data.created_at
      assert.equal(created, Math.floor(Date.parse(created_at) / 1000))
      const model = { id: 'test-model', object: 'model', created, owned_by: 'parley' }
      assert.deepEqual(body, { object: 'list', data: [model] })
      assert.deepEqual((await agent.get('/models/test-model')).body, model)
      await agent.patch('/agent', { model: { name: 'own/model' } })
      assert.equal((await agent.get('/models')).body.data[0].id, 'own/model')
      assert.equal((await agent.get('/models/own%2Fmodel')).body.id, 'own/model')
      assertError(await agent.get('/models/test-model'), 404, 'model_not_found')
      assertError(
        await agent.call('GET', '/models', undefined, { authorization: '' }),
        403,
        'invalid_credentials',
      )
    })
  },
  { PARLEY_BODY_LIMIT: '65536', PARLEY_MODEL_API_KEY: 'installation-key' },
)

onBothEngines(
  'PATCH /agent without PARLEY_PRIVATE_TARGETS',
  (service) => {
    it('400: loopback, also by name', async () => {
      for (const url of ['http://127.0.0.1:8080/v1', 'http://localhost:8080/v1', service.model.url]) {
        assertError(await service.app.agent.patch('/agent', { model: { url } }), 400, 'invalid_request')
      }
    })

    it('502: an address that is allowed no more is not called', async () => {
      const model = { ...defaultSettings.model, url: service.model.url }
      const agent = await service.addAgent({ settings: { model } })
      const answer = await agent.post('/chat/completions', { messages: [{ role: 'user', content: 'hello' }] })
      assertError(answer, 502, 'model_failed')
      assert.equal(service.model.requests.length, 0)
    })

    it("200: the installation's own model may be private: the operator set it", async () => {
      await service.app.agent.prompt('hello')
      assert.equal(service.model.requests.length, 1)
    })
  },
  { PARLEY_PRIVATE_TARGETS: '' },
)
