import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ANSWER_RULES } from '../../src/agents/answer-rules.ts'
import { sentences } from '../../src/model/phrases/sentences.ts'
import { BORDERS, wordOffer } from '../../src/turns/prompt/wording.ts'
import type { TestAgent } from '../support/app.ts'
import { onChannels } from '../support/on-channels.ts'
import { addChannel, LINE_DESTINATION, lineMessage, PERSON } from '../support/platform-peer.ts'
import { addWidget } from '../support/widget-visitors.ts'

const OFFER = wordOffer(sentences.en.offer)

onChannels('what a model is told', (service, chats) => {
  const asked = (n: number) =>
    (service.model.requests.at(n)?.body.messages ?? []) as { role: string; content: string }[]
  const system = (n: number) => asked(n).find(({ role }) => role === 'system')?.content ?? ''
  const profile = (agent: TestAgent, id: string, patch: object) =>
    agent.patch(`/users/${encodeURIComponent(id)}`, patch)

  it('is the rules of answering, until others are set; what Parley itself needs stays', async () => {
    const agent = await service.addAgent({ settings: { instructions: 'Be kind.' } })
    await agent.prompt('Hello')
    assert.equal(system(-1), ['Be kind.', ANSWER_RULES, BORDERS, OFFER, 'Channel: API.'].join('\n\n'))
    assert.equal((await agent.patch('/agent', { answer_rules: 'Rhyme.' })).status, 200)
    await agent.prompt('Hello')
    assert.equal(system(-1), ['Be kind.', 'Rhyme.', BORDERS, OFFER, 'Channel: API.'].join('\n\n'))
    assert.equal((await agent.patch('/agent', { answer_rules: '', instructions: '' })).status, 200)
    await agent.prompt('Hello')
    assert.equal(system(-1), [BORDERS, OFFER, 'Channel: API.'].join('\n\n'))
  })

  it("is the time in the agent's time zone, before what the user said last", async () => {
    const agent = await service.addAgent({ settings: { time_zone: 'America/New_York' } })
    service.clock = () => Date.parse('2026-03-08T06:59:00.000Z')
    const { conversation_id } = await agent.prompt('Are you open?')
    service.clock = () => Date.parse('2026-03-08T07:00:00.000Z')
    await agent.prompt('And now?', { conversation_id })
    assert.deepEqual(
      asked(-1)
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content),
      ['Are you open?', 'Now: Sunday, 8 March 2026 at 03:00, America/New_York.\n\nAnd now?'],
    )
    assert.match(JSON.stringify(asked(-2)), /Now: Sunday, 8 March 2026 at 01:59/)
  })

  it('is what is known of a user whom the site names; nothing once it is erased', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('Hello', { user: 'u1' })
    assert.ok(!system(-1).includes('<user '))
    await profile(agent, 'u1', { name: 'Ada', attributes: { plan: 'gold', orders: 3, vip: true } })
    for (const user of [{ user: 'u1' }, {}]) {
      await agent.prompt('And?', { conversation_id, ...user })
      assert.match(system(-1), /\n<user (\w{16})>\nname: Ada\nplan: gold\norders: 3\nvip: true\n<\/user \1>$/)
    }
    await agent.post('/users/u1/anonymize')
    await agent.prompt('And?', { conversation_id })
    assert.doesNotMatch(system(-1), /Ada|gold/)
  })

  it('is on messengers the channel, and what is known of the person, but nothing in groups', async () => {
    const agent = await service.addAgent()
    const whatsApp = await addChannel(agent, 'messenger-one', chats.peer)
    await whatsApp.says('Hello')
    await chats.settled(whatsApp)
    const { status } = await profile(agent, `channel-${whatsApp.id}:${PERSON['messenger-one']}`, {
      name: 'Ana',
      attributes: { plan: 'gold' },
    })
    assert.equal(status, 200)
    await whatsApp.says('And now?')
    await chats.settled(whatsApp)
    assert.match(system(-1), /Channel: WhatsApp\.\n\n.*name: Ana\nplan: gold\n/s)

    const line = await addChannel(agent, 'messenger-three', chats.peer, { groups: 'mentioned' })
    const says = (text: string, id: string, source: object) => {
      const mention = { mentionees: [{ index: 0, length: 4, type: 'user', isSelf: true }] }
      const { message, ...event } = lineMessage('U1', id, text)
      return line.post({
        destination: LINE_DESTINATION,
        events: [{ ...event, source, message: { ...message, mention } }],
      })
    }
    const alone = { type: 'user', userId: 'U1' }
    const group = { type: 'group', groupId: 'C1', userId: 'U1' }
    await says('@bot Hello', '1', alone)
    await chats.settled(line)
    await profile(agent, `channel-${line.id}:U1`, { name: 'Bea' })
    await says('@bot And now?', '2', alone)
    await chats.settled(line)
    assert.match(system(-1), /Channel: LINE\.\n\n.*name: Bea\n/s)
    await says('@bot Hello all', '3', group)
    await chats.settled(line)
    assert.match(JSON.stringify(asked(-1)), /Hello all/)
    assert.match(system(-1), /Channel: LINE\.$/)
  })

  it('is of a visitor of a widget, whom nobody has proven, the name alone; of a signed user all', async () => {
    const agent = await service.addAgent()
    const widget = await addWidget(service.app, agent)
    const visitor = await widget.visit()
    await visitor.say('Hello')
    assert.match(system(-1), /Channel: widget\.$/)
    const { data } = (await agent.get('/users')).body
    await profile(agent, data[0].id, { name: 'Cleo', attributes: { owes: 500 } })
    await visitor.say('And?')
    assert.match(system(-1), /name: Cleo\n<\/user/)
    assert.doesNotMatch(system(-1), /owes/)
    const user = { id: 'u1', name: 'Dora', hash: widget.hash('u1') }
    const signed = await widget.visit({ user })
    await signed.say('Hello')
    assert.match(system(-1), /name: Dora\n<\/user/, 'the name that the site gives, from the first message on')
    await profile(agent, 'u1', { attributes: { owes: 500 } })
    await signed.say('And?')
    assert.match(system(-1), /name: Dora\nowes: 500\n<\/user/)
  })

  it('repeats the one before in more than half of each request, so that a server need not read it again', async () => {
    const agent = await service.addAgent({
      settings: { instructions: 'You help the customers of a shop that sells kettles.' },
    })
    const content = 'A kettle can be returned for 30 days, in its box. '.repeat(4)
    for (const title of ['Returns', 'Kettles', 'Boxes'])
      await agent.post('/knowledge', { title, content: `${title}. ${content}` })
    const answer = 'You can return it for 30 days if it is in its box [1]. '.repeat(4)
    service.model.answer = { text: answer }
    const from = service.model.requests.length
    for (let turn = 0; turn < 10; turn++) {
      service.clock = () => Date.parse('2026-03-08T07:00:00.000Z') + turn * 60_000
      await agent.prompt(`How long can I return kettle number ${turn}?`, { external_id: 'long' })
    }
    const texts = service.model.requests.slice(from).map(({ body }) => JSON.stringify(body.messages))
    let [common, all] = [0, 0]
    for (const [at, text] of texts.entries()) {
      const before = texts[at - 1] ?? ''
      let same = 0
      while (same < text.length && text[same] === before[same]) same++
      common += same
      all += text.length
    }
    const share = common / all
    // The first request has nothing before it, and each holds an answer and passages that are new.
    assert.ok(share > 0.5, `${Math.round(share * 100)}%`)
  })
})
