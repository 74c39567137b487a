import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { addDataset, asks, runOf } from '../support/datasets.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { onChannels } from '../support/on-channels.ts'
import { addChannel } from '../support/platform-peer.ts'
import { addWidget } from '../support/widget-visitors.ts'

const COMES = 'A person from the team will answer you here.'

/** Returns why the agent's newest conversation waits. */
async function reasonOf(agent: TestAgent): Promise<string | null> {
  return (await agent.get('/inbox')).body.data[0].waiting_reason
}

onBothEngines('asking for a person, with a language model', (service) => {
  it('200: the conversation waits as asked, and the model is told and offered no tool', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { handoff: true })
    service.model.next({ text: 'Somebody will be here soon.' })
    const { choices } = await agent.prompt('Hi, can I talk to a human please?')
    assert.equal(choices[0].message.content, 'Somebody will be here soon.')
    const asked = service.model.requests.at(-1)?.body
    assert.equal(asked?.tools, undefined)
    assert.match(JSON.stringify(asked?.messages), /A person of the team was asked for/)
    assert.equal(await reasonOf(agent), 'asked')
  })

  it('200: a model that says nothing or fails does not lose the wish, in a stream either', async () => {
    for (const answer of [{ text: '' }, { status: 500 }, { status: 400 }]) {
      const agent = await service.addAgent()
      service.model.next(answer)
      const { choices } = await agent.prompt('Kann ich bitte mit einem Menschen sprechen?')
      assert.equal(choices[0].message.content, 'Eine Person aus dem Team antwortet Ihnen hier.')
      assert.equal(await reasonOf(agent), 'asked')
      service.model.next(answer)
      const streamed = await agent.post('/chat/completions', {
        messages: [{ role: 'user', content: 'human' }],
        stream: true,
      })
      assert.ok(streamed.text.includes(COMES), streamed.text)
      assert.equal(await reasonOf(agent), 'asked')
      assert.deepEqual((await agent.get('/knowledge/unanswered')).body.data, [])
    }
  })

  it("200: a yes to the model's own offer, which the model is told the words of; 👍 is none", async () => {
    const agent = await service.addAgent()
    service.model.next({ text: 'Ich weiß es nicht. Soll sich jemand aus dem Team bei Ihnen melden?' })
    const { conversation_id } = await agent.prompt('Wer hat das Rad eigentlich erfunden?')
    const { body } = service.model.requests.at(-1) as { body: { messages: { content: string }[] } }
    assert.match(
      body.messages[0]?.content ?? '',
      /Schreiben Sie „Mensch“, und jemand aus dem Team antwortet\./,
    )
    const before = await reasonOf(agent)
    await agent.prompt('👍', { conversation_id })
    assert.equal(await reasonOf(agent), before)
    service.model.next({ text: 'Möchten Sie, dass eine Person aus dem Team antwortet?' })
    await agent.prompt('Und wer das Feuer?', { conversation_id })
    await agent.prompt('Ja, gerne', { conversation_id })
    assert.equal(await reasonOf(agent), 'asked')
  })

  it('200, 502: a program that wants JSON classifies a wish and makes none', async () => {
    const agent = await service.addAgent()
    const messages = [{ role: 'user', content: 'human' }]
    const request = { messages, response_format: { type: 'json_object' } }
    service.model.next({ text: '{"kind": "wish"}' })
    const { body } = await agent.post('/chat/completions', request)
    assert.equal(body.choices[0].message.content, '{"kind": "wish"}')
    assert.equal(await reasonOf(agent), null)
    service.model.next({ status: 500 })
    assert.equal((await agent.post('/chat/completions', request)).status, 502)
  })

  it('200: numbers of passages are removed where no passage is sent, in a stream too', async () => {
    const agent = await service.addAgent()
    for (const content of ['hello', 'human']) {
      service.model.next({ text: 'Here I am [1].' })
      assert.equal((await agent.prompt(content)).choices[0].message.content, 'Here I am.')
      service.model.next({ text: 'Here I am [1].' })
      const messages = [{ role: 'user', content }]
      const streamed = await agent.post('/chat/completions', { messages, stream: true })
      assert.doesNotMatch(streamed.text, /\[1|1\]/)
    }
  })

  it('400: an offer with a variable, which would not be recognized', async () => {
    const agent = await service.addAgent()
    const of = (offer: string) => agent.patch('/agent', { texts: { en: { offer } } })
    assert.equal((await of('Shall Ann answer, {{user.name}}?')).status, 400)
    assert.equal((await of('Shall Ann answer?')).status, 200)
  })

  it('502: a model that fails at anything else: failed', async () => {
    const agent = await service.addAgent()
    service.model.next({ status: 500 })
    const messages = [{ role: 'user', content: 'How do I add a person?' }]
    assert.equal((await agent.post('/chat/completions', { messages })).status, 502)
    assert.equal(await reasonOf(agent), 'failed')
  })

  it('the playground and test runs show the wish, and nothing waits', async () => {
    const agent = await service.addAgent()
    const ask = async (content: string) =>
      (await agent.post('/playground', { messages: [{ role: 'user', content }] })).body.data.person_asked
    assert.deepEqual([await ask('representative'), await ask('hello')], [true, false])
    assert.equal((await agent.get('/inbox')).body.data.length, 0)
    const dataset = await addDataset(agent, [
      asks('I want a human', [{ kind: 'abstains', value: true }]),
      asks('I want a kettle', [{ kind: 'abstains', value: true }]),
    ])
    const { passed, failed } = await runOf(agent, dataset.id)
    assert.deepEqual([passed, failed], [1, 1])
  })
})

