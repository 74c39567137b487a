import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('/operators', (service) => {
  /** A team of its own, with one owner. */
  async function ownTeam() {
    const { teamId } = await service.addAgent()
    return { teamId, owner: await signInNew(service.app, { teamId, right: 'own' }) }
  }
  const unique = () => `person-${crypto.randomUUID()}@example.com`

  it('GET 200 lists the people of the team and of no other', async () => {
    const { owner } = await ownTeam()
    await ownTeam()
    const { status, body } = await owner.call('GET', '/operators')
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map(({ id, right, active }: Record<string, unknown>) => ({ id, right, active })),
      [{ id: owner.operatorId, right: 'own', active: true }],
    )
  })

  for (const right of ['read', 'respond', 'manage'] as const) {
    it(`403 insufficient_right for a person who may ${right}`, async () => {
      const { owner, teamId } = await ownTeam()
      const person = await signInNew(service.app, { teamId, right })
      const answers = [
        await person.call('GET', '/operators'),
        await person.call('POST', '/operators', { email: unique(), right: 'own' }),
        await person.call('PATCH', `/operators/${person.operatorId}`, { right: 'own' }),
        await person.call('DELETE', `/operators/${owner.operatorId}`),
        await person.call('POST', `/operators/${owner.operatorId}/reset`),
      ]
      for (const answer of answers) assertError(answer, 403, 'insufficient_right')
      assert.match(answers[0]?.body.error.message, /'own'/)
    })
  }

  it('POST 201 invites; without a name it is the first part of the address', async () => {
    const { owner } = await ownTeam()
    const { status, body } = await owner.call('POST', '/operators', {
      email: 'Ada.L@Example.com',
      right: 'manage',
    })
    assert.equal(status, 201)
    assert.equal(body.data.email, 'ada.l@example.com')
    assert.equal(body.data.name, 'ada.l')
    assert.equal(body.data.right, 'manage')
    assert.equal(body.data.last_seen_at, null)
  })

  it('POST 409 email_taken for an address that anybody in the installation has, in any case', async () => {
    const { owner } = await ownTeam()
    const other = await ownTeam()
    const answer = await owner.call('POST', '/operators', {
      email: other.owner.email.toUpperCase(),
      right: 'read',
    })
    assertError(answer, 409, 'email_taken')
    assert.equal(answer.body.error.param, 'email')
  })

  for (const [name, body] of Object.entries({
    'an address without @': { email: 'ada', right: 'read' },
    'an address with a line break': { email: 'a\r\nbcc: x@example.com', right: 'read' },
    'the right chat': { email: 'a@example.com', right: 'chat' },
    'an unknown field': { email: 'a@example.com', right: 'read', admin: true },
  })) {
    it(`POST 400 for ${name}`, async () => {
      const { owner } = await ownTeam()
      assertError(await owner.call('POST', '/operators', body), 400, 'invalid_request')
    })
  }

  it('PATCH 200 changes name, right and activity; 404 for a person of another team', async () => {
    const { owner, teamId } = await ownTeam()
    const person = await signInNew(service.app, { teamId, right: 'read' })
    const changed = await owner.call('PATCH', `/operators/${person.operatorId}`, {
      right: 'manage',
      name: 'New Name',
    })
    assert.equal(changed.status, 200)
    assert.equal(changed.body.data.right, 'manage')
    assert.equal(changed.body.data.display_name, 'New')
    const stranger = await ownTeam()
    const answer = await stranger.owner.call('PATCH', `/operators/${person.operatorId}`, { right: 'read' })
    assertError(answer, 404, 'operator_not_found')
  })

  it('409 last_owner: the last active owner can be neither lowered, disabled nor removed', async () => {
    const { owner, teamId } = await ownTeam()
    const path = `/operators/${owner.operatorId}`
    for (const patch of [{ right: 'manage' }, { active: false }])
      assertError(await owner.call('PATCH', path, patch), 409, 'last_owner')
    assertError(await owner.call('DELETE', path), 409, 'last_owner')
    const second = await signInNew(service.app, { teamId, right: 'own' })
    assert.equal(
      (await owner.call('PATCH', `/operators/${second.operatorId}`, { active: false })).status,
      200,
    )
    assertError(await owner.call('DELETE', path), 409, 'last_owner')
  })

  it('two owners who remove each other at the same moment leave one', async () => {
    const { owner, teamId } = await ownTeam()
    const second = await signInNew(service.app, { teamId, right: 'own' })
    const answers = await Promise.all([
      owner.call('DELETE', `/operators/${second.operatorId}`),
      second.call('DELETE', `/operators/${owner.operatorId}`),
    ])
    const gone = answers.filter(({ status }) => status === 204)
    assert.equal(gone.length, 1, JSON.stringify(answers.map(({ status }) => status)))
  })

  it('DELETE 204 removes a person and ends their sessions', async () => {
    const { owner, teamId } = await ownTeam()
    const person = await signInNew(service.app, { teamId, right: 'respond' })
    assert.equal((await owner.call('DELETE', `/operators/${person.operatorId}`)).status, 204)
    assertError(await person.call('GET', '/session'), 403, 'no_session')
    assertError(await owner.call('DELETE', `/operators/${person.operatorId}`), 404, 'operator_not_found')
  })

  it('each act is in the audit with who did it and without addresses of people', async () => {
    const { owner, teamId } = await ownTeam()
    const email = unique()
    const { id } = (await owner.call('POST', '/operators', { email, right: 'read' })).body.data
    await owner.call('PATCH', `/operators/${id}`, { right: 'manage', name: 'Secret Name' })
    await owner.call('POST', `/operators/${id}/reset`)
    await owner.call('DELETE', `/operators/${id}`)
    const rows = await service.app.app.foundation.database.db
      .selectFrom('audit')
      .selectAll()
      .where('team_id', '=', teamId)
      .where('target', '=', `operator ${id}`)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['operator.invited', 'operator.changed', 'operator.reset', 'operator.removed'],
    )
    assert.ok(
      rows.every(({ actor_kind, actor_id }) => actor_kind === 'operator' && actor_id === owner.operatorId),
    )
    assert.ok(!JSON.stringify(rows).includes(email) && !JSON.stringify(rows).includes('Secret Name'))
  })
})
