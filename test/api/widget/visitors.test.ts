import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { ADDRESSES, addWidget, eventLike } from '../../support/widget-visitors.ts'

const BODIES = {
  like: { liked: true },
  flag: { flagged: true, reason: 'wrong' },
  feedback: { feedback: 'thanks', score: 1 },
  clicks: { kind: 'referral', target: 'https://example.com/' },
} as const

onBothEngines(
  'what visitors of a widget do',
  (service) => {
    const make = async () => addWidget(service.app, await service.addAgent())

    it('200: like, flag, feedback and clicks of own answers, with their events', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const { first } = await visitor.say('hello')
      for (const [name, body] of Object.entries(BODIES)) {
        const answer = await visitor.post(`/completions/${first.id}/${name}`, body)
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.body.data.id, first.id)
      }
      for (const kind of ['attribution', 'footer'])
        await visitor.post(`/completions/${first.id}/clicks`, { kind, target: 'x' })
      const [, answer] = (await visitor.get('/messages')).body.data
      const { liked, flagged, score, feedback_given } = answer.completion
      assert.deepEqual([liked, flagged, score, feedback_given], [true, true, 1, true])
      const events = await service.eventsOf(widget.agent)
      assert.deepEqual(
        events.filter((key) => /like|flag|feedback|click/.test(key)),
        [
          'response_like',
          'response_flag',
          'response_feedback',
          'referral_click',
          'attribution_click',
          'footer_click',
        ],
      )
      const cta = await visitor.post(`/completions/${first.id}/clicks`, { kind: 'cta', target: '1' })
      assertError(cta, 400, 'invalid_request')
    })

    it('a user whose id looks like the key of another one sees nothing of that one', async () => {
      const widget = await make()
      const as = (id: string) => widget.visit({ user: { id, hash: widget.hash(id) } })
      const mine = await (await as('alice')).say('My secret')
      const other = await as('widget:alice')
      assert.equal(other.session.conversation, null)
      for (const path of ['/messages', '/conversations'])
        assert.deepEqual((await other.get(path)).body.data, [], path)
      assert.deepEqual((await other.post('/typing', {})).body.data, { typing: false })
      assertError(await other.post('/end'), 404, 'conversation_not_found')
      const own = await other.say('Hello')
      assert.notEqual(own.first.conversation_id, mine.first.conversation_id)
      const asked = await (await as('widget:widget:alice')).post('/person', {})
      assert.equal(asked.status, 200, asked.text)
      const events = await service.eventsOf(widget.agent)
      assert.equal(events.filter((key) => key === 'new_user').length, 3)
      assert.equal(events.filter((key) => key === 'new_conversation').length, 3)
    })

    it("404: another visitor's, another widget's and the API's objects are as if they were not there", async () => {
      const widget = await make()
      const owner = await widget.visit()
      const { first } = await owner.say('mine')
      const other = await addWidget(service.app, widget.agent)
      const api = await widget.agent.prompt('hello', { user: 'ann' })
      const user = { id: 'ann', hash: widget.hash('ann') }
      const strangers = [
        await widget.visit(),
        await other.visit(),
        await (await make()).visit(),
        await widget.visit({ user }),
      ]
      for (const stranger of strangers) {
        for (const id of [first.id, api.id, String(api.number), 'x'])
          for (const [name, body] of Object.entries(BODIES))
            assertError(await stranger.post(`/completions/${id}/${name}`, body), 404, 'completion_not_found')
        for (const id of [first.conversation_id, api.conversation_id, 'x']) {
          assertError(await stranger.get(`/messages?conversation_id=${id}`), 404, 'conversation_not_found')
          const rating = { score: 1, conversation_id: id }
          assertError(await stranger.post('/rating', rating), 404, 'conversation_not_found')
        }
        assert.deepEqual((await stranger.get('/messages')).body, { data: [], more: false })
        assert.deepEqual((await stranger.get('/conversations')).body.data, [])
        assertError(await stranger.post('/end'), 404, 'conversation_not_found')
        assertError(await stranger.post('/rating', { score: 1 }), 404, 'conversation_not_found')
      }
    })

    it('a verified user has their conversations on every device, and nobody who follows has them', async () => {
      const widget = await make()
      const user = { id: 'ann', name: 'Ann Lee', hash: widget.hash('ann') }
      const phone = await widget.visit({ user })
      const { first } = await phone.say('from the phone')
      const laptop = await widget.visit({ user })
      assert.equal(laptop.session.conversation.id, first.conversation_id)
      const said = await laptop.say('from the laptop')
      assert.equal(said.first.conversation_id, first.conversation_id)
      assert.equal((await phone.get('/messages')).body.data.length, 4)
      const profile = (await widget.agent.get('/users/ann')).body.data
      assert.deepEqual([profile.source, profile.proof, profile.name], ['widget', 'signed', 'Ann Lee'])
      const bob = await widget.visit({
        visitor_token: laptop.token,
        user: { id: 'bob', hash: widget.hash('bob') },
      })
      assert.equal(bob.session.conversation, null)
      assert.equal((await widget.visit()).session.conversation, null)
    })

    it('who identifies themselves leaves what they said as a visitor behind', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      await visitor.say('anonymous')
      const user = { id: 'ann', hash: widget.hash('ann') }
      const ann = await widget.visit({ visitor_token: visitor.token, user })
      assert.equal(ann.session.visitor_id, visitor.session.visitor_id)
      assert.equal(ann.session.conversation, null)
      assert.deepEqual((await ann.get('/messages')).body.data, [])
      assert.equal((await visitor.get('/messages')).body.data.length, 2)
    })

    it('POST person 200: the conversation waits; one is opened when there is none', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const asked = await visitor.post('/person')
      assert.equal(asked.status, 200, asked.text)
      assert.equal(asked.body.data.waiting, true)
      const [row] = (await widget.agent.get('/inbox?view=waiting')).body.data
      assert.deepEqual([row.id, row.waiting_reason], [asked.body.data.id, 'asked'])
      const again = await visitor.post('/person', {})
      assert.equal(again.body.data.id, asked.body.data.id)
      assert.equal((await visitor.say('hello')).first.conversation_id, asked.body.data.id)
    })

    it('a language with extensions is one that the service can name, wherever it says something', async () => {
      const { agent, visit } = await make()
      const say = 'We speak {{language}}.'
      const settings = {
        pause_message: say,
        away_message: say,
        hours: { time_zone: 'Europe/Berlin', week: [], holidays: [] },
      }
      assert.equal((await agent.patch('/agent', settings)).status, 200)
      const visitor = await visit({ language: 'de-DE-u-fw-mon' })
      const asked = await visitor.post('/person')
      assert.equal(asked.status, 200, asked.text)
      assert.equal((await agent.get('/inbox?view=waiting')).body.data[0].language, 'de')
      const paused = await agent.post('/pause')
      assert.equal(paused.status, 200, paused.text)
      assert.equal((await agent.get('/pause')).status, 200)
      assert.match((await visitor.get('/messages')).text, /We speak Deutsch\./)
    })

    it('POST rating 200: the last one counts; 400 for what is none', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const { first } = await visitor.say('hello')
      await visitor.post('/rating', { score: 2, comment: 'hm' })
      await visitor.post('/end')
      const rated = await visitor.post('/rating', { score: 5 })
      assert.deepEqual([rated.body.data.score, rated.body.data.comment], [5, null])
      const stored = await widget.agent.get(`/conversations/${first.conversation_id}/rating`)
      assert.equal(stored.body.data.score, 5)
      for (const body of [{}, { score: 6 }, { score: 1.5 }, { score: 1, other: 1 }])
        assertError(await visitor.post('/rating', body), 400, 'invalid_request')
    })

    it('GET messages 200 by pages in both directions', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      for (const text of ['a', 'b', 'c']) await visitor.say(text)
      const all = (await visitor.get('/messages')).body.data
      const ids = all.map(({ id }: { id: number }) => id)
      const page = async (query: string) => {
        const { body } = await visitor.get(`/messages?${query}`)
        return [body.data.map(({ id }: { id: number }) => id), body.more]
      }
      assert.deepEqual(await page('per_page=2'), [ids.slice(4), true])
      assert.deepEqual(await page(`before=${ids[4]}&per_page=3`), [ids.slice(1, 4), true])
      assert.deepEqual(await page(`before=${ids[1]}`), [ids.slice(0, 1), false])
      assert.deepEqual(await page(`after=${ids[1]}&per_page=2`), [ids.slice(2, 4), true])
      assert.deepEqual(await page(`after=${ids[5]}`), [[], false])
      for (const query of ['after=x', 'after=1&before=2', 'per_page=x', 'other=1'])
        assertError(await visitor.get(`/messages?${query}`), 400, 'invalid_request')
    })

    it('while the agent is paused its message is said once, and a person answers', async () => {
      const widget = await make()
      await widget.agent.patch('/agent', { pause_message: 'A person will answer.' })
      await widget.agent.post('/pause')
      const visitor = await widget.visit()
      assert.equal(visitor.session.agent_paused, true)
      const first = await visitor.say('hello')
      assert.deepEqual([first.text, first.last.agent_paused], ['A person will answer.', true])
      const second = await visitor.say('hello?')
      assert.deepEqual([second.text, second.last.agent_paused, second.last.message_id], ['', true, null])
      const { data } = (await visitor.get('/messages')).body
      assert.deepEqual(
        data.map(({ role }: { role: string }) => role),
        ['user', 'transition', 'user'],
      )
      assert.equal(service.model.requests.length, 0)
    })

    it("a person's answer stops the answer that is being made, and arrives", async () => {
      const widget = await make()
      const visitor = await widget.visit()
      await visitor.say('hello')
      const stream = await visitor.listen()
      const feed = service.model.feed({ ending: 'hang' })
      const said = visitor.say('and now?')
      await service.model.request(1)
      feed.push('Let me ')
      const id = stream && visitor.session.conversation?.id
      const [{ id: conversation }] = (await visitor.get('/conversations')).body.data
      assert.equal(id, undefined)
      await widget.agent.post(`/conversations/${conversation}/messages`, {
        content: 'I am here.',
        author: 'Grace',
      })
      feed.end()
      const answered = await said
      assert.ok(answered.isDone)
      assert.equal(answered.last.agent_paused, true)
      await eventLike(stream, ({ message }) => message?.role === 'operator')
      stream.leave()
    })

    it('scrubbing a visitor leaves nothing that they said or where they were', async () => {
      const widget = await make()
      const visitor = await widget.visit()
      const { first } = await visitor.say('my password is swordfish', {
        fields: { page_url: 'https://shop.example/reset?token=swordfish' },
      })
      await visitor.post(`/completions/${first.id}/feedback`, { feedback: 'swordfish' })
      await visitor.post('/rating', { score: 1, comment: 'swordfish' })
      const { agent } = widget
      const { visitor_id } = visitor.session
      assert.equal((await agent.post(`/users/${visitor_id}/scrub`)).body.data.remaining, 0)
      for (const path of [
        `/users/${visitor_id}`,
        `/chat/completions/${first.id}`,
        `/conversations/${first.conversation_id}/rating`,
        '/inbox?view=all',
      ])
        assert.ok(!(await agent.get(path)).text.includes('swordfish'), path)
      assert.ok(!(await visitor.get('/messages')).text.includes('swordfish'))
    })
  },
  ADDRESSES,
)
