import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { keywords, made, onRules } from '../../support/on-rules.ts'

onRules('rules are made, listed, changed and deleted', (service) => {
  for (const [path, good, code] of [
    ['/guardrails', { name: 'G', on: 'prompt', action: 'flag' }, 'guardrail_not_found'],
    ['/ctas', { name: 'C', content: 'Call us' }, 'cta_not_found'],
    ['/automations', { name: 'A', actions: [{ type: 'tag', tag: 'x' }] }, 'automation_not_found'],
  ] as const) {
    it(`${path}: made, listed, read, changed, deleted; 404 for those of others`, async () => {
      const [agent, other] = [await service.addAgent(), await service.addAgent()]
      const body =
        path === '/guardrails' ? { ...good, evaluator_id: await keywords(agent, 'a') } : { ...good }
      const first = await made(agent, path, body)
      const id = await made(agent, path, body)
      const ofOtherKind =
        path === '/ctas'
          ? await made(agent, '/automations', { name: 'A', actions: [{ type: 'pause_conversation' }] })
          : await made(agent, '/ctas', { name: 'C', content: 'Look' })
      const listed = (await agent.get(path)).body
      assert.deepEqual(
        listed.data.map((rule: { id: number }) => rule.id),
        [id, first],
      )
      assert.equal(listed.total, 2)
      assert.equal((await other.get(path)).body.total, 0)
      assertError(await agent.get(`${path}/${ofOtherKind}`), 404, code)
      assert.equal((await agent.get(`${path}/${id}`)).body.data.name, good.name)
      const changed = await agent.patch(`${path}/${id}`, { name: 'New', active: false })
      assert.deepEqual([changed.body.data.name, changed.body.data.active], ['New', false])
      assertError(await agent.patch(`${path}/${id}`, { nonsense: 1 }), 400, 'invalid_request')
      for (const wrong of [id, 999_999, 'x', '0']) {
        assertError(await other.get(`${path}/${wrong}`), 404, code)
        assertError(await other.patch(`${path}/${wrong}`, { name: 'x' }), 404, code)
        assertError(await other.call('DELETE', `${path}/${wrong}`), 404, code)
      }
      assert.equal((await agent.call('DELETE', `${path}/${id}`)).status, 204)
      assertError(await agent.get(`${path}/${id}`), 404, code)
      assert.equal((await fetch(agent.baseUrl + path)).status, 403)
    })
  }

  it('a change of actions keeps the secret of a webhook with the same address, and of no other', async () => {
    const agent = await service.addAgent()
    const [one, other] = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/other']
    const call = (url: string) => ({ type: 'call_webhook', url })
    const actions = [{ ...call(one), secret: 'a-secret-of-the-crm-12' }]
    const id = await made(agent, '/automations', { name: 'A', actions })
    const secrets = async (changed: object[]) => {
      const { body } = await agent.patch(`/automations/${id}`, { actions: changed })
      return body.data.actions.map(({ secret }: { secret?: { last_four: string } }) => secret?.last_four)
    }
    const tag = { type: 'tag', tag: 'x' }
    assert.deepEqual(await secrets([tag, call(other), call(one)]), [undefined, undefined, 'm-12'])
    assert.deepEqual(await secrets([{ ...call(one), secret: 'a-new-one-of-the-crm-34' }]), ['m-34'])
    assert.deepEqual(await secrets([call(other)]), [undefined])
    assert.deepEqual(await secrets([call(one)]), [undefined], 'it is gone')
    const both = [actions[0] ?? {}, { ...call(one), secret: 'another-of-the-crm-56' }]
    assert.deepEqual(await secrets(both), ['m-12', 'm-56'])
    assert.deepEqual(await secrets([call(one), tag, call(one), call(one)]), [
      'm-12',
      undefined,
      'm-56',
      undefined,
    ])
  })

  it('changes of different fields at once are all kept; a rule that is deleted meanwhile is a 404', async () => {
    const agent = await service.addAgent()
    const id = await made(agent, '/ctas', { name: 'C', content: 'Look' })
    const changes = [
      { name: 'N' },
      { content: 'New' },
      { button: 'B' },
      { position: 7 },
      { url: 'https://a.b/' },
    ]
    const answers = await Promise.all(changes.map((change) => agent.patch(`/ctas/${id}`, change)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { data } = (await agent.get(`/ctas/${id}`)).body
    assert.partialDeepStrictEqual(data, Object.assign({}, ...changes))
    const [, ...late] = await Promise.all([
      agent.call('DELETE', `/ctas/${id}`),
      ...Array.from({ length: 5 }, () => agent.patch(`/ctas/${id}`, { name: 'X' })),
    ])
    for (const { status } of late) assert.ok([200, 404].includes(status), String(status))
  })

  it('of two who delete a rule at once, one is told that it is gone, and the audit log has it once', async () => {
    const agent = await service.addAgent()
    const id = await made(agent, '/ctas', { name: 'C', content: 'Look' })
    const answers = await Promise.all([1, 2].map(() => agent.call('DELETE', `/ctas/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
    assert.equal((await agent.get('/audit?action=rule.removed')).body.total, 1)
  })

  it('400: settings that are wrong, evaluators that are not there, addresses that are not allowed', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const foreign = await keywords(other, 'a')
    for (const [path, body] of [
      ['/guardrails', { name: 'G', on: 'prompt', action: 'flag', evaluator_id: foreign }],
      ['/guardrails', { name: 'G', on: 'everything', action: 'flag', evaluator_id: 1 }],
      ['/guardrails', { name: 'G', on: 'prompt', action: 'explode', evaluator_id: 1 }],
      ['/ctas', { name: 'C' }],
      ['/ctas', { name: 'C', content: 'x', evaluator_id: foreign }],
      ['/ctas', { name: 'C', content: 'x', url: 'javascript:alert(1)' }],
      ['/ctas', { name: 'C', content: 'x', condition: { field: 'nothing', op: 'eq', value: 1 } }],
      ['/automations', { name: 'A', actions: [] }],
      ['/automations', { name: 'A', actions: [{ type: 'explode' }] }],
      ['/automations', { name: 'A', actions: [{ type: 'call_webhook', url: 'http://10.0.0.1/' }] }],
      [
        '/automations',
        {
          name: 'A',
          actions: [{ type: 'tag', tag: 'x' }],
          condition: { field: `evaluator.${foreign}.passed`, op: 'eq', value: true },
        },
      ],
    ] as const)
      assertError(await agent.post(path, body), 400, 'invalid_request')
    const actions = [{ type: 'tag', tag: 'x', on_failure: 'continue' }]
    const id = await made(agent, '/automations', { name: 'A', actions })
    for (const patch of [
      { actions: [{ type: 'call_webhook', url: 'http://10.0.0.1/' }] },
      { condition: { field: `evaluator.${foreign}.passed`, op: 'eq', value: true } },
    ])
      assertError(await agent.patch(`/automations/${id}`, patch), 400, 'invalid_request')
    const { data } = (await agent.get(`/automations/${id}`)).body
    assert.deepEqual([data.actions, data.condition], [actions, null])
  })

  it('an evaluator that a rule asks cannot be deleted: 409', async () => {
    const agent = await service.addAgent()
    const id = await keywords(agent, 'a')
    const rule = await made(agent, '/guardrails', {
      name: 'G',
      on: 'prompt',
      action: 'flag',
      evaluator_id: id,
    })
    assertError(await agent.call('DELETE', `/evaluators/${id}`), 409, 'evaluator_in_use')
    const next = await keywords(agent, 'b')
    await agent.patch(`/guardrails/${rule}`, { evaluator_id: next })
    assert.equal((await agent.call('DELETE', `/evaluators/${id}`)).status, 204)
    assertError(await agent.call('DELETE', `/evaluators/${next}`), 409, 'evaluator_in_use')
    await agent.call('DELETE', `/guardrails/${rule}`)
    assert.equal((await agent.call('DELETE', `/evaluators/${next}`)).status, 204)
  })

  it('a rule that is changed or deleted is so for the next prompt', async () => {
    const agent = await service.addAgent()
    const shown = async () =>
      ((await agent.prompt('hello')).ctas as { content: string }[]).map(({ content }) => content)
    const id = await made(agent, '/ctas', { name: 'C', content: 'Look' })
    assert.deepEqual(await shown(), ['Look'])
    await agent.patch(`/ctas/${id}`, { content: 'Look again' })
    assert.deepEqual(await shown(), ['Look again'])
    await agent.call('DELETE', `/ctas/${id}`)
    assert.deepEqual(await shown(), [])
  })
})
