import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FIRST_LOOK_MS } from '../../src/turns/stop-when-paused.ts'
import type { TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import { onChannels } from '../support/on-channels.ts'
import { addChannel } from '../support/platform-peer.ts'
import { addWidget } from '../support/widget-visitors.ts'

const NEVER_MS = 60 * 60 * 1000

onChannels('a pause stops a running answer by its wake-up', (service, chats) => {
  /** Each asks, and resolves with what the person gets. */
  const doors: Record<string, (agent: TestAgent) => Promise<string>> = {
    async 'in the API stream'(agent) {
      return (await readWholeStream(agent, { messages: [{ role: 'user', content: 'tell me' }] })).text
    },
    async 'in the widget'(agent) {
      const visitor = await (await addWidget(service.app, agent)).visit()
      return (await visitor.say('tell me')).text
    },
    async 'in a channel'(agent) {
      const channel = await addChannel(agent, 'messenger-one', chats.peer)
      await channel.says('tell me')
      await chats.settled(channel)
      return chats.peer.sent.map(({ text }) => text).join()
    },
  }
  const pauses: Record<string, (conversationId: string) => string> = {
    'of the conversation': (id) => `/conversations/${id}/pause`,
    'of the agent': () => '/pause',
  }

  for (const [door, ask] of Object.entries(doors))
    for (const [name, path] of Object.entries(pauses))
      it(`a pause ${name} stops an answer ${door} before anything looks at the state`, async (t) => {
        const later = globalThis.setTimeout
        t.mock.method(globalThis, 'setTimeout', (work: () => void, ms: number, ...more: []) =>
          later(work, ms === FIRST_LOOK_MS ? NEVER_MS : ms, ...more),
        )
        const agent = await service.addAgent({ settings: { pause_message: 'Paused.' } })
        const released = Promise.withResolvers<void>()
        service.model.next({ text: 'too late', after: released.promise })
        const asked = ask(agent)
        await service.model.request(0)
        const [running] = (await agent.get('/chat/completions')).body.data
        assert.equal((await agent.post(path(running.conversation_id))).status, 200)
        // The model answers, but nobody reads it any more: an answer that was read would end with `stop`.
        released.resolve()
        const got = await asked
        assert.ok(!got.includes('too late'), got)
        const { data } = (await agent.get(`/chat/completions/${running.id}`)).body
        assert.equal(data.finish_reason, 'cancelled')
      })
})
