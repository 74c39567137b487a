import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { openConsole, signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('/console/api/agents/{agent_id}', (service) => {
  it('a person prompts, reads and changes each agent of their team', async () => {
    const first = await service.addAgent()
    const second = await service.addAgent({ teamId: first.teamId })
    const person = await signInNew(service.app, { teamId: first.teamId, right: 'manage' })
    for (const { agentId } of [first, second]) {
      const at = `/agents/${agentId}`
      const changed = await person.call('PATCH', `${at}/agent`, { name: `Agent ${agentId}` })
      assert.equal(changed.body.data.name, `Agent ${agentId}`)
      const messages = [{ role: 'user', content: 'hello' }]
      const { status, body } = await person.call('POST', `${at}/chat/completions`, { messages })
      assert.equal(status, 200)
      const listed = await person.call('GET', `${at}/conversations`)
      assert.deepEqual(
        listed.body.data.map(({ id }: { id: string }) => id),
        [body.conversation_id],
      )
    }
  })

  it("404 agent_not_found for another team's agent and for what no id can be", async () => {
    const { teamId } = await service.addAgent()
    const stranger = await service.addAgent()
    const person = await signInNew(service.app, { teamId, right: 'own' })
    for (const id of [stranger.agentId, 2_147_483_648, '01', 'x', '-1', '9007199254740993'])
      for (const [method, path] of [
        ['GET', '/agent'],
        ['GET', '/conversations'],
        ['POST', '/pause'],
      ] as const)
        assertError(await person.call(method, `/agents/${id}${path}`), 404, 'agent_not_found')
  })

  it('403 no_session without one, also with valid key and token; /api/v1 never looks at a cookie', async () => {
    const agent = await service.addAgent()
    const nobody = openConsole(service.app)
    const answer = await nobody.call('GET', `/agents/${agent.agentId}/agent`, undefined, agent.headers)
    assertError(answer, 403, 'no_session')
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    const withCookie = await fetch(`${service.app.baseUrl}/agent`, { headers: { cookie: person.cookie } })
    assert.equal(withCookie.status, 403)
    const { error } = (await withCookie.json()) as { error: { code: string } }
    assert.equal(error.code, 'invalid_credentials')
  })

  it('403 cross_site for what changes something and comes from elsewhere', async () => {
    const { agentId, teamId } = await service.addAgent()
    const person = await signInNew(service.app, { teamId, right: 'own' })
    for (const headers of [{ origin: 'https://elsewhere.example' }, { 'x-parley-console': '' }])
      assertError(
        await person.call('POST', `/agents/${agentId}/pause`, undefined, headers as Record<string, string>),
        403,
        'cross_site',
      )
  })

  it("a person's answer carries their display name; one that names an author: 400", async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt('hello')
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const place = `/agents/${agent.agentId}/conversations/${conversation_id}/messages`
    assert.equal((await person.call('POST', place, { content: 'I am here.' })).body.data.author, 'Test')
    await person.call('PATCH', '/profile', { display_name: 'Ann from support' })
    assert.equal(
      (await person.call('POST', place, { content: 'Still here.' })).body.data.author,
      'Ann from support',
    )
    const forged = await person.call('POST', place, { content: 'x', author: 'The Boss' })
    assertError(forged, 400, 'invalid_request')
    assert.equal(forged.body.error.param, 'author')
    const { body } = await agent.post(`/conversations/${conversation_id}/messages`, {
      content: 'From a helpdesk.',
      author: 'Bob',
    })
    assert.equal(body.data.author, 'Bob')
  })

  it('400 for a query parameter that is not known, as under /api/v1', async () => {
    const { agentId, teamId } = await service.addAgent()
    const person = await signInNew(service.app, { teamId, right: 'own' })
    for (const path of [`/agents/${agentId}/ctas?x=1`, '/operators?x=1'])
      assertError(await person.call('GET', path), 400, 'invalid_request')
  })
})
