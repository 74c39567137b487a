import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type TestAgent, testAgent } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { replicaOf } from '../support/replica-of.ts'

const settings = { pause_message: 'A person is with you.' }

onBothEngines('a pause while the agent is answering', (service) => {
  /** A conversation in which the model has been asked and does not answer; `taken` answers as a person. */
  async function asking(agent: TestAgent) {
    const { conversation_id } = await agent.prompt('Hello')
    service.model.reset()
    service.model.next({ hang: true })
    const asked = agent.prompt('Where is my parcel?', { conversation_id })
    await service.model.request(0)
    const taken = (by: TestAgent = agent) =>
      by.post(`/conversations/${conversation_id}/messages`, { content: 'I am Tom.' })
    return { conversation_id, asked, taken }
  }

  it('stops the model call: the caller gets what a paused agent answers', async () => {
    const agent = await service.addAgent({ settings })
    const { conversation_id, asked, taken } = await asking(agent)
    assert.equal((await taken()).status, 200)
    await service.model.aborted()
    const answer = await asked
    assert.deepEqual(
      [answer.agent_paused, answer.choices[0].message.content],
      [true, 'A person is with you.'],
    )
    const { data } = (await agent.get(`/chat/completions/${answer.id}`)).body
    assert.deepEqual([data.agent_paused, data.finish_reason, data.response], [true, 'cancelled', null])
    const { body } = await agent.get(`/conversations/${conversation_id}/messages`)
    assert.deepEqual(
      body.data.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'user', 'operator'],
    )
    assert.ok(!(await service.eventsOf(agent)).includes('error'))
  })

  it('a conversation that has the answer of a person waits for nobody', async () => {
    const agent = await service.addAgent({ settings })
    const { conversation_id, asked, taken } = await asking(agent)
    await taken()
    await asked
    const { db } = service.app.app.foundation.database
    const { waiting_since } = await db
      .selectFrom('conversations')
      .select('waiting_since')
      .where('id', '=', conversation_id)
      .executeTakeFirstOrThrow()
    assert.equal(waiting_since, null)
  })

  it('ends a stream: what had left is kept, and its last chunk says that the agent is paused', async () => {
    const agent = await service.addAgent({ settings })
    const { conversation_id } = await agent.prompt('Hello')
    const feed = service.model.feed()
    feed.push('Your parcel ')
    const response = await fetch(`${agent.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { ...agent.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        stream: true,
        conversation_id,
        messages: [{ role: 'user', content: 'Where is it?' }],
      }),
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('Your parcel ')) text += (await reader?.read())?.value ?? ''
    await agent.post(`/conversations/${conversation_id}/messages`, { content: 'I am Tom.' })
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    const chunks = text
      .split('\n\n')
      .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), 'Your parcel ')
    assert.deepEqual([chunks.at(-1).agent_paused, chunks.at(-1).choices[0].finish_reason], [true, 'stop'])
    assert.ok(text.endsWith('data: [DONE]\n\n'))
    const { body } = await agent.get(`/conversations/${conversation_id}/timeline?order=asc`)
    const said = body.data.find(
      ({ message }: { message?: { content: string } }) => message?.content === 'Your parcel ',
    )
    assert.equal(said.withheld, false)
  })

  for (const [how, pause] of [
    ["a person's answer", (by, id) => by.post(`/conversations/${id}/messages`, { content: 'I am Tom.' })],
    ['a pause of the conversation', (by, id) => by.post(`/conversations/${id}/pause`)],
    ['a pause of the agent', (by) => by.post('/pause')],
  ] as [string, (by: TestAgent, id: string) => ReturnType<TestAgent['post']>][]) {
    it(`${how} stops it in another replica too`, async () => {
      if (service.engine !== 'postgres') return
      const agent = await service.addAgent({ settings })
      await using other = await replicaOf(service.app.app)
      const { asked, conversation_id } = await asking(agent)
      assert.equal((await pause(testAgent(other.baseUrl, agent), conversation_id)).status, 200)
      await service.model.aborted()
      assert.equal((await asked).agent_paused, true)
    })
  }

  it('a pause whose wake-up was lost is found by looking', async () => {
    const agent = await service.addAgent({ settings })
    const { asked, conversation_id } = await asking(agent)
    const { db } = service.app.app.foundation.database
    await db
      .updateTable('conversations')
      .set({ agent_paused: 1, agent_paused_at: '2030-01-01T00:00:00.000Z' })
      .where('id', '=', conversation_id)
      .execute()
    await service.model.aborted()
    assert.equal((await asked).agent_paused, true)
  })

  it('whoever takes a conversation over has it; a token has nothing', async () => {
    const agent = await service.addAgent({ settings })
    const { agentId, teamId } = agent
    const [anna, ben] = [
      await signInNew(service.app, { teamId, right: 'respond' }),
      await signInNew(service.app, { teamId, right: 'respond' }),
    ]
    const { conversation_id: id } = await agent.prompt('Hello')
    const path = `/agents/${agentId}/conversations/${id}`
    const assignee = async () => (await agent.get(`/inbox/${id}`)).body.data.assignee?.id ?? null
    await agent.post(`/conversations/${id}/pause`)
    assert.equal(await assignee(), null)
    await agent.post(`/conversations/${id}/resume`)
    assert.equal((await anna.call('POST', `${path}/pause`)).status, 200)
    assert.equal(await assignee(), anna.operatorId)
    // It is hers already: a second press of the button takes nothing from her.
    await ben.call('POST', `${path}/pause`)
    assert.equal(await assignee(), anna.operatorId)
    await ben.call('POST', `${path}/messages`, { content: 'From me, too.' })
    assert.equal(await assignee(), anna.operatorId)
    await agent.post(`/conversations/${id}/resume`)
    await ben.call('POST', `${path}/pause`)
    assert.equal(await assignee(), ben.operatorId)
    const { conversation_id: other } = await agent.prompt('Hello')
    await ben.call('POST', `/agents/${agentId}/conversations/${other}/messages`, { content: 'Hi.' })
    assert.equal((await agent.get(`/inbox/${other}`)).body.data.assignee.id, ben.operatorId)
    const { body } = await agent.get(`/conversations/${id}/timeline?order=asc`)
    const told = body.data.filter(({ type }: { type: string }) => type === 'assigned')
    assert.equal(told.length, 2, JSON.stringify(body.data))
  })

  it('after the conversation is handed back the agent answers, and is told what the person said', async () => {
    const agent = await service.addAgent({ settings })
    const { conversation_id, asked, taken } = await asking(agent)
    await taken()
    await asked
    await agent.post(`/conversations/${conversation_id}/resume`)
    service.model.reset()
    const answer = await agent.prompt('Thanks. And when?', { conversation_id })
    assert.equal(answer.agent_paused, false)
    const { messages } = (await service.model.request(0)).body
    assert.ok(messages.some(({ content }) => content === '[Person] I am Tom.'))
    assert.match(String(messages[0]?.content), /active again/)
  })
})
