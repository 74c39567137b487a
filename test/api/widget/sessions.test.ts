import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { it } from 'node:test'
import fc from 'fast-check'
import { assertError } from '../../support/app.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { ADDRESSES, addWidget, SITE, type TestWidget } from '../../support/widget-visitors.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines(
  'POST /widget/v1/{public_key}/sessions',
  (service) => {
    const make = async (wish: Record<string, unknown> = {}): Promise<TestWidget> =>
      addWidget(service.app, await service.addAgent(), wish)
    const open = (widget: TestWidget, body: unknown = {}) => widget.call('POST', '/sessions', { body })

    it('200 with a token, the look and the texts that fit the language best; nothing is stored', async () => {
      const widget = await make({
        look: { color: '#112233' },
        texts: {
          en: { greeting: 'Hello' },
          'de-AT': { greeting: 'Servus', suggestions: ['Wo?'], notice: '' },
        },
      })
      for (const [language, chosen, greeting] of [
        ['de-AT', 'de-AT', 'Servus'],
        ['de', 'de-AT', 'Servus'],
        ['de-Latn-AT', 'de-AT', 'Servus'],
        ['en-GB', 'en', 'Hello'],
        ['ja', 'en', 'Hello'],
      ] as const) {
        const { body } = await open(widget, { language, page_url: `${SITE}/cart` })
        assert.deepEqual([body.data.widget.language, body.data.widget.texts.greeting], [chosen, greeting])
      }
      const shown = await widget.call('POST', '/sessions?shown=de', { body: { language: 'ca' } })
      assert.equal(shown.body.data.widget.texts.greeting, 'Servus', 'the texts in the language of the chat')
      // The chat's own words stand where the operator has none in its language.
      const arabic = await open(widget, { language: 'ar' })
      assert.deepEqual(
        [arabic.body.data.widget.language, arabic.body.data.widget.texts.greeting],
        [null, null],
      )
      const { body, status, headers } = await open(widget, { language: 'de-AT' })
      assert.equal(status, 200)
      const { visitor_token, visitor_id, ...rest } = body.data
      assert.match(visitor_id, /^visitor_[0-9a-f]{32}$/)
      assert.ok(visitor_token.startsWith('parley_visitor_'))
      const look = { color: '#112233', position: 'right', title: 'Test agent', launcher: '' }
      const texts = { greeting: 'Servus', suggestions: ['Wo?'], placeholder: null, notice: '' }
      assert.deepEqual(rest, {
        verified: false,
        user: null,
        widget: {
          look: { ...look, avatar_url: null, scheme: 'auto' },
          language: 'de-AT',
          texts: { ...texts, footer: null, footer_url: null },
          identity: 'optional',
          uploads: 'off',
          mail: false,
        },
        agent: { name: 'Test agent' },
        agent_paused: false,
        conversation: null,
      })
      assert.equal(headers.get('set-cookie'), null)
      assert.deepEqual(await service.eventsOf(widget.agent), [])
      assert.equal((await widget.agent.get('/users')).body.total, 0)
    })

    it('200: says that nobody is there, in the language of the chat, while nobody is', async () => {
      const widget = await make()
      await widget.agent.patch('/agent', {
        hours: { time_zone: 'UTC', week: [{ days: [1], from: '09:00', to: '17:00' }] },
        away_message: 'Back on {back_at}.',
        texts: { de: { away_message: 'Zurück am {back_at}.' } },
      })
      const away = async (fields: object) => (await open(widget, fields)).body.data.widget.texts.greeting
      // A Sunday, and the Monday after it.
      service.clock = () => Date.parse('2026-11-29T12:00:00Z')
      assert.match(await away({ language: 'en' }), /^Back on Monday, November 30, 2026 at 9:00.AM\.$/)
      assert.match(await away({ language: 'de' }), /^Zurück am Montag, 30. November 2026 um 09:00.$/)
      service.clock = () => Date.parse('2026-11-30T12:00:00Z')
      assert.equal(await away({ language: 'en' }), null)
    })

    it('200: a token is renewed for the same visitor and lasts for 30 days', async () => {
      const widget = await make()
      const begin = Date.now()
      service.clock = () => begin
      const first = (await open(widget)).body.data
      service.clock = () => begin + 29 * DAY_MS
      const second = (await open(widget, { visitor_token: first.visitor_token })).body.data
      assert.equal(second.visitor_id, first.visitor_id)
      service.clock = () => begin + 31 * DAY_MS
      assertError(await open(widget, { visitor_token: first.visitor_token }), 403, 'invalid_visitor')
      assert.equal((await open(widget, { visitor_token: second.visitor_token })).status, 200)
    })

    it('new_session is raised again after a pause of half an hour, new_device is not', async () => {
      const widget = await make()
      const begin = Date.now()
      service.clock = () => begin
      let visitor = await widget.visit()
      for (const minutes of [0, 20, 60]) {
        service.clock = () => begin + minutes * 60_000
        visitor = await widget.visit({ visitor_token: visitor.token })
        await visitor.say('hello')
      }
      const events = await service.eventsOf(widget.agent)
      const counted = (key: string) => events.filter((raised) => raised === key).length
      assert.deepEqual([counted('new_session'), counted('new_device'), counted('new_user')], [2, 1, 1])
    })

    it('403 invalid_visitor: a forged token, one of another widget, none', async () => {
      const widget = await make()
      const other = await addWidget(service.app, widget.agent)
      const { visitor_token: token } = (await open(widget)).body.data
      assert.equal((await widget.call('GET', '/messages', { token })).status, 200)
      assertError(await other.call('GET', '/messages', { token }), 403, 'invalid_visitor')
      assertError(await open(other, { visitor_token: token }), 403, 'invalid_visitor')
      assertError(await widget.call('GET', '/messages'), 403, 'invalid_visitor')
      const [body, signature] = token.slice('parley_visitor_'.length).split('.')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
      const forged = Buffer.from(JSON.stringify({ ...claims, visitor: 'visitor_1' })).toString('base64url')
      for (const wrong of [
        `parley_visitor_${forged}.${signature}`,
        `parley_visitor_${body}.`,
        `parley_visitor_${body}`,
        `parley_visitor_.${signature}`,
        `${token}x`,
        `${token}.${signature}`,
        token.slice(0, -1),
        'x'.repeat(4000),
      ])
        assertError(await widget.call('GET', '/messages', { token: wrong }), 403, 'invalid_visitor')
    })

    it('403 invalid_visitor for any text that was not signed here', async () => {
      const widget = await make()
      const word = fc.stringMatching(/^[\w.~+/=-]{1,80}$/)
      await fc.assert(
        fc.asyncProperty(word, fc.boolean(), async (text, isPrefixed) => {
          const token = isPrefixed ? `parley_visitor_${text}` : text
          assertError(await widget.call('GET', '/conversations', { token }), 403, 'invalid_visitor')
        }),
        { numRuns: 40 },
      )
    })

    it('200 verified with the hash of the id; 403 identity_refused with any other', async () => {
      const widget = await make()
      const user = { id: 'Käthe 7', name: 'Käthe', hash: widget.hash('Käthe 7') }
      const { data } = (await open(widget, { user })).body
      assert.deepEqual([data.verified, data.user], [true, { id: 'Käthe 7', name: 'Käthe' }])
      assert.equal((await open(widget, { user: { ...user, hash: user.hash.toUpperCase() } })).status, 200)
      const other = await make()
      for (const hash of ['', 'x', user.hash.slice(1), other.hash('Käthe 7'), widget.hash('Kathe 7')])
        assertError(await open(widget, { user: { ...user, hash } }), 403, 'identity_refused')
      assertError(await open(widget, { user: { id: 'Käthe 7' } }), 403, 'identity_refused')
      assertError(await open(widget, { user: { ...user, id: 'other' } }), 403, 'identity_refused')
    })

    it('hash and token are compared in a time that does not tell where they differ', async ({ mock }) => {
      const widget = await make()
      const hash = widget.hash('ann')
      const token: string = (await open(widget)).body.data.visitor_token
      const compare = mock.method(crypto, 'timingSafeEqual')
      syncBuiltinESMExports()
      try {
        // The first character, and the last.
        for (const wrong of [`${hash[0] === 'a' ? 'b' : 'a'}${hash.slice(1)}`, `${hash.slice(0, -1)}x`]) {
          compare.mock.resetCalls()
          assertError(await open(widget, { user: { id: 'ann', hash: wrong } }), 403, 'identity_refused')
          const compared = compare.mock.calls.map(({ arguments: both }) => both.map(String))
          assert.deepEqual(compared, [[wrong, hash]])
        }
        const dot = token.indexOf('.') + 1
        const right = token.slice(dot)
        for (const wrong of [`${right[0] === 'a' ? 'b' : 'a'}${right.slice(1)}`, `${right.slice(0, -1)}.`]) {
          compare.mock.resetCalls()
          const forged = `${token.slice(0, dot)}${wrong}`.replace(/\.$/, '_')
          assertError(await widget.call('GET', '/messages', { token: forged }), 403, 'invalid_visitor')
          const compared = compare.mock.calls.map(({ arguments: both }) => both.map(String))
          assert.deepEqual(compared, [[forged.slice(dot), right]])
        }
      } finally {
        mock.restoreAll()
        syncBuiltinESMExports()
      }
    })

    it('403 identity_required where nobody is verified; off ignores whoever is named', async () => {
      const widget = await make({ identity: 'required' })
      assertError(await open(widget), 403, 'identity_required')
      const user = { id: 'ann', hash: widget.hash('ann') }
      const { data } = (await open(widget, { user })).body
      assert.equal((await open(widget, { visitor_token: data.visitor_token })).body.data.verified, true)
      await widget.agent.patch(`/widgets/${widget.id}`, { identity: 'off' })
      assertError(await open(widget, { visitor_token: data.visitor_token }), 403, 'invalid_visitor')
      const anybody = (await open(widget, { user: { ...user, hash: 'wrong' } })).body.data
      assert.deepEqual([anybody.verified, anybody.user], [false, null])
      await widget.agent.patch(`/widgets/${widget.id}`, { identity: 'required' })
      const answer = await widget.call('GET', '/messages', { token: anybody.visitor_token })
      assertError(answer, 403, 'identity_required')
    })

    it('403 after a rotation of the secret: for old hashes, and for whomever they let in', async () => {
      const widget = await make()
      const anonymous = (await open(widget)).body.data.visitor_token
      const user = { id: 'ann', hash: widget.hash('ann') }
      const { visitor_token } = (await open(widget, { user })).body.data
      await widget.agent.post(`/widgets/${widget.id}/rotate-secret`)
      assertError(await open(widget, { user }), 403, 'identity_refused')
      assertError(await widget.call('GET', '/messages', { token: visitor_token }), 403, 'invalid_visitor')
      assert.equal((await widget.call('GET', '/messages', { token: anonymous })).status, 200)
    })

    for (const [param, body] of [
      ['user.id', { user: { id: 'visitor_1', hash: 'x' } }],
      ['user.id', { user: { id: '..', hash: 'x' } }],
      ['user.id', { user: { id: 'x'.repeat(256), hash: 'x' } }],
      ['language', { language: 'no language' }],
      ['page_url', { page_url: 'x'.repeat(2049) }],
      ['other', { other: 1 }],
    ] as const)
      it(`400: ${JSON.stringify(body).slice(0, 60)}`, async () => {
        const answer = await open(await make(), body)
        assertError(answer, 400, 'invalid_request')
        assert.equal(answer.body.error.param, param)
      })

    it('429 with Retry-After when one address opens too many', async () => {
      const widget = await make()
      let last = await open(widget)
      for (let count = 0; count < 60 && last.status === 200; count++) last = await open(widget)
      assertError(last, 429, 'rate_limited')
      assert.ok(Number(last.headers.get('retry-after')) > 0)
      assert.equal(last.headers.get('access-control-allow-origin'), SITE)
    })
  },
  ADDRESSES,
)
