import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { ADDRESSES, addWidget, SITE } from '../../support/widget-visitors.ts'

onBothEngines(
  'pages that may use a widget',
  (service) => {
    it('an allowed origin is named in every answer, with Vary; no cookies', async () => {
      const allowed_origins = [SITE, 'https://*.blog.example']
      const widget = await addWidget(service.app, await service.addAgent(), { allowed_origins })
      for (const origin of [SITE, 'https://a.blog.example', service.app.url]) {
        const answer = await widget.call('POST', '/sessions', { body: {}, origin })
        assert.equal(answer.status, 200, origin)
        assert.equal(answer.headers.get('access-control-allow-origin'), origin)
        assert.match(answer.headers.get('vary') ?? '', /Origin/)
        assert.equal(answer.headers.get('access-control-allow-credentials'), null)
        assert.match(answer.headers.get('access-control-expose-headers') ?? '', /retry-after/)
      }
      const refused = await widget.call('GET', '/messages', { token: 'x' })
      assertError(refused, 403, 'invalid_visitor')
      assert.equal(refused.headers.get('access-control-allow-origin'), SITE)
    })

    it('403 origin_refused for a foreign one, for null, and for none on a POST; it is not named', async () => {
      const widget = await addWidget(service.app, await service.addAgent())
      const { token } = await widget.visit()
      for (const origin of [
        'https://evil.example',
        'null',
        'http://shop.example',
        `${SITE}:8443`,
        `${SITE}, x`,
      ])
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const answer = await widget.call(method, '/messages', { token, origin })
          assertError(answer, 403, 'origin_refused')
          assert.equal(answer.headers.get('access-control-allow-origin'), null)
          assert.match(answer.headers.get('vary') ?? '', /Origin/)
        }
      assertError(await widget.call('POST', '/sessions', { body: {}, origin: null }), 403, 'origin_refused')
      assert.equal((await widget.call('GET', '/messages', { token, origin: null })).status, 200)
    })

    it('403 origin_refused for a foreign one on every path and method, whoever asks, and nothing is done', async () => {
      const widget = await addWidget(service.app, await service.addAgent())
      const visitor = await widget.visit()
      const { first } = await visitor.say('hello')
      const headers = { 'idempotency-key': 'k' }
      const { token } = visitor
      const of = `/completions/${first.id}`
      const calls: [string, string, object?][] = [
        ['POST', '/sessions', {}],
        ['POST', '/messages', { content: 'x' }],
        ['GET', '/messages'],
        ['GET', '/conversations'],
        ['GET', '/live'],
        ['POST', `${of}/like`, { liked: true }],
        ['POST', `${of}/flag`, { flagged: true }],
        ['POST', `${of}/feedback`, { feedback: 'x' }],
        ['POST', `${of}/clicks`, { kind: 'footer', target: 'x' }],
        ['POST', '/person'],
        ['POST', '/rating', { score: 1 }],
        ['POST', '/typing'],
        ['POST', '/end'],
      ]
      const events = await service.eventsOf(widget.agent)
      for (const [method, path, body] of calls) {
        const foreign = { token, headers, origin: 'https://evil.example', ...(body ? { body } : {}) }
        for (const answer of [
          await widget.call(method, path, foreign),
          await widget.call('OPTIONS', path, {
            origin: 'https://evil.example',
            headers: { 'access-control-request-method': method },
          }),
          ...(method === 'POST' ? [await widget.call(method, path, { ...foreign, origin: null })] : []),
        ]) {
          assert.deepEqual([path, answer.status], [path, 403])
          assertError(answer, 403, 'origin_refused')
          assert.equal(answer.headers.get('access-control-allow-origin'), null, path)
        }
      }
      assert.deepEqual(await service.eventsOf(widget.agent), events)
      assert.equal((await visitor.get('/messages')).body.data.length, 2)
    })

    it("no origins: only the service's own", async () => {
      const widget = await addWidget(service.app, await service.addAgent(), { allowed_origins: [] })
      assertError(await widget.call('POST', '/sessions', { body: {} }), 403, 'origin_refused')
      const own = await widget.call('POST', '/sessions', { body: {}, origin: service.app.url })
      assert.equal(own.status, 200)
    })

    it('OPTIONS 204 for every path, also while the widget is switched off', async () => {
      const widget = await addWidget(service.app, await service.addAgent(), { active: false })
      for (const path of [
        '/sessions',
        '/messages?after=1',
        '/live?conversation_id=x',
        '/completions/x/like',
      ]) {
        const answer = await widget.call('OPTIONS', path, {
          headers: { 'access-control-request-method': 'POST' },
        })
        assert.equal(answer.status, 204, path)
        assert.equal(answer.headers.get('access-control-allow-origin'), SITE)
        assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, POST')
        assert.match(
          answer.headers.get('access-control-allow-headers') ?? '',
          /authorization.*idempotency-key/,
        )
        assert.equal(answer.headers.get('access-control-max-age'), '7200')
      }
    })

    it('403 widget_inactive when it is switched off, readable; 404 widget_not_found when it is deleted', async () => {
      const agent = await service.addAgent()
      const widget = await addWidget(service.app, agent)
      const { token } = await widget.visit()
      await agent.patch(`/widgets/${widget.id}`, { active: false })
      for (const answer of [
        await widget.call('POST', '/sessions', { body: {} }),
        await widget.call('GET', '/messages', { token }),
      ]) {
        assertError(answer, 403, 'widget_inactive')
        assert.equal(answer.headers.get('access-control-allow-origin'), SITE)
      }
      await agent.call('DELETE', `/widgets/${widget.id}`)
      const gone = await widget.call('POST', '/sessions', { body: {} })
      assertError(gone, 404, 'widget_not_found')
      assert.equal(gone.headers.get('access-control-allow-origin'), null)
    })

    it('404 widget_not_found once its agent is deleted', async () => {
      const owner = await service.addAgent()
      const agent = await service.addAgent({ teamId: owner.teamId })
      const widget = await addWidget(service.app, agent)
      await agent.post('/pause')
      assert.ok((await owner.call('DELETE', `/agents/${agent.agentId}`)).status < 300)
      assertError(await widget.call('POST', '/sessions', { body: {} }), 404, 'widget_not_found')
    })

    it('/api/v1 and /console send no CORS headers', async () => {
      const headers = { ...service.app.agent.headers, origin: SITE }
      for (const path of ['/api/v1/agent', '/console', '/console/api/session']) {
        const answer = await fetch(service.app.url + path, { headers })
        assert.equal(answer.headers.get('access-control-allow-origin'), null, path)
      }
    })
  },
  ADDRESSES,
)
