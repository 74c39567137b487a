import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { addDataset, asks } from '../../support/datasets.ts'
import { calling } from '../../support/model-server.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { startPeer } from '../../support/peer.ts'

const user = (content: string) => ({ role: 'user', content })

onBothEngines('test cases', (service) => {
  it('POST 201 and GET 200: a case as it was given, oldest first', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent)
    const rule = { name: 'Polite', kind: 'keywords', settings: { words: ['please'] } }
    const evaluator = (await agent.post('/evaluators', rule)).body.data.id
    const given = {
      messages: [user('Hello'), { role: 'assistant', content: 'Hi' }, user('Can I return it?')],
      tags: { plan: 'free' },
      expectations: [
        { kind: 'contains', value: '30 days' },
        { kind: 'not_contains', value: 'sorry' },
        { kind: 'cites', value: 'Returns' },
        { kind: 'finds', value: 'https://example.com/returns', heading: 'Kettles' },
        { kind: 'contains', value: 'bye', answer: 'last' },
        { kind: 'asked_person', value: true },
        { kind: 'turns', value: 3 },
        { kind: 'evaluator', value: evaluator },
        { kind: 'tool', value: 'look_up' },
        { kind: 'abstains', value: false },
      ],
      tool_results: [{ name: 'look_up', arguments: { id: '7' }, result: '{"state":"sent"}' }],
    }
    const { status, body, text } = await agent.post(`/datasets/${id}/cases`, given)
    assert.equal(status, 201, text)
    const { id: caseId, dataset_id, completion_id, created_at, updated_at, version, ...rest } = body.data
    assert.deepEqual(rest, { customer: null, ...given })
    assert.deepEqual([dataset_id, completion_id], [id, null])
    assert.ok(created_at && updated_at)
    const second = await agent.post(`/datasets/${id}/cases`, asks('And now?'))
    const list = await agent.get(`/datasets/${id}/cases`)
    assert.deepEqual(list.body.data, [body.data, second.body.data])
    assert.deepEqual((await agent.get(`/datasets/${id}/cases/${caseId}`)).body.data, body.data)
  })

  it('POST 201: `abstains` means true where it says nothing', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent)
    const { body } = await agent.post(`/datasets/${id}/cases`, asks('?', [{ kind: 'abstains' }]))
    assert.deepEqual(body.data.expectations, [{ kind: 'abstains', value: true }])
  })

  it('PATCH 200: field by field', async () => {
    const agent = await service.addAgent()
    const { id, cases } = await addDataset(agent, [asks('One?', [{ kind: 'contains', value: 'one' }])])
    const path = `/datasets/${id}/cases/${cases[0]}`
    const changed = await agent.patch(path, { messages: [user('Two?')], tags: { plan: 'paid' } })
    assert.equal(changed.status, 200, changed.text)
    const { messages, tags, expectations } = changed.body.data
    assert.deepEqual(messages, [user('Two?')])
    assert.deepEqual(tags, { plan: 'paid' })
    assert.deepEqual(expectations, [{ kind: 'contains', value: 'one' }])
    assert.deepEqual((await agent.patch(path, { expectations: [] })).body.data.expectations, [])
  })

  it('POST 201 and PATCH 200: a customer in place of messages, and messages in place of a customer', async () => {
    const agent = await service.addAgent()
    const customer = { goal: 'Return a kettle', facts: { order: '104233' }, model: true, turns: 4 }
    const { id, cases } = await addDataset(agent, [{ customer }])
    const path = `/datasets/${id}/cases/${cases[0]}`
    const parts = async () => {
      const { messages, customer } = (await agent.get(path)).body.data
      return { messages, customer }
    }
    assert.deepEqual(await parts(), { messages: [], customer })
    assert.equal((await agent.patch(path, { messages: [user('One?')] })).status, 200)
    assert.deepEqual(await parts(), { messages: [user('One?')], customer: null })
    assert.equal((await agent.patch(path, { customer: { says: ['Hi', 'Bye'] } })).status, 200)
    assert.deepEqual(await parts(), { messages: [], customer: { says: ['Hi', 'Bye'] } })
    const both = await agent.patch(path, { messages: [user('x')], customer })
    assertError(both, 400, 'invalid_request')
    assert.equal(both.body.error.param, 'customer')
  })

  it('DELETE 204', async () => {
    const agent = await service.addAgent()
    const { id, cases } = await addDataset(agent, [asks('One?'), asks('Two?')])
    const path = `/datasets/${id}/cases/${cases[0]}`
    assert.equal((await agent.call('DELETE', path)).status, 204)
    assertError(await agent.get(path), 404, 'case_not_found')
    assertError(await agent.call('DELETE', path), 404, 'case_not_found')
    assert.equal((await agent.get(`/datasets/${id}`)).body.data.cases, 1)
  })

  it('404: of another dataset', async () => {
    const agent = await service.addAgent()
    const { cases } = await addDataset(agent, [asks('One?')])
    const { id } = await addDataset(agent)
    assertError(await agent.get(`/datasets/${id}/cases/${cases[0]}`), 404, 'case_not_found')
    assertError(await agent.patch(`/datasets/${id}/cases/${cases[0]}`, {}), 404, 'case_not_found')
  })

  for (const [change, param] of [
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'assistant', content: 'Hi' }] }, 'messages'],
    [{ messages: [user('')] }, 'messages.0.content'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [user('x')], completion_id: '1' }, 'messages'],
    [{ messages: [user('x')], customer: { says: ['x'] } }, 'messages'],
    [{ customer: {} }, 'customer'],
    [{ customer: { says: ['x'], model: true, goal: 'x' } }, 'customer'],
    [{ customer: { model: true } }, 'customer'],
    [{ customer: { says: [] } }, 'customer.says'],
    [{ customer: { says: ['x'], turns: 11 } }, 'customer.turns'],
    [asks('x', [{ kind: 'turns', value: 0 }]), 'expectations.0.value'],
    [asks('x', [{ kind: 'finds', value: '' }]), 'expectations.0.value'],
    [asks('x', [{ kind: 'rhymes', value: 'x' }]), 'expectations.0.kind'],
    [asks('x', [{ kind: 'contains', value: '' }]), 'expectations.0.value'],
    [asks('x', [{ kind: 'evaluator', value: 'x' }]), 'expectations.0.value'],
    [asks('x', [], { tool_results: [{ name: 'look up', result: '' }] }), 'tool_results.0.name'],
    [{ messages: Array.from({ length: 11 }, () => user('x'.repeat(20_000))) }, null],
  ] as const) {
    it(`POST 400: ${JSON.stringify(change).slice(0, 90)}`, async () => {
      const agent = await service.addAgent()
      const { id } = await addDataset(agent)
      const answer = await agent.post(`/datasets/${id}/cases`, change)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param, answer.text)
      const given = ['messages', 'customer', 'completion_id'].filter((name) => name in change)
      if (given.length > 1) assert.match(answer.body.error.message, /: only one of /)
    })
  }

  it('POST and PATCH 400: an evaluator that the agent does not have, unless the case had it before', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const rule = { name: 'Polite', kind: 'keywords', settings: { words: ['please'] } }
    const made = async (of: typeof agent) => (await of.post('/evaluators', rule)).body.data.id as number
    const [own, foreign] = [await made(agent), await made(other)]
    const expects = (value: number) => ({ expectations: [{ kind: 'evaluator', value }] })
    const { id } = await addDataset(agent)
    const cases = `/datasets/${id}/cases`
    for (const value of [999_999, foreign]) {
      const refused = await agent.post(cases, asks('?', expects(value).expectations))
      assertError(refused, 400, 'invalid_request')
      assert.equal(refused.body.error.param, 'expectations')
    }
    const path = `${cases}/${(await agent.post(cases, asks('?', expects(own).expectations))).body.data.id}`
    assertError(await agent.patch(path, expects(foreign)), 400, 'invalid_request')
    assert.equal((await agent.call('DELETE', `/evaluators/${own}`)).status, 204)
    assert.equal((await agent.patch(path, { ...expects(own), tags: { plan: 'free' } })).status, 200)
  })

  it('POST 201 of a completion: the prompt with what was said before it, and the source', async () => {
    const agent = await service.addAgent()
    await agent.post('/knowledge', { title: 'Returns', content: 'Bicycles can be returned within 30 days.' })
    service.model.next({ text: 'Hi there' }, { text: 'Within 30 days [1].' })
    const { conversation_id } = await agent.prompt('Hello')
    const { id: completion_id } = await agent.prompt('Can bicycles be returned?', { conversation_id })
    const { id } = await addDataset(agent)
    const { status, body, text } = await agent.post(`/datasets/${id}/cases`, { completion_id })
    assert.equal(status, 201, text)
    assert.equal(body.data.completion_id, completion_id)
    assert.deepEqual(body.data.messages, [
      user('Hello'),
      { role: 'assistant', content: 'Hi there' },
      user('Can bicycles be returned?'),
    ])
    assert.deepEqual(body.data.expectations, [{ kind: 'cites', value: 'Returns' }])
  })

  it('POST 201 of a completion that called a tool twice: the results, and that it is called', async () => {
    const agent = await service.addAgent()
    await using peer = await startPeer((response, { path }) => response.end(`{"sent":"${path}"}`))
    await agent.post('/tools', {
      kind: 'http',
      name: 'look_up',
      description: 'Looks up an order.',
      parameters: { type: 'object', properties: { id: { type: 'string' } } },
      url: `${peer.url}/orders/{id}`,
    })
    // Both calls have the same id, as some servers give them.
    const look = (id: string) => calling(['look_up', { id }])
    service.model.next(look('7'), look('8'), { text: 'It is sent.' })
    const { id: completion_id } = await agent.prompt('Where is order 7?')
    const { id } = await addDataset(agent)
    const expectations = [{ kind: 'contains', value: 'sent' }]
    const { body } = await agent.post(`/datasets/${id}/cases`, { completion_id })
    assert.deepEqual(body.data.messages, [user('Where is order 7?')])
    assert.deepEqual(body.data.expectations, [{ kind: 'tool', value: 'look_up' }])
    for (const [at, id] of ['7', '8'].entries()) {
      const { name, arguments: args, result } = body.data.tool_results[at]
      assert.deepEqual([name, args], ['look_up', { id }])
      assert.match(result, new RegExp(`orders/${id}`))
    }
    const given = await agent.post(`/datasets/${id}/cases`, { completion_id, expectations })
    assert.deepEqual(given.body.data.expectations, expectations, 'what is given goes first')
  })

  it("POST 404: no such completion, or another agent's", async () => {
    const { id: completion_id } = await (await service.addAgent()).prompt('Hello')
    const agent = await service.addAgent()
    const { id } = await addDataset(agent)
    for (const wanted of [completion_id, 'x', '0'])
      assertError(
        await agent.post(`/datasets/${id}/cases`, { completion_id: wanted }),
        404,
        'completion_not_found',
      )
  })
})
