import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { until } from '../../support/becomes.ts'
import { kinds, onChannels } from '../../support/on-channels.ts'
import { addChannel } from '../../support/platform-peer.ts'

onChannels('sources in channels', (service, chats) => {
  async function informed(): Promise<TestAgent> {
    const agent = await service.addAgent()
    const url = 'https://shop.example/returns'
    for (const document of [
      { title: 'Returns', url, content: 'You may return a kettle within 30 days.' },
      { title: 'Delivery', content: 'Delivery of a kettle takes 2 days.' },
    ])
      assert.equal((await agent.post('/knowledge', document)).status, 201)
    await agent.prompt('How long may I return a kettle?')
    return agent
  }
  const numberOf = (title: string) =>
    Number(
      new RegExp(`\\[(\\d)\\] ${title}`).exec(
        JSON.stringify(service.model.requests.at(-1)?.body.messages),
      )?.[1],
    )

  for (const kind of kinds) {
    it(`${kind}: follow the text when the agent cites in channels; without, their numbers are left out`, async () => {
      const agent = await informed()
      const text = `You have 30 days [${numberOf('Returns')}]. It takes 2 days [${numberOf('Delivery')}][9].`
      const channel = await addChannel(agent, kind, chats.peer)
      service.model.next({ text })
      await channel.says('How long may I return a kettle?')
      const [plain] = await chats.peer.untilSent(1)
      assert.equal(plain?.text, 'You have 30 days. It takes 2 days.')
      await chats.settled(channel)
      assert.equal((await agent.patch('/agent', { cite_in_channels: true })).status, 200)
      service.model.next({ text })
      await channel.says('How long may I return a kettle?')
      const [, cited] = await chats.peer.untilSent(2)
      const answer = 'You have 30 days [1]. It takes 2 days [2].'
      assert.equal(cited?.text, `${answer}\n\n[1] Returns: https://shop.example/returns\n[2] Delivery`)
      await chats.settled(channel)
      // The transcript holds what was said, and the sources beside it.
      const { data } = (await agent.get('/chat/completions')).body
      assert.equal(data[0].response, answer)
      assert.deepEqual(
        data[0].citations.map(({ title }: { title: string }) => title),
        ['Returns', 'Delivery'],
      )
    })

    it(`${kind}: stay within the platform's limits, and no address is cut`, async () => {
      const agent = await informed()
      await agent.patch('/agent', { cite_in_channels: true })
      const channel = await addChannel(agent, kind, chats.peer)
      const filler = Array.from({ length: 2000 }, (_, n) => `This is sentence number ${n}.`).join(' ')
      service.model.next({ text: `${filler} 30 days [${numberOf('Returns')}].` })
      await channel.says('How long may I return a kettle?')
      await chats.peer.untilSent(1)
      await chats.settled(channel)
      const parts = chats.peer.sent.flatMap((call) => [call.text, ...call.more])
      const limit = {
        'messenger-one': 4096,
        'messenger-two': 2000,
        'messenger-three': 5000,
        helpdesk: 150_000,
        telegram: 4096,
        instagram: 1000,
        sms: 1600,
      }
      for (const part of parts) assert.ok(part.length <= limit[kind], String(part.length))
      const last = parts.at(-1) ?? ''
      assert.ok(last.endsWith('[1] Returns: https://shop.example/returns'), last.slice(-80))
      assert.equal(parts.join(' ').match(/\[1\] Returns/g)?.length, 1)
    })
  }

  it('that were redacted are not listed', async () => {
    const agent = await informed()
    await agent.patch('/agent', { cite_in_channels: true })
    const channel = await addChannel(agent, 'messenger-one', chats.peer)
    const text = `You have 30 days [${numberOf('Returns')}].`
    chats.peer.failNext((response) => response.writeHead(429).end())
    service.model.next({ text })
    await channel.says('How long may I return a kettle?')
    await until(async () =>
      (await chats.states(channel)).some(({ kind, attempts }) => kind === 'send' && attempts === 1),
    )
    await until(() => chats.isFree(channel))
    const { data } = (await agent.get('/chat/completions')).body
    await agent.post(`/chat/completions/${data[0].id}/scrub`)
    chats.pass(10_000)
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.text, '[REDACTED]')
  })
})
