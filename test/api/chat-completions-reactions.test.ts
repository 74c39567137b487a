import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const BODIES = {
  like: { liked: true },
  flag: { flagged: true },
  feedback: { feedback: 'good' },
  clicks: { kind: 'footer', target: '7' },
}

onBothEngines(
  'POST /chat/completions/{id}/like, /flag, /feedback and /clicks',
  (service) => {
    async function completion(known?: TestAgent) {
      const agent = known ?? (await service.addAgent())
      const { id, number } = await agent.prompt('hello')
      const path = `/chat/completions/${id}`
      const reactions = async () =>
        (await service.eventsOf(agent)).filter((key) => /^response_(like|flag|feedback)$|_click$/.test(key))
      return { agent, path, number, reactions }
    }

    it('like 200: set, changed, taken back; an event a change', async () => {
      const { agent, path, reactions } = await completion()
      for (const liked of [true, true, false, null, null]) {
        const { status, body } = await agent.post(`${path}/like`, { liked })
        assert.equal(status, 200)
        assert.equal(body.data.liked, liked)
        assert.deepEqual((await agent.get(path)).body, body)
      }
      assert.deepEqual(await reactions(), ['response_like', 'response_like', 'response_like'])
    })

    it('like and flag 200: equal ones at once are one change', async () => {
      const { agent, path, reactions } = await completion()
      const all = (name: string, body: unknown) =>
        Promise.all(Array.from({ length: 6 }, () => agent.post(`${path}/${name}`, body)))
      for (const { status } of await all('like', { liked: true })) assert.equal(status, 200)
      for (const { status } of await all('flag', { flagged: true })) assert.equal(status, 200)
      assert.deepEqual(await reactions(), ['response_like', 'response_flag'])
    })

    it('flag 200: with a reason, repeated, taken back with its reason', async () => {
      const { agent, path, reactions } = await completion()
      for (const [sent, expected] of [
        [{ flagged: true, reason: 'rude' }, [true, 'rude']],
        [{ flagged: true, reason: 'rude' }, [true, 'rude']],
        [{ flagged: true, reason: 'wrong' }, [true, 'wrong']],
        [{ flagged: false, reason: 'ignored' }, [false, null]],
        [{ flagged: true }, [true, null]],
        [{ flagged: true, reason: null }, [true, null]],
      ] as const) {
        const { status, body } = await agent.post(`${path}/flag`, sent)
        assert.equal(status, 200)
        assert.deepEqual([body.data.flagged, body.data.flag_reason], expected)
        assert.deepEqual((await agent.get(path)).body, body)
      }
      assert.deepEqual(await reactions(), Array(4).fill('response_flag'))
    })

    it('feedback 200: text and score, the last ones count', async () => {
      const { agent, path, reactions } = await completion()
      for (const [sent, expected] of [
        [{ feedback: 'fine', score: 4.5 }, ['fine', 4.5]],
        [{ feedback: 'better', score: -1 }, ['better', -1]],
        [{ feedback: '', score: null }, ['', null]],
        [{ feedback: 'no score' }, ['no score', null]],
      ] as const) {
        const { status, body } = await agent.post(`${path}/feedback`, sent)
        assert.equal(status, 200)
        assert.deepEqual([body.data.feedback, body.data.score], expected)
        assert.deepEqual((await agent.get(path)).body, body)
      }
      assert.deepEqual(await reactions(), Array(4).fill('response_feedback'))
    })

    it('clicks 200: each kind raises its event, every time', async () => {
      const agent = await service.addAgent()
      await agent.post('/ctas', { name: 'C', content: 'Look', url: 'https://example.com/' })
      const { path, reactions } = await completion(agent)
      const kinds = ['referral', 'cta', 'attribution', 'footer', 'footer']
      for (const kind of kinds) {
        const { status } = await agent.post(`${path}/clicks`, { kind, target: 'https://example.com/' })
        assert.equal(status, 200)
      }
      assert.deepEqual(
        await reactions(),
        kinds.map((kind) => `${kind}_click`),
      )
    })

    it('200: by number', async () => {
      const { agent, number } = await completion()
      for (const [verb, body] of Object.entries(BODIES)) {
        assert.equal((await agent.post(`/chat/completions/${number}/${verb}`, body)).status, 200)
      }
    })

    for (const [verb, body] of [
      ['like', {}],
      ['like', { liked: 'yes' }],
      ['like', { liked: true, more: 1 }],
      ['flag', {}],
      ['flag', { flagged: null }],
      ['flag', { flagged: true, reason: 7 }],
      ['flag', { flagged: true, reason: 'a\u0000b' }],
      ['flag', { flagged: true, reason: 'r'.repeat(10_001) }],
      ['feedback', {}],
      ['feedback', { feedback: null }],
      ['feedback', { feedback: 'x', score: 'five' }],
      ['feedback', { feedback: 'x', score: 1e9 }],
      ['feedback', { feedback: '\u0000' }],
      ['clicks', { kind: 'cta' }],
      ['clicks', { kind: 'other', target: 'x' }],
      ['clicks', { kind: 'cta', target: '' }],
      ['clicks', { kind: 'cta', target: 't'.repeat(2049) }],
    ] as const) {
      it(`${verb} 400: ${JSON.stringify(body).slice(0, 60)}`, async () => {
        const { agent, path, reactions } = await completion()
        const before = (await agent.get(path)).body
        assertError(await agent.post(`${path}/${verb}`, body), 400, 'invalid_request')
        assert.deepEqual((await agent.get(path)).body, before)
        assert.deepEqual(await reactions(), [])
      })
    }

    for (const [verb, body] of Object.entries(BODIES)) {
      it(`${verb} 400, 403, 404, 413, 415`, async () => {
        const { agent, path, reactions } = await completion()
        const stranger = await service.addAgent({ teamId: agent.teamId })
        assertError(await agent.post(`${path}/${verb}`, '{'), 400, 'invalid_json')
        assertError(
          await agent.post(`${path}/${verb}`, body, { 'x-api-key': '' }),
          403,
          'invalid_credentials',
        )
        assertError(await stranger.post(`${path}/${verb}`, body), 404, 'completion_not_found')
        assertError(await agent.post(`/chat/completions/0/${verb}`, body), 404, 'completion_not_found')
        assertError(await agent.post(`${path}/${verb}`, 'x'.repeat(70_000)), 413, 'body_too_large')
        const plain = { 'content-type': 'text/plain' }
        assertError(
          await agent.post(`${path}/${verb}`, JSON.stringify(body), plain),
          415,
          'unsupported_media_type',
        )
        assert.deepEqual(await reactions(), [])
      })
    }
  },
  { PARLEY_BODY_LIMIT: '65536' },
)
