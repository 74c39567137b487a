import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

const NUMBERED = /\[[A-Z_]+_\d{1,4}\]/g

onBothEngines('redaction_style numbered', (service) => {
  const numbering = () => service.addAgent({ settings: { redaction_style: 'numbered' } })
  const anonymize = (agent: TestAgent, id: string) => agent.post(`/chat/completions/${id}/anonymize`)
  const read = async (agent: TestAgent, id: string) => (await agent.get(`/chat/completions/${id}`)).body.data
  const keys = async ({ agentId }: TestAgent) =>
    (
      await service.app.app.foundation.database.db
        .selectFrom('conversation_keys')
        .select(['conversation_id', 'key'])
        .where('agent_id', '=', agentId)
        .execute()
    ).map(({ key }) => key)

  it('200: the same value keeps its number in all texts of a conversation, others have others', async () => {
    const agent = await numbering()
    service.model.next({ text: 'I write to jane.doe@example.com.' })
    const first = await agent.prompt('Write to jane.doe@example.com or to bob.ray@example.com', {
      page_url: 'https://example.com/?who=bob.ray@example.com',
    })
    await agent.post(`/chat/completions/${first.id}/feedback`, { feedback: 'Ask Jane.Doe@example.com' })
    const { conversation_id } = first
    const second = await agent.prompt('Use bob.ray@example.com', { conversation_id })
    for (const { id } of [first, second]) assert.equal((await anonymize(agent, id)).body.data.remaining, 0)
    const stored = await read(agent, first.id)
    const [jane, bob] = stored.prompt.match(NUMBERED)
    assert.notEqual(jane, bob)
    assert.match(jane, /^\[EMAIL_ADDRESS_\d{1,4}\]$/)
    assert.equal(stored.response, `I write to ${jane}.`)
    assert.equal(stored.feedback, `Ask ${jane}`)
    assert.equal(new URL(stored.page_url).searchParams.get('who'), bob)
    assert.equal((await read(agent, second.id)).prompt, `Use ${bob}`)
  })

  it('200: a name alone has a number too, and a second pass changes nothing', async () => {
    const agent = await numbering()
    const { id } = await agent.prompt('', {
      messages: [
        { role: 'user', name: 'Grace Hopper', content: 'My name is Grace Hopper, born 12 March 1985' },
      ],
    })
    await anonymize(agent, id)
    const { messages } = await read(agent, id)
    assert.match(messages[0].author, /^\[PERSON_\d+\]$/)
    assert.equal(messages[0].content.match(NUMBERED)[0], messages[0].author)
    await service.app.app.foundation.database.db
      .updateTable('messages')
      .set({ redacted: null })
      .where('agent_id', '=', agent.agentId)
      .execute()
    assert.equal((await anonymize(agent, id)).body.data.messages_redacted, 0)
    assert.deepEqual((await read(agent, id)).messages[0].content, messages[0].content)
  })

  it('POST scrub 200: the receipt counts the key of the conversation', async () => {
    const agent = await numbering()
    const { id } = await agent.prompt('Write to jane.doe@example.com')
    await anonymize(agent, id)
    await agent.post(`/chat/completions/${id}/scrub`)
    const { body } = await agent.get(`/chat/completions/${id}/erasure`)
    assert.equal(body.data.receipt.erased.rows.conversation_keys, 1)
  })

  it('200: two conversations have numbers of their own', async () => {
    const agent = await numbering()
    const said = []
    for (let count = 0; count < 3; count++) {
      const { id } = await agent.prompt('Write to jane.doe@example.com')
      await anonymize(agent, id)
      said.push((await read(agent, id)).prompt)
    }
    assert.ok(new Set(said).size > 1)
    assert.equal(new Set(await keys(agent)).size, 3)
  })

  it('200: the key goes with the first scrub, and what comes later has other numbers', async () => {
    const agent = await numbering()
    const first = await agent.prompt('Write to jane.doe@example.com')
    const { conversation_id } = first
    await anonymize(agent, first.id)
    const before = await keys(agent)
    assert.equal(before.length, 1)
    const second = await agent.prompt('And to bob.ray@example.com', { conversation_id })
    await agent.post(`/chat/completions/${second.id}/scrub`)
    assert.deepEqual(await keys(agent), [])
    const third = await agent.prompt('Write to jane.doe@example.com', { conversation_id })
    await anonymize(agent, third.id)
    assert.match((await read(agent, third.id)).prompt, /^Write to \[EMAIL_ADDRESS_\d+\]$/)
    assert.equal((await keys(agent)).includes(before[0] ?? ''), false)
  })

  it('200: an answer that comes after the redaction has the numbers of the prompt', async () => {
    const agent = await numbering()
    const held = Promise.withResolvers<void>()
    service.model.next({ text: 'I write to jane.doe@example.com.', after: held.promise })
    const answering = agent.prompt('Write to jane.doe@example.com')
    await service.model.request(0)
    const [open] = (await agent.get('/chat/completions')).body.data
    await anonymize(agent, open.id)
    held.resolve()
    await answering
    const { prompt, response } = await read(agent, open.id)
    assert.equal(response, `I write to ${prompt.match(NUMBERED)[0]}.`)
  })

  it('200: what the hosted service finds has numbers, and those of the patterns stay', async () => {
    await using hosted = await startPeer((response, { body }) => {
      const { text } = JSON.parse(body)
      const start = text.indexOf('gizmo')
      const found = start < 0 ? [] : [{ entity_type: 'ALIEN', start, end: start + 5, score: 1 }]
      response.end(JSON.stringify(found))
    })
    const agent = await numbering()
    await agent.patch('/agent', { hosted_redaction: true, redaction: { url: hosted.url } })
    const { id } = await agent.prompt('the gizmo wrote to jane.doe@example.com')
    await anonymize(agent, id)
    assert.match((await read(agent, id)).prompt, /^the \[ALIEN_\d+\] wrote to \[EMAIL_ADDRESS_\d+\]$/)
  })

  it('POST /redaction/try 200: with numbers, and nothing is stored', async () => {
    const agent = await numbering()
    const { body } = await agent.post('/redaction/try', {
      text: 'a.b@example.com, c.d@example.com, a.b@example.com',
    })
    const [one, other, again] = body.data.redacted.match(NUMBERED)
    assert.equal(one, again)
    assert.notEqual(one, other)
    assert.deepEqual(await keys(agent), [])
  })
})
