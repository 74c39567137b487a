import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { createRedactors } from '../../../src/chat/redactors.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { applyRetention } from '../../../src/retention/apply-retention.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines('retention', (service) => {
  const applyRetentionAt = (now: number, signal?: AbortSignal) => {
    const { database, box } = service.app.app.foundation
    const logger = pino({ level: 'silent' })
    const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
    const { redactorFor } = createRedactors({
      box,
      outbound,
      logger,
      installation: { url: null, apiKey: null },
    })
    const { db, engine } = database
    return applyRetention({ db, engine, clock: () => now, logger, redactionBatch: 2, redactorFor }, signal)
  }

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
    await applyRetentionAt(now)
    for (const [n, { id }] of old.entries()) {
      assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.prompt, `${n} [EMAIL_ADDRESS]`)
    }
    assert.equal((await agent.get(`/chat/completions/${young.id}`)).body.data.prompt, 'ada@example.org')
    assert.equal((await other.get(`/chat/completions/${others.id}`)).body.data.prompt, 'ada@example.org')
  })

  it('begins nothing when it is asked to end; an agent whose redaction fails holds up no other', async () => {
    const [failing, agent] = [await service.addAgent(), await service.addAgent()]
    const retention = { days: 7, mode: 'anonymize' }
    // Of a service that nobody has set.
    await failing.patch('/agent', { retention, hosted_redaction: true })
    await agent.patch('/agent', { retention })
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    await failing.prompt('Hello')
    const { id } = await agent.prompt('ada@example.org')
    const prompt = async () => (await agent.get(`/chat/completions/${id}`)).body.data.prompt
    await applyRetentionAt(now, AbortSignal.abort())
    assert.equal(await prompt(), 'ada@example.org')
    await applyRetentionAt(now)
    assert.equal(await prompt(), '[EMAIL_ADDRESS]')
  })

  it('goes on to scrub what was anonymized before', async () => {
    const agent = await service.addAgent()
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    const { id } = await agent.prompt('Write to ada@example.org')
    await agent.post(`/chat/completions/${id}/anonymize`)
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    await applyRetentionAt(now)
    assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.prompt, '[REDACTED]')
  })

  it('redacts what was written later on a redacted completion', async () => {
    const agent = await service.addAgent()
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    const now = Date.now()
    service.clock = () => now - 10 * DAY_MS
    const { id, conversation_id } = await agent.prompt('one')
    await applyRetentionAt(now)
    const path = `/chat/completions/${id}`
    for (const [to, text] of [
      [`/conversations/${conversation_id}/messages`, { content: 'zebra' }],
      [`${path}/feedback`, { feedback: 'zebra' }],
      [`${path}/flag`, { flagged: true, reason: 'zebra' }],
    ] as const) {
      await agent.post(to, text)
      assert.match((await agent.get(path)).text, /zebra/)
      await applyRetentionAt(now)
      assert.doesNotMatch((await agent.get(path)).text, /zebra/, to)
    }
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
    await applyRetentionAt(now)
    for (const conversation of conversations)
      assert.deepEqual(await said(agent, conversation), [
        'Paused, ask [EMAIL_ADDRESS]',
        settings.resume_message,
      ])
    await agent.patch('/agent', { retention: { days: 7, mode: 'scrub' } })
    await applyRetentionAt(now)
    for (const conversation of conversations)
      assert.deepEqual(await said(agent, conversation), ['[REDACTED]', settings.resume_message])
    assert.deepEqual(await said(other, others), [settings.pause_message])
  })
})
