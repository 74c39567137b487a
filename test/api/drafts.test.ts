import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET and PUT /conversations/{id}/draft', (service) => {
  /** A conversation, and a person with calls to its paths. */
  async function begin() {
    const agent = await service.addAgent()
    const { id: completion, conversation_id } = await agent.prompt('Where is my parcel?')
    const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    const path = `/agents/${agent.agentId}/conversations/${conversation_id}`
    const draft = async (mode = 'reply', by: Pick<typeof person, 'call'> = person) =>
      (await by.call('GET', `${path}/draft?mode=${mode}`)).body.data
    const save = (body: object, by: Pick<typeof person, 'call'> = person) =>
      by.call('PUT', `${path}/draft`, body)
    return { agent, completion, conversation_id, person, path, draft, save }
  }

  it('PUT 200 and GET 200: of one person and one mode; another device of theirs has it', async () => {
    const { agent, person, draft, save } = await begin()
    const nothing = { mode: 'reply', content: '', suggested: false, original: null }
    assert.deepEqual(await draft(), { ...nothing, version: 0, updated_at: null })
    const saved = await save({ mode: 'reply', content: 'Dear customer' })
    assert.equal(saved.status, 200, saved.text)
    assert.deepEqual(await draft(), saved.body.data)
    assert.deepEqual([saved.body.data.content, saved.body.data.version], ['Dear customer', 1])
    assert.equal((await draft('note')).content, '')
    const device = openConsole(service.app)
    await device.call('POST', '/session', { email: person.email, password: PASSWORD })
    assert.equal((await draft('reply', device)).content, 'Dear customer')
    const colleague = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    assert.equal((await draft('reply', colleague)).content, '')
    await save({ mode: 'reply', content: '' })
    assert.deepEqual([(await draft()).content, (await draft()).version], ['', 2])
  })

  it('PUT 409 draft_moved: an older version, with the present draft', async () => {
    const { draft, save } = await begin()
    await save({ mode: 'reply', content: 'one', version: 0 })
    await save({ mode: 'reply', content: 'two', version: 1 })
    const late = await save({ mode: 'reply', content: 'from the other device', version: 1 })
    assert.deepEqual([late.status, late.body.error.code], [409, 'draft_moved'])
    assert.deepEqual(late.body.data.draft, await draft())
    assert.equal((await draft()).content, 'two')
  })

  it('of many devices at once one saves a version', async () => {
    const { draft, save } = await begin()
    const devices = Array.from({ length: 6 }, (_, at) => ({
      mode: 'reply',
      content: `device ${at}`,
      version: 0,
    }))
    const answers = await Promise.all(devices.map((body) => save(body)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const [saved] = answers.filter(({ status }) => status === 200)
    assert.deepEqual(await draft(), saved?.body.data)
  })

  for (const [mode, place, sent] of [
    ['reply', 'messages', { content: 'Dear customer' }],
    ['note', 'notes', { text: 'Dear colleague' }],
  ] as const) {
    it(`a ${mode} that was sent leaves no draft, and what comes too late does not bring it back`, async () => {
      const { person, path, draft, save } = await begin()
      const other = mode === 'reply' ? 'note' : 'reply'
      await save({ mode, content: 'Dear' })
      await save({ mode: other, content: 'stays' })
      assert.ok((await person.call('POST', `${path}/${place}`, sent)).status < 300)
      assert.equal((await draft(mode)).content, '')
      const late = await save({ mode, content: 'Dear', version: 1 })
      assert.equal(late.status, 409)
      assert.deepEqual([(await draft(mode)).content, (await draft(other)).content], ['', 'stays'])
    })

    it(`a ${mode} that was sent before its draft was ever saved is not brought back either`, async () => {
      const { person, path, draft, save } = await begin()
      await person.call('POST', `${path}/${place}`, sent)
      assert.equal((await save({ mode, content: 'Dear', version: 0 })).status, 409)
      assert.equal((await draft(mode)).content, '')
    })
  }

  it("a colleague's answer leaves the draft", async () => {
    const { agent, path, draft, save } = await begin()
    await save({ mode: 'reply', content: 'Dear customer' })
    const colleague = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
    await colleague.call('POST', `${path}/messages`, { content: 'I was faster.' })
    await agent.post(`${path.replace(`/agents/${agent.agentId}`, '')}/notes`, { text: 'So was I.' })
    assert.equal((await draft()).content, 'Dear customer')
  })

  for (const mode of ['scrub', 'anonymize'] as const) {
    it(`${mode}: deletes the drafts of the conversation, also a second time`, async () => {
      const { agent, completion, draft, save } = await begin()
      for (const time of [1, 2]) {
        await save({ mode: 'reply', content: `Rebhuhn ${mode}` })
        assert.equal((await agent.post(`/chat/completions/${completion}/${mode}`)).status, 200)
        assert.equal((await draft()).content, '', `time ${time}`)
      }
      if (service.engine === 'sqlite')
        assert.deepEqual(await filesWith(service.app.dataDir, `Rebhuhn ${mode}`), [])
    })
  }

  it('a person who is removed leaves no draft', async () => {
    const { agent, person, save } = await begin()
    await save({ mode: 'reply', content: 'x' })
    assert.equal((await agent.call('DELETE', `/operators/${person.operatorId}`)).status, 204)
    const { db } = service.app.app.foundation.database
    const rows = await db
      .selectFrom('drafts')
      .select('mode')
      .where('operator_id', '=', person.operatorId)
      .execute()
    assert.deepEqual(rows, [])
  })

  for (const [name, body] of [
    ['no mode', { content: 'x' }],
    ['another mode', { mode: 'letter', content: 'x' }],
    ['no content', { mode: 'reply' }],
    ['too long a content', { mode: 'reply', content: 'a'.repeat(100_001) }],
    ['half a version', { mode: 'reply', content: 'x', version: 0.5 }],
    ['a field it does not know', { mode: 'reply', content: 'x', text: 'x' }],
  ] as const) {
    it(`PUT 400: ${name}`, async () => {
      const { draft, save } = await begin()
      assertError(await save(body), 400, 'invalid_request')
      assert.equal((await draft()).version, 0)
    })
  }

  it('403 for tokens and readers, 404 for other conversations, 400 for another mode', async () => {
    const { agent, conversation_id, person, path } = await begin()
    const body = { mode: 'reply', content: 'x' }
    assertError(await agent.get(`/conversations/${conversation_id}/draft`), 403, 'operator_needed')
    assertError(
      await agent.call('PUT', `/conversations/${conversation_id}/draft`, body),
      403,
      'operator_needed',
    )
    const reader = await signInNew(service.app, { teamId: agent.teamId, right: 'read' })
    assertError(await reader.call('PUT', `${path}/draft`, body), 403, 'insufficient_right')
    const elsewhere = `/agents/${agent.agentId}/conversations/${crypto.randomUUID()}/draft`
    assertError(await person.call('GET', elsewhere), 404, 'conversation_not_found')
    assertError(await person.call('PUT', elsewhere, body), 404, 'conversation_not_found')
    assertError(await person.call('GET', `${path}/draft?mode=letter`), 400, 'invalid_request')
  })
})
