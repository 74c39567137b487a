import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { AgentSettings } from '../../src/agents/settings.ts'
import { lockConversation } from '../../src/transcripts/conversations/store.ts'
import { waitForPerson } from '../../src/transcripts/conversations/wait-for-person.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const MINUTE_MS = 60_000
const OF = { follow_up_after: null, resolve_after: 60 }

onBothEngines('the inactivity of an agent', (service) => {
  const db = () => service.app.app.foundation.database.db
  const agentWith = (settings: Partial<AgentSettings>) => service.addAgent({ settings })
  const opened = async (agent: TestAgent, content = 'Where is my parcel?') =>
    (await agent.prompt(content)).conversation_id
  const entry = async (agent: TestAgent, id: string) => (await agent.get(`/inbox/${id}`)).body.data
  const outcome = async (agent: TestAgent, id: string) => (await entry(agent, id)).outcome
  const rows = (id: string) =>
    db().selectFrom('silences').selectAll().where('conversation_id', '=', id).execute()
  const isLeft = async (id: string) => (await rows(id)).length > 0
  const said = async (agent: TestAgent, id: string) =>
    (await agent.get(`/conversations/${id}/messages`)).body.data.map(
      ({ content }: { content: string }) => content,
    )
  /** Lets time pass for the whole service, until the test ends. */
  const later = (minutes: number) => service.pass(minutes * MINUTE_MS)
  async function kinds(agent: TestAgent) {
    const { data } = (await agent.get('/usage')).body
    return JSON.stringify(data).includes('"inactivity"')
  }

  it('resolve: it asks once in the language of the conversation, and then ends it', async () => {
    const agent = await agentWith({
      inactivity: { policy: 'resolve', follow_up_after: 10, resolve_after: 60 },
      follow_up_message: 'Did that help?',
      texts: { de: { follow_up_message: 'Hat das geholfen?' } },
    })
    const id = await opened(agent, 'Wo ist mein Paket, das ich gestern bestellt habe?')
    later(9)
    const [row] = await rows(id)
    assert.ok(row?.due_at && row.due_at > new Date(service.clock()).toISOString(), 'not due yet')
    later(1)
    await becomes(async () => (await said(agent, id)).slice(2), ['Hat das geholfen?'])
    assert.equal(await outcome(agent, id), null)
    later(60)
    await becomes(() => outcome(agent, id), 'assumed')
    const { outcome_by } = await entry(agent, id)
    assert.equal(outcome_by.kind, 'system')
    assert.equal(await isLeft(id), false)
    assert.equal((await said(agent, id)).length, 3)
  })

  it("a message of the user cancels it, and begins it anew after the agent's answer", async () => {
    const agent = await agentWith({ inactivity: { policy: 'resolve', ...OF } })
    const id = await opened(agent)
    const [first] = await rows(id)
    later(30)
    await agent.prompt('And the other one?', { conversation_id: id })
    const [second] = await rows(id)
    assert.ok(first && second?.due_at && second.due_at > (first.due_at ?? ''))
    assert.equal(second.lease, 0, 'the message has deleted the first')
    await agent.post(`/conversations/${id}/pause`)
    await agent.prompt('Hello?', { conversation_id: id })
    assert.equal(await isLeft(id), false, 'a pause is no answer')
  })

  it('a blocked user: nothing is said, a message cancels it, and nothing begins anew', async () => {
    const inactivity = { policy: 'resolve', follow_up_after: 10, resolve_after: 60 } as const
    const agent = await agentWith({ inactivity, follow_up_message: 'Did that help?' })
    const begun = async (user: string) => (await agent.prompt('Where is it?', { user })).conversation_id
    const [silent, writing] = [await begun('ada'), await begun('bob')]
    for (const user of ['ada', 'bob']) await agent.put(`/users/${user}/blocked`, { blocked: true })
    await agent.prompt('Hello?', { conversation_id: writing, user: 'bob' })
    assert.equal(await isLeft(writing), false, 'its message has cancelled it')
    later(10)
    await becomes(() => isLeft(silent), false)
    assert.equal((await said(agent, silent)).length, 2)
  })

  it('check: the model tells whether it is done; it never guesses', async () => {
    const agent = await agentWith({ inactivity: { policy: 'check', ...OF } })
    async function checked(text: string) {
      const id = await opened(agent)
      service.model.next({ text })
      later(60)
      await becomes(() => isLeft(id), false)
      const { outcome, waiting_reason } = await entry(agent, id)
      return [outcome, waiting_reason]
    }
    assert.deepEqual(await checked('{"state": "done"}'), ['resolved', null])
    assert.deepEqual(await checked('{"state": "needs_person"}'), [null, 'unanswered'])
    assert.deepEqual(await checked('{"state": "waiting_for_user"}'), [null, null])
    assert.deepEqual(await checked('It is done, or it needs_person.'), [null, null])
    await becomes(() => kinds(agent), true)
  })

  it('check: a model that fails leaves it open, and is asked again', async () => {
    const agent = await agentWith({ inactivity: { policy: 'check', ...OF } })
    const id = await opened(agent)
    service.model.next({ status: 500 })
    later(60)
    await becomes(async () => (await rows(id))[0]?.attempts, 1)
    assert.equal(await outcome(agent, id), null)
    service.model.next({ status: 400 }, { text: 'done' })
    later(60)
    await becomes(() => outcome(agent, id), 'resolved')
  })

  it('check: a model that is away for long parks nothing, and is asked again when it is back', async () => {
    const agent = await agentWith({ inactivity: { policy: 'check', ...OF } })
    const id = await opened(agent)
    service.model.answer = { status: 503 }
    for (let failures = 1; failures <= 6; failures++) {
      later(60)
      await becomes(async () => (await rows(id))[0]?.attempts, failures)
    }
    assert.equal((await rows(id))[0]?.parked_at, null)
    service.model.answer = { text: 'done' }
    later(60)
    await becomes(() => outcome(agent, id), 'resolved')
    assert.ok(!(await service.eventsOf(agent)).includes('error'))
  })

  it('wait, the default: nothing is noted, and what was noted before does nothing', async () => {
    const agent = await agentWith({ inactivity: { policy: 'resolve', ...OF } })
    const id = await opened(agent)
    await agent.patch('/agent', { inactivity: { policy: 'wait' } })
    assert.equal(await isLeft(await opened(agent)), false)
    later(60)
    await becomes(() => isLeft(id), false)
    assert.equal(await outcome(agent, id), null)
  })

  it('a hand-off and a message in the same instant: it does not end, and waits since the hand-off', async () => {
    const agent = await agentWith({ inactivity: { policy: 'resolve', ...OF } })
    const id = await opened(agent)
    const { prompting, since } = await db()
      .transaction()
      .execute(async (within) => {
        await lockConversation(within, id)
        const prompting = agent.prompt('Are you there?', { conversation_id: id })
        later(60)
        if (service.engine === 'postgres')
          await becomes(async () => {
            const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db())
            return rows.length > 1
          }, true)
        const since = new Date(service.clock()).toISOString()
        await waitForPerson(within, id, 'asked', since)
        return { prompting, since }
      })
    await prompting
    // What the agent's answer has noted is due next, and finds that it waits.
    later(61)
    await becomes(() => isLeft(id), false)
    const { waiting_since, ended_at } = await entry(agent, id)
    assert.deepEqual([waiting_since, ended_at], [since, null])
    const { data } = (await agent.get(`/conversations/${id}/timeline`)).body
    const told = data.filter(({ type }: { type: string }) => type === 'ended' || type === 'reopened')
    assert.deepEqual(told, [])
  })

  it('400: policies and minutes that there are not', async () => {
    const agent = await service.addAgent()
    for (const inactivity of [
      { policy: 'guess' },
      { policy: 'resolve', resolve_after: 0 },
      { policy: 'resolve', follow_up_after: 43_201 },
    ])
      assertError(await agent.patch('/agent', { inactivity }), 400, 'invalid_request')
  })
})
