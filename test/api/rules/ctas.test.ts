import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { pause } from '../../support/becomes.ts'
import { keywords, made, onRules, streamed } from '../../support/on-rules.ts'
import { startPeer } from '../../support/peer.ts'
import { addNotification } from '../../support/receiver.ts'

onRules('CTAs', (service, peers) => {
  it('a client that leaves while a CTA is judged costs nothing of the answer', async () => {
    const agent = await service.addAgent()
    const judging = Promise.withResolvers<void>()
    const slow = await startPeer(() => judging.resolve())
    try {
      const evaluator_id = await made(agent, '/evaluators', {
        name: 'slow',
        kind: 'webhook',
        settings: { url: slow.url },
      })
      await made(agent, '/ctas', { name: 'C', content: 'Look', evaluator_id })
      const client = new AbortController()
      const asked = fetch(`${agent.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { ...agent.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }),
        signal: client.signal,
      })
      await judging.promise
      client.abort()
      await assert.rejects(asked)
      while (!(await service.eventsOf(agent)).includes('response_end')) await pause()
      const [{ response, finish_reason }] = (await agent.get('/chat/completions')).body.data
      assert.deepEqual([response, finish_reason], ['hello', 'stop'])
    } finally {
      await slow.close()
    }
  })

  it('CTAs are attached when their condition holds, as often as they may', async () => {
    const agent = await service.addAgent()
    const id = await made(agent, '/ctas', {
      name: 'Plans',
      content: 'See our plans',
      url: 'https://example.com/plans',
      button: 'Plans',
      max_per_conversation: 2,
      condition: { field: 'prompt.text', op: 'contains_any', value: ['price', 'cost'] },
    })
    const first = await agent.prompt('what does it cost?', { external_id: `cta-${id}` })
    const cta = {
      id,
      name: 'Plans',
      content: 'See our plans',
      url: 'https://example.com/plans',
      button: 'Plans',
    }
    assert.deepEqual(first.ctas, [cta])
    assert.deepEqual((await agent.get(`/chat/completions/${first.id}`)).body.data.ctas, [cta])
    for (const ctas of [[cta], []])
      assert.deepEqual((await agent.prompt('and the price?', { external_id: `cta-${id}` })).ctas, ctas)
    assert.deepEqual((await agent.prompt('hello')).ctas, [])
    assert.deepEqual((await streamed(agent, 'what is the price?')).ctas, [cta])
    // An agent without automations has none that end.
    assert.ok(!(await service.eventsOf(agent)).includes('automations_end'))
  })

  it('three CTAs are attached at most, by their position, and none that is switched off or not fitting', async () => {
    const agent = await service.addAgent()
    for (const [name, position] of [
      ['fourth', 9],
      ['third', 3],
      ['first', 1],
      ['second', 2],
    ] as const)
      await made(agent, '/ctas', { name, content: 'Look', position })
    await made(agent, '/ctas', { name: 'off', content: 'Look', position: 0, active: false })
    const evaluator_id = await keywords(agent, 'zebra')
    await made(agent, '/ctas', { name: 'of zebras', content: 'Look', position: 0, evaluator_id })
    const { ctas } = await agent.prompt('hello')
    assert.deepEqual(
      (ctas as { name: string }[]).map(({ name }) => name),
      ['first', 'second', 'third'],
    )
  })

  it('a click names its CTA by id or address; 400 for one that the completion did not show', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, peers.receiver.url, { events: ['cta_click'] })
    const never = { field: 'prompt.text', op: 'contains', value: 'zebra' }
    const shown = { name: 'C', content: 'Look', url: 'https://example.com/c' }
    const hidden = { name: 'H', content: 'Look', url: 'https://example.com/h', condition: never }
    const id = await made(agent, '/ctas', shown)
    const hiddenId = await made(agent, '/ctas', hidden)
    const answer = await agent.prompt('hello')
    const click = (target: string) =>
      agent.post(`/chat/completions/${answer.id}/clicks`, { kind: 'cta', target })
    for (const target of [String(hiddenId), hidden.url, 'https://example.com/']) {
      const refused = await click(target)
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, 'target')
    }
    for (const target of [String(id), shown.url]) assert.equal((await click(target)).status, 200)
    for (const { payload } of await peers.receiver.until(2))
      assert.deepEqual(payload.cta, { id, name: 'C', content: 'Look' })
    assert.deepEqual(
      (await service.eventsOf(agent)).filter((key) => key === 'cta_click'),
      ['cta_click', 'cta_click'],
    )
  })

  it('a click tells its CTA as it was shown', async () => {
    const agent = await service.addAgent()
    await addNotification(agent, peers.receiver.url, { events: ['cta_click'] })
    const id = await made(agent, '/ctas', { name: 'C', content: 'Look' })
    const answer = await agent.prompt('hello')
    await agent.patch(`/ctas/${id}`, { name: 'N', content: 'New' })
    await agent.post(`/chat/completions/${answer.id}/clicks`, { kind: 'cta', target: String(id) })
    const [click] = await peers.receiver.until(1)
    assert.deepEqual(click?.payload.cta, { id, name: 'C', content: 'Look' })
  })

  it('a call to action is shown as often as it may be, also to prompts that come at once', async () => {
    const agent = await service.addAgent()
    await made(agent, '/ctas', { name: 'C', content: 'Look', max_per_conversation: 1 })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => agent.prompt('hello', { external_id: 'the same' })),
    )
    assert.equal(answers.flatMap(({ ctas }) => ctas as unknown[]).length, 1)
    const { data } = (await agent.get('/chat/completions')).body
    assert.equal(data.flatMap(({ ctas }: { ctas: unknown[] }) => ctas).length, 1)
    assert.equal((await service.eventsOf(agent)).filter((key) => key === 'cta_trigger').length, 1)
  })
})