onBothEngines(
  'asking for a person, with the built-in answerer',
  (service) => {
    const said = async (agent: TestAgent, content: string, more: Record<string, unknown> = {}) =>
      (await agent.prompt(content, more)).choices[0].message.content as string

    it('200: a sentence in the language of the wish; it waits once, and is no unanswered question', async () => {
      const agent = await service.addAgent()
      const first = await agent.prompt('agent please')
      assert.equal(first.choices[0].message.content, COMES)
      const { conversation_id } = first
      assert.equal(await reasonOf(agent), 'asked')
      assert.equal(await said(agent, 'je veux parler à un humain', { conversation_id }), FRENCH)
      const { body } = await agent.get(`/conversations/${conversation_id}/timeline`)
      const waits = JSON.stringify(body.data).match(/"type":"waiting"/g) ?? []
      assert.equal(waits.length, 1)
      assert.deepEqual((await agent.get('/knowledge/unanswered')).body.data, [])
    })

    it('200: a yes to the offer; the wait for an answer becomes one for a person', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: '# Returns\n\nWithin 30 days.' })
      const first = await agent.prompt('Wer hat das Rad eigentlich erfunden?')
      const { conversation_id } = first
      assert.match(first.choices[0].message.content, /^Das weiß ich nicht.*\n\nSchreiben Sie „Mensch“/)
      assert.equal(await reasonOf(agent), 'unanswered')
      assert.match(await said(agent, 'Ja, bitte!', { conversation_id }), /^Eine Person aus dem Team/)
      assert.equal(await reasonOf(agent), 'asked')
      assert.equal((await agent.get('/knowledge/unanswered')).body.data.length, 1)
    })

    it('200: small talk is answered kind by kind, in the language of the conversation', async () => {
      const agent = await service.addAgent()
      assert.match(await said(agent, 'how are you?'), /^I'm fine/)
      assert.match(await said(agent, 'are you a bot?'), /^I am an automatic assistant.*“person”/s)
      assert.match(await said(agent, 'thank you so much, that helped'), /^You're welcome/)
      assert.equal(await said(agent, 'see you later'), 'Goodbye!')
      const german = await agent.prompt('Guten Tag, wie geht es Ihnen?')
      const { conversation_id } = german
      assert.match(await said(agent, '👍', { conversation_id }), /^Gut\. Fragen Sie/)
      assert.match(await said(agent, 'ok', { conversation_id }), /^Gut\. Fragen Sie/)
      assert.match(await said(agent, 'no thanks'), /^Good\./)
      assert.match(await said(agent, 'yes'), /^Good\./)
      assert.match(await said(agent, '👎'), /^Write “person”/)
      assert.match(await said(agent, 'Ist da jemand?'), /^Ich beantworte Fragen/)
      assert.equal(await reasonOf(agent), null)
    })

    it('a widget offers a person after a question without an answer, and shows that one comes', async () => {
      const widget = await addWidget(service.app, await service.addAgent())
      const visitor = await widget.visit()
      const shown = async () => {
        const { conversation } = (await widget.visit({ visitor_token: visitor.token })).session
        return [conversation.waiting, conversation.offers_person]
      }
      await visitor.say('Who invented the wheel?')
      assert.deepEqual(await shown(), [false, true])
      await visitor.say('person')
      assert.deepEqual(await shown(), [true, false])
      assert.equal(await reasonOf(widget.agent), 'asked')
    })
  },
  { PARLEY_MODEL_URL: '', PARLEY_MODEL: '' },
)

const FRENCH = "Une personne de l'équipe vous répondra ici."

onChannels('asking for a person on a channel', (service, chats) => {
  it('one word is enough', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'messenger-two', chats.peer)
    service.model.next({ status: 500 })
    await channel.says('Human')
    const [sent] = await chats.peer.untilSent(1)
    assert.equal(sent?.text, COMES)
    await chats.settled(channel)
    assert.equal(await reasonOf(agent), 'asked')
  })
})
