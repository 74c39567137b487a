import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { readWholeStream } from '../support/event-stream.ts'
import type { Answer } from '../support/model-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { guardrail } from '../support/on-rules.ts'
import { startPeer } from '../support/peer.ts'

const QUESTION = 'How long may I return a kettle, and what does delivery of a kettle cost?'

const titlesOf = (citations: unknown) => (citations as { title: string }[]).map(({ title }) => title)

interface Seen {
  text: string
  titles: string[]
}

onBothEngines('citations', (service) => {
  async function informed(): Promise<TestAgent> {
    const agent = await service.addAgent()
    for (const [title, content] of [
      ['Returns', 'You may return a kettle within 30 days.'],
      ['Delivery', 'Delivery of a kettle costs 5 euros.'],
      ['Warranty', 'A kettle has two years of warranty.'],
    ]) {
      const url = `https://example.com/${title?.toLowerCase()}`
      assert.equal((await agent.post('/knowledge', { title, content, url })).status, 201)
    }
    return agent
  }

  /** The number under which the last request showed a document. */
  const numberOf = (title: string) => {
    const sent = JSON.stringify(service.model.requests.at(-1)?.body.messages)
    return Number(new RegExp(`\\[(\\d)\\] ${title}`).exec(sent)?.[1])
  }

  /** The numbers of the documents, in whose order nothing is assumed. */
  async function numbersFor(agent: TestAgent) {
    await agent.prompt(QUESTION)
    return { returns: numberOf('Returns'), delivery: numberOf('Delivery') }
  }

  /** Text and titles of the citations of an answer, in one piece and as a stream whose pieces are as short as can be. */
  async function bothWays(
    agent: TestAgent,
    answer: Answer & { text: string },
    more: Record<string, unknown> = {},
  ) {
    service.model.next(answer)
    const whole = await agent.prompt(QUESTION, more)
    const { text, ...others } = answer
    service.model.next({ ...others, pieces: [...text] })
    const messages = [{ role: 'user', content: QUESTION }]
    const { chunks, text: streamed, done } = await readWholeStream(agent, { messages, ...more })
    assert.ok(done)
    const seen: Record<string, Seen> = {
      whole: { text: String(whole.choices[0].message.content), titles: titlesOf(whole.citations) },
      streamed: { text: streamed, titles: titlesOf(chunks.at(-1)?.citations) },
    }
    for (const id of [whole.id, chunks[0]?.id]) {
      const { response, citations } = (await agent.get(`/chat/completions/${id}`)).body.data
      seen[id === whole.id ? 'stored' : 'stored of the stream'] = {
        text: response,
        titles: titlesOf(citations),
      }
    }
    return { seen, whole, last: chunks.at(-1) }
  }

  function assertEach(seen: Record<string, Seen>, text: string, titles: string[]) {
    for (const [name, one] of Object.entries(seen)) assert.deepEqual(one, { text, titles }, name)
  }

  it('are the passages that the answer marks, numbered as it uses them', async () => {
    const agent = await informed()
    const { returns, delivery } = await numbersFor(agent)
    const text = `It costs 5 euros [${delivery}]. You have 30 days [${returns}][${delivery}], kettle or not [9].`
    const { seen, whole, last } = await bothWays(agent, { text })
    const shown = 'It costs 5 euros [1]. You have 30 days [2][1], kettle or not.'
    assertEach(seen, shown, ['Delivery', 'Returns'])
    const cited = [
      ['https://example.com/delivery', '[1]', 17],
      ['https://example.com/returns', '[2]', 39],
    ]
    type Annotation = { url_citation: { url: string; start_index: number; end_index: number } }
    for (const annotations of [
      whole.choices[0].message.annotations,
      last?.choices[0]?.delta.annotations,
    ] as Annotation[][])
      assert.deepEqual(
        annotations.map(({ url_citation: { url, start_index, end_index } }) => [
          url,
          shown.slice(start_index, end_index),
          start_index,
        ]),
        cited,
      )
  })

  it('are none when the answer marks nothing, or knows nothing', async () => {
    const agent = await informed()
    for (const text of ['I do not know that.', 'Hello! How can I help?', 'It is in the list [8].']) {
      const { seen, whole } = await bothWays(agent, { text })
      assertEach(seen, text.replace(' [8]', ''), [])
      assert.deepEqual(whole.choices[0].message.annotations, [])
    }
  })

  it('are of the passages of this turn', async () => {
    const agent = await informed()
    const { returns } = await numbersFor(agent)
    service.model.next({ text: `30 days [${returns}].` })
    const first = await agent.prompt(QUESTION, { external_id: 'two turns' })
    assert.equal((first.citations as unknown[]).length, 1)
    service.model.next({ text: 'As I said, 30 days [1].' })
    const second = await agent.prompt('Who won the big football match yesterday evening?', {
      external_id: 'two turns',
    })
    // No passage was found, so no number stands for one.
    assert.deepEqual(second.citations, [])
    assert.equal(second.choices[0].message.content, 'As I said, 30 days.')
  })

  it('stay out of JSON, which stays as the model wrote it', async () => {
    const agent = await informed()
    const text = '{"days": [1], "codes": [9], "text": "30 days [1]"}'
    const { seen } = await bothWays(agent, { text }, { response_format: { type: 'json_object' } })
    assertEach(seen, text, [])
  })

  it('are counted over the rounds of an answer', async () => {
    await using peer = await startPeer((response) => response.end('{"state":"sent"}'))
    const agent = await informed()
    const tool = {
      kind: 'http',
      name: 'look_up',
      description: 'Looks up.',
      parameters: { type: 'object', properties: {} },
      url: `${peer.url}/orders`,
    }
    assert.equal((await agent.post('/tools', tool)).status, 201)
    const { returns, delivery } = await numbersFor(agent)
    const call = { id: 'c', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } }
    const first = { text: `30 days [${returns}].`, tool_calls: [call] }
    const second = `5 euros [${delivery}], [${returns}].`
    const shown = '30 days [1].\n\n5 euros [2], [1].'
    service.model.next(first, { text: second })
    const whole = await agent.prompt(QUESTION)
    assert.equal(whole.choices[0].message.content, shown)
    const pieces = [...first.text, { tool_calls: [{ index: 0, ...call }] }]
    service.model.next({ pieces, finish_reason: 'tool_calls' }, { pieces: [...second] })
    const messages = [{ role: 'user', content: QUESTION }]
    const { text, chunks } = await readWholeStream(agent, { messages })
    assert.equal(text, shown)
    for (const citations of [whole.citations, chunks.at(-1)?.citations])
      assert.deepEqual(titlesOf(citations), ['Returns', 'Delivery'])
  })

  it('are of what a guardrail lets through', async () => {
    const agent = await informed()
    const { returns, delivery } = await numbersFor(agent)
    await guardrail(agent, { on: 'response', action: 'replace', replacement: 'Ask us.' }, 'euros')
    const text = `It costs 5 euros [${delivery}].\nYou have 30 days [${returns}].`
    assertEach((await bothWays(agent, { text })).seen, 'Ask us.\nYou have 30 days [1].', ['Returns'])
    await guardrail(agent, { on: 'response', action: 'block', reply: 'No.' }, 'secret')
    const blocked = `The secret [${returns}].`
    assertEach((await bothWays(agent, { text: blocked })).seen, 'No.', [])
  })

  it('are the same in a repeat of the request', async () => {
    const agent = await informed()
    const { returns } = await numbersFor(agent)
    service.model.next({ text: `You have 30 days [${returns}].` })
    const body = { messages: [{ role: 'user', content: QUESTION }] }
    const send = async () =>
      (await agent.post('/chat/completions', body, { 'idempotency-key': 'cited' })).body
    const [first, again] = [await send(), await send()]
    assert.equal(first.citations[0].title, 'Returns')
    assert.deepEqual(again, first)
  })

  it('are what the model server itself cites, behind those of the documents', async () => {
    const agent = await informed()
    const { returns } = await numbersFor(agent)
    const url_citation = { url: 'https://web.example', title: 'The web', start_index: 0, end_index: 4 }
    service.model.next({
      pieces: [`30 days [${returns}].`, { annotations: [{ type: 'url_citation', url_citation }] }],
    })
    const messages = [{ role: 'user', content: QUESTION }]
    const { chunks } = await readWholeStream(agent, { messages })
    assert.deepEqual(titlesOf(chunks.at(-1)?.citations), ['Returns', 'The web'])
  })

  it('the passages are numbered, said to be data, and told how to be marked', async () => {
    const agent = await informed()
    await agent.prompt(QUESTION)
    const asked = service.model.requests[0]?.body.messages.at(-1)
    assert.equal(asked?.role, 'user')
    assert.match(String(asked?.content), /as \[1\] or \[1\]\[3\].*do not know, without any number/s)
  })
})
