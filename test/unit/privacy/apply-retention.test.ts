import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAllAgents } from '../../../src/agents/agent.ts'
import {
  beginHandoffSummary,
  keepHandoffSummary,
  readHandoffSummary,
} from '../../../src/desk/handoff-summaries.ts'
import { signInNew } from '../../support/console.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { applyRetentionAt } from '../../support/retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines('retention', (service) => {
  const applyAt = (now: number, signal?: AbortSignal) => applyRetentionAt(service.app, now, signal)

  it('redacts what is older than the agent allows, in as many batches as it takes, and nothing younger', async () => {
    const agent = await service.addAgent()
    const other = await service.addAgent()
    await agent.patch('/agent', { retention: { days: 30, mode: 'anonymize' } })
    const now = Date.now()
    service.clock = () => now - 31 * DAY_MS
    const old = []
    for (let n = 0; n < 3; n++) old.push(await agent.prompt(`${n} ada@example.org`))
    const others = await other.prompt('ada@example.org')
    service.clock = () => now - 29 * DAY_MS
    const young = await agent.prompt('ada@example.org')
    await applyAt(now)
    for (const [n, { id }] of old.entries()) {
      assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.prompt, `${n} [EMAIL_ADDRESS]`)
    }
    assert.equal((await agent.get(`/chat/completions/${young.id}`)).body.data.prompt, 'ada@example.org')
    assert.equal((await other.get(`/chat/completions/${others.id}`)).body.data.prompt, 'ada@example.org')
  })

  it('begins nothing when it is asked to end; an agent whose redaction fails holds up no other', async () => {
    const [failing, agent] = [await service.addAgent(), await service.addAgent()]
    const retention = { days: 7, mode: 'anonymize' }
    // No hosted redaction service is set, so this redaction fails.
    await failing.patch('/agent', { retention, hosted_redaction: true })
    await agent.patch('/agent', { retention })
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    await failing.prompt('Hello')
    const { id } = await agent.prompt('ada@example.org')
    const prompt = async () => (await agent.get(`/chat/completions/${id}`)).body.data.prompt
    await applyAt(now, AbortSignal.abort())
    assert.equal(await prompt(), 'ada@example.org')
    await applyAt(now)
    assert.equal(await prompt(), '[EMAIL_ADDRESS]')
  })

  it('redacts a batch of each agent in turn', async () => {
    const [busy, agent] = [await service.addAgent(), await service.addAgent()]
    for (const { patch } of [busy, agent])
      await patch('/agent', { retention: { days: 7, mode: 'anonymize' } })
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    const backlog = []
    for (let n = 0; n < 3; n++) backlog.push(await busy.prompt('ada@example.org'))
    const { id } = await agent.prompt('ada@example.org')
    // Asked to end when each agent has had a turn.
    let turns = (await listAllAgents(service.app.app.foundation.database.db)).length
    const signal = {
      get aborted() {
        return turns-- <= 0
      },
    } as AbortSignal
    await applyAt(now, signal)
    const prompt = async ({ get }: typeof agent, id: string) =>
      (await get(`/chat/completions/${id}`)).body.data.prompt
    assert.equal(await prompt(agent, id), '[EMAIL_ADDRESS]')
    assert.equal(await prompt(busy, backlog[2]?.id ?? ''), 'ada@example.org')
    await applyAt(now)
    assert.equal(await prompt(busy, backlog[2]?.id ?? ''), '[EMAIL_ADDRESS]')
  })

  it('goes on to scrub what was anonymized before', async () => {
    const agent = await service.addAgent()
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    const { id } = await agent.prompt('Write to ada@example.org')
    await agent.post(`/chat/completions/${id}/anonymize`)
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    await applyAt(now)
    assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.prompt, '[REDACTED]')
  })

  /** A prompt of ten days ago that is scrubbed after seven; the service's clock still shows that day. */
  async function redactedPrompt() {
    const agent = await service.addAgent()
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    const { id, conversation_id } = await agent.prompt('one')
    await applyAt(now)
    return { agent, now, id, conversation_id }
  }

  it('redacts what was written later on a redacted completion', async () => {
    const { agent, now, id, conversation_id } = await redactedPrompt()
    const path = `/chat/completions/${id}`
    for (const [to, text] of [
      [`/conversations/${conversation_id}/messages`, { content: 'zebra' }],
      [`${path}/feedback`, { feedback: 'zebra' }],
      [`${path}/flag`, { flagged: true, reason: 'zebra' }],
    ] as const) {
      await agent.post(to, text)
      assert.match((await agent.get(path)).text, /zebra/)
      await applyAt(now)
      assert.doesNotMatch((await agent.get(path)).text, /zebra/, to)
    }
  })

  it('redacts a person’s answer by its own age, and looks at its completion again only then', async () => {
    const agent = await service.addAgent()
    const retention = { days: 7, mode: 'anonymize' }
    await agent.patch('/agent', { retention })
    const now = Date.now()
    const at = (days: number) => {
      service.clock = () => now + days * DAY_MS
    }
    at(-10)
    // More than a batch: those that wait must not hold up the last.
    const answered = []
    for (let n = 0; n < 3; n++) answered.push(await agent.prompt(`${n} ada@example.org`))
    const last = await agent.prompt('ada@example.org')
    at(-1)
    const answer = { content: 'Ask bob@example.org', author: 'Bob' }
    for (const { conversation_id } of answered)
      await agent.post(`/conversations/${conversation_id}/messages`, answer)
    const { db } = service.app.app.foundation.database
    const read = async ({ id }: { id: string }) => (await agent.get(`/chat/completions/${id}`)).body.data
    const said = async (completion: { id: string }) =>
      (await read(completion)).messages.map(({ content }: { content: string }) => content)
    const marks = async () => {
      const rows = await db
        .selectFrom('completions')
        .select(['redacted', 'redactions'])
        .where('agent_id', '=', agent.agentId)
        .orderBy('number')
        .execute()
      return rows.map(({ redacted, redactions }) => ({ redacted, redactions: Number(redactions) }))
    }

    await applyAt(now)
    const prompts = ['0', '1', '2'].map((n) => `${n} [EMAIL_ADDRESS]`)
    for (const [n, completion] of answered.entries())
      assert.deepEqual(await said(completion), [prompts[n], prompts[n], 'Ask bob@example.org'])
    assert.deepEqual(await said(last), ['[EMAIL_ADDRESS]', '[EMAIL_ADDRESS]'])
    const first = await marks()
    assert.deepEqual(
      first.map(({ redacted }) => redacted),
      [null, null, null, 'anonymize'],
    )

    // Nothing has become old enough since, so nobody loses what they write in these conversations.
    const conversation_id = answered[0]?.conversation_id ?? ''
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const draft = { mode: 'reply', content: 'Dear Ada' }
    await person.call('PUT', `/agents/${agent.agentId}/conversations/${conversation_id}/draft`, draft)
    const begun = await beginHandoffSummary(db, { id: conversation_id, agent_id: agent.agentId })
    await keepHandoffSummary(db, begun, { content: 'Ada waits', covered_id: 1, written_at: begun.written_at })
    const others = async () => [
      await readHandoffSummary(db, { id: conversation_id, agent_id: agent.agentId }),
      await db.selectFrom('drafts').selectAll().where('agent_id', '=', agent.agentId).execute(),
      await db.selectFrom('erasures').selectAll().where('agent_id', '=', agent.agentId).execute(),
    ]
    const before = await others()
    await applyAt(now + DAY_MS)
    assert.deepEqual(await marks(), first)
    assert.deepEqual(await others(), before)

    await applyAt(now + 7 * DAY_MS)
    for (const [n, completion] of answered.entries())
      assert.deepEqual(await said(completion), [prompts[n], prompts[n], 'Ask [EMAIL_ADDRESS]'])
    const all = await marks()
    assert.ok(all.every(({ redacted }) => redacted === 'anonymize'))

    // Scrubbing goes over all of them, once again by the age of each message.
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    await applyAt(now + DAY_MS)
    for (const completion of answered)
      assert.deepEqual(await said(completion), ['[REDACTED]', '[REDACTED]', 'Ask [EMAIL_ADDRESS]'])
    const young = await marks()
    await applyAt(now + DAY_MS)
    assert.deepEqual(await marks(), young)
    await applyAt(now + 7 * DAY_MS)
    assert.ok((await marks()).every(({ redacted }) => redacted === 'scrub'))
    for (const completion of answered)
      assert.deepEqual(await said(completion), ['[REDACTED]', '[REDACTED]', '[REDACTED]'])
  })

  it('leaves a person’s answer on a completion that was redacted before until it is of age', async () => {
    const { agent, now, id, conversation_id } = await redactedPrompt()
    service.clock = () => now
    const [messages, completion] = [`/conversations/${conversation_id}/messages`, `/chat/completions/${id}`]
    await agent.post(messages, { content: 'zebra' })
    await agent.post(`${completion}/feedback`, { feedback: 'okapi' })
    await applyAt(now)
    assert.match((await agent.get(messages)).text, /zebra/)
    await applyAt(now + 8 * DAY_MS)
    assert.doesNotMatch((await agent.get(messages)).text, /zebra/)
    assert.doesNotMatch((await agent.get(completion)).text, /okapi/)
  })

  it('redacts messages without a prompt by their own age, once for each mode', async () => {
    const settings = { pause_message: 'Paused, ask ada@example.org', resume_message: 'Back, ada@example.org' }
    const agent = await service.addAgent({ settings })
    const other = await service.addAgent({ settings })
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    const conversations = []
    for (let n = 0; n < 3; n++) conversations.push((await agent.prompt('Hello')).conversation_id)
    const others = (await other.prompt('Hello')).conversation_id
    for (const { post } of [agent, other]) await post('/pause')
    service.clock = () => now - 6 * DAY_MS
    await agent.post('/resume')
    const said = async ({ get }: typeof agent, conversation: string | undefined) =>
      (await get(`/conversations/${conversation}/messages`)).body.data
        .slice(2)
        .map(({ content }: { content: string }) => content)
    await agent.patch('/agent', { retention: { days: 7, mode: 'anonymize' } })
    await applyAt(now)
    for (const conversation of conversations)
      assert.deepEqual(await said(agent, conversation), [
        'Paused, ask [EMAIL_ADDRESS]',
        settings.resume_message,
      ])
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    await applyAt(now)
    for (const conversation of conversations)
      assert.deepEqual(await said(agent, conversation), ['[REDACTED]', settings.resume_message])
    assert.deepEqual(await said(other, others), [settings.pause_message])
  })
})
