import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SUMMARIES } from '../../src/turns/history/summary-store.ts'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const LONG = 'long '.repeat(300)

onBothEngines('summaries of long conversations', (service) => {
  /** The prompts with which the service asked the model for notes. */
  const asked = () =>
    service.model.requests
      .map(({ body }) => body.messages)
      .filter(([first]) => String(first?.content).startsWith('You keep the notes'))
      .map((messages) => String(messages.at(-1)?.content))

  const rows = (agent: TestAgent) =>
    service.app.app.foundation.database.db
      .selectFrom('conversation_summaries')
      .select(['content', 'covered_id', 'due_at'])
      .where('agent_id', '=', agent.agentId)
      .execute()

  /** The notes in the last answer's request. */
  const told = () => {
    const text = JSON.stringify(service.model.requests.at(-1)?.body.messages)
    return /<notes \w{16}>\\n(.*?)\\n<\/notes/.exec(text)?.[1] ?? null
  }

  /** An agent that can read only a few turns, and a conversation with so many prompts. */
  async function talk(prompts: number, settings = {}, ending = {}): Promise<TestAgent> {
    const agent = await service.addAgent({ settings: { context_tokens: 600, ...settings } })
    service.model.answerFor = (body) =>
      String(body.messages[0]?.content).startsWith('You keep the notes')
        ? { text: `Notes ${asked().length}.`, ...ending }
        : { text: 'Yes.' }
    for (let n = 1; n <= prompts; n++)
      await agent.prompt(`Number ${n}: ${LONG}`, { external_id: 'one', user: 'u' })
    return agent
  }

  const untilSettled = (agent: TestAgent) =>
    becomes(async () => (await rows(agent)).map(({ due_at }) => due_at), [null])

  it('are made of what no longer fits, told in its place, and grow with the conversation', async () => {
    const agent = await talk(5)
    await untilSettled(agent)
    assert.ok(asked()[0]?.includes('User: Number 1: long'), 'the oldest turn')
    assert.ok(asked()[0]?.includes('Assistant: Yes.'))
    assert.match(asked()[0] ?? '', /^<conversation (\w{16})>\n.*\n<\/conversation \1>$/s)
    const [first] = await rows(agent)
    assert.match(String(first?.content), /^Notes \d/)
    await agent.prompt('What did I say?', { external_id: 'one', user: 'u' })
    assert.equal(told(), first?.content)
    const sent = JSON.stringify(service.model.requests.at(-1)?.body.messages)
    assert.ok(!sent.includes('Number 1:'), 'what the notes cover is not sent')
    assert.ok(sent.includes('Number 5:'), 'the newest turn is')
    for (let n = 6; n <= 9; n++) await agent.prompt(`Number ${n}: ${LONG}`, { external_id: 'one', user: 'u' })
    await becomes(async () => {
      const [row] = await rows(agent)
      return Number(row?.covered_id) > Number(first?.covered_id) && row?.due_at === null
    }, true)
    const isGivenFirst = asked().some((text) => text.includes(`\n${first?.content}\n</notes`))
    assert.ok(isGivenFirst, 'later notes are given the earlier ones')
    const { data } = (await agent.get('/usage')).body
    const kinds = data.map(({ kind }: { kind: string }) => kind)
    assert.ok(kinds.includes('summary'), 'their calls are counted')
  })

  it('are not made once the budget is spent, also where no completion has the messages', async () => {
    const agent = await talk(5)
    await untilSettled(agent)
    const prices = { 'test-model': { input: 1_000_000, output: 1_000_000 } }
    await agent.patch('/agent', { prices, budget: { day: 0.000001 } })
    const { db, wakeUps } = service.app.app.foundation.database
    await db
      .updateTable('messages')
      .set({ completion_id: null })
      .where('agent_id', '=', agent.agentId)
      .execute()
    await db
      .updateTable('conversation_summaries')
      .set({ content: null, covered_id: 0, due_at: '2020-01-01T00:00:00.000Z' })
      .where('agent_id', '=', agent.agentId)
      .execute()
    const before = asked().length
    wakeUps.send(SUMMARIES)
    await untilSettled(agent)
    assert.equal(asked().length, before)
  })

  it('are not kept when the model was cut off', async () => {
    const agent = await talk(5, {}, { finish_reason: 'length' })
    await untilSettled(agent)
    assert.ok(asked().length > 0)
    assert.deepEqual(await rows(agent), [{ content: null, covered_id: 0, due_at: null }])
  })

  it('also cover what history_limit leaves out', async () => {
    const agent = await talk(4, { context_tokens: 16_000, history_limit: 4 })
    await untilSettled(agent)
    assert.ok(asked()[0]?.includes('Number 1:'))
  })

  it('are made when the same answer also leaves a question unanswered', async () => {
    const agent = await talk(4)
    await agent.prompt(`Do you deliver kettles to Mars? ${LONG}`, { external_id: 'one', user: 'u' })
    await agent.prompt('I want to talk to a person.', { external_id: 'one', user: 'u' })
    const [question] = (await agent.get('/knowledge/unanswered')).body.data
    assert.match(question?.question, /^Do you deliver kettles to Mars\?/)
    await untilSettled(agent)
  })

  it('are not made when the setting is off, and not of a conversation that fits', async () => {
    const agents = [await talk(5, { summaries: false }), await talk(3, { context_tokens: 16_000 })]
    for (const agent of agents) assert.deepEqual(await rows(agent), [])
  })

  it('are exported with their conversations, and deleted with any redaction there', async () => {
    for (const act of ['scrub', 'anonymize']) {
      const agent = await talk(5)
      await untilSettled(agent)
      const [row] = await rows(agent)
      const summary = { text: row?.content, last_message_id: row?.covered_id }
      for (const path of ['/users/u/export', '/export'])
        assert.deepEqual(await exportedSummaries(agent, path), [summary], path)
      const [completion] = (await agent.get('/chat/completions')).body.data
      const answer = await agent.post(`/chat/completions/${completion.id}/${act}`)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(await rows(agent), [{ content: null, covered_id: 0, due_at: null }], act)
      assert.deepEqual(await exportedSummaries(agent, '/users/u/export'), [], act)
    }
  })

  async function exportedSummaries({ baseUrl, headers }: TestAgent, path: string): Promise<object[]> {
    const text = await (await fetch(`${baseUrl}${path}`, { headers })).text()
    const lines: { type: string; conversation_id: string }[] = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    const conversations = lines.flatMap((line) => (line.type === 'conversation' ? [line] : []))
    assert.equal(conversations.length, 1)
    return lines.flatMap(({ type, conversation_id, ...summary }) => (type === 'summary' ? [summary] : []))
  }

  it('one that is being made while its conversation is redacted is not kept', async () => {
    const agent = await talk(0)
    const held: (() => void)[] = []
    service.model.answerFor = (body) =>
      String(body.messages[0]?.content).startsWith('You keep the notes')
        ? { text: 'Too late.', after: new Promise<void>((release) => held.push(release)) }
        : { text: 'Yes.' }
    for (let n = 1; n <= 5; n++) await agent.prompt(`Number ${n}: ${LONG}`, { external_id: 'one', user: 'u' })
    await becomes(() => held.length > 0, true)
    const [completion] = (await agent.get('/chat/completions')).body.data
    assert.equal((await agent.post(`/chat/completions/${completion.id}/scrub`)).status, 200)
    for (const release of held) release()
    assert.deepEqual(await rows(agent), [{ content: null, covered_id: 0, due_at: null }])
    await agent.prompt('And now?', { external_id: 'one', user: 'u' })
    assert.equal(told(), null)
  })

  it('a model that fails is asked again, and prompts are answered meanwhile', async () => {
    const agent = await talk(0)
    let failures = 0
    service.model.answerFor = (body) => {
      if (!String(body.messages[0]?.content).startsWith('You keep the notes')) return { text: 'Yes.' }
      // Notes of an earlier test may still be made.
      if (failures > 0 || !String(body.messages.at(-1)?.content).includes('Parcel 1'))
        return { text: 'Notes at last.' }
      failures++
      return { status: 500 }
    }
    for (let n = 1; n <= 5; n++) await agent.prompt(`Parcel ${n}: ${LONG}`, { external_id: 'one', user: 'u' })
    await becomes(() => failures, 1)
    const past = service.clock
    await becomes(async () => {
      service.clock = () => past() + 60_000
      return (await rows(agent))[0]?.content
    }, 'Notes at last.')
  })
})
