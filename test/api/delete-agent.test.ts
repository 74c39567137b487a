import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { eraseAgents } from '../../src/agents/erase-agents.ts'
import { guideAgentId } from '../../src/agents/first-agent.ts'
import { agentRows } from '../../src/app/agent-rows.ts'
import { openErasures } from '../../src/app/open-erasures.ts'
import { removeFilesOf } from '../../src/files/remove-files.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { figuresCounted } from '../support/figures-counted.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { placesInDatabase } from '../support/places-in-database.ts'

const WORD = 'Schmetterlingsflieder'

/** An agent that has rows in many tables, each text with a word that stands nowhere else. */
async function fill(agent: TestAgent): Promise<void> {
  await agent.patch('/agent', { name: WORD, instructions: WORD, model: { parameters: { stop: WORD } } })
  const length = { name: WORD, kind: 'length', settings: { max: 5 } }
  const evaluator = (await agent.post('/evaluators', length)).body.data.id
  const guardrail = { name: WORD, on: 'prompt', evaluator_id: evaluator, action: 'flag' }
  for (const [path, body] of [
    ['/guardrails', guardrail],
    ['/ctas', { name: WORD, content: WORD }],
    ['/automations', { name: WORD, actions: [{ type: 'add_note', text: WORD }] }],
    ['/knowledge', { title: WORD, content: `# ${WORD}\n\n${WORD} grows here.` }],
    ['/notifications', { name: WORD, url: 'http://127.0.0.1:9/', events: ['*'] }],
    ['/widgets', { name: WORD, texts: { en: { greeting: WORD } } }],
    ['/channels', { kind: 'helpdesk', name: WORD }],
    ['/tools', { kind: 'http', name: 'look_up', description: WORD, url: 'http://127.0.0.1:9/' }],
  ] as const) {
    const made = await agent.post(path, body)
    assert.ok(made.status < 300, `${path}: ${made.text}`)
  }
  for (const external_id of [`a ${agent.agentId}`, `b ${agent.agentId}`])
    await agent.prompt(`${WORD}?`, { external_id, user: WORD, device_id: WORD, session_id: WORD })
}

onBothEngines('DELETE /agents/{id}', (service) => {
  /** The number of the agent's rows in each table that has an `agent_id`, but for the audit log and receipts. */
  async function countsOf(agentId: number): Promise<Record<string, number>> {
    const { db } = service.app.app.foundation.database
    const tables = await db.introspection.getTables()
    const counts: Record<string, number> = {}
    for (const { name, columns } of tables) {
      if (name === 'audit' || name === 'erasures' || !columns.some((column) => column.name === 'agent_id'))
        continue
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(name)} where agent_id = ${agentId}`.execute(db)
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  }
  const listed = async (owner: TestAgent) =>
    (await owner.get('/agents')).body.data as { id: number; deletion: { rows_erased: number } | null }[]

  it('every table that knows agents is among those that are erased', async () => {
    const known = new Set<string>(agentRows.map(({ table }) => table))
    assert.deepEqual(
      Object.keys(await countsOf(0)).filter((table) => !known.has(table)),
      [],
    )
  })

  it('404 for another team, 409 agent_in_use until it is paused', async () => {
    const agent = await service.addAgent()
    const stranger = await service.addAgent()
    const path = `/agents/${agent.agentId}`
    assertError(await stranger.call('DELETE', path), 404, 'agent_not_found')
    assertError(await agent.call('DELETE', path), 409, 'agent_in_use')
    assert.equal((await agent.get('/agent')).status, 200)
  })

  it('202: it is gone at once, its data soon, and nothing of a sibling', async () => {
    const sibling = await service.addAgent()
    await fill(sibling)
    const agent = await service.addAgent({ teamId: sibling.teamId })
    await fill(agent)
    const owner = await signInNew(service.app, { teamId: agent.teamId, right: 'own' })
    await figuresCounted(service.app.app.foundation.database.db)
    const { notice_causes: _, notices = 0, ...kept } = await countsOf(sibling.agentId)
    assert.ok(Object.values(await countsOf(agent.agentId)).filter((count) => count > 0).length > 15)
    await agent.post('/pause')
    assert.equal((await sibling.call('DELETE', `/agents/${agent.agentId}`)).status, 202)
    assertError(await agent.get('/agent'), 403, 'invalid_credentials')
    assertError(await owner.call('GET', `/agents/${agent.agentId}/agent`), 404, 'agent_not_found')
    assertError(await sibling.call('DELETE', `/agents/${agent.agentId}`), 404, 'agent_not_found')
    assertError(await sibling.post(`/agents/${agent.agentId}/keys`), 404, 'agent_not_found')
    await until(async () => (await listed(sibling)).every(({ id }) => id !== agent.agentId))
    const left = Object.entries(await countsOf(agent.agentId)).filter(([, count]) => count > 0)
    assert.deepEqual(left, [])
    // The webhooks that fail, and who waits, are told to people meanwhile.
    const { notice_causes: __, notices: told = 0, ...now } = await countsOf(sibling.agentId)
    assert.deepEqual(now, kept)
    assert.ok(told >= notices, `${told} of ${notices} notices are left`)
    const { body } = await sibling.get('/audit?per_page=100')
    const acts = body.data.filter(({ target }: { target: string }) => target === `agent ${agent.agentId}`)
    assert.deepEqual(acts.map(({ action }: { action: string }) => action).slice(0, 2), [
      'agent.erased',
      'agent.deleted',
    ])
  })
})

onBothEngines(
  'erasing deleted agents where no worker runs',
  (service) => {
    it('goes on where it was stopped, tells how far it is, and leaves nothing in the files', async () => {
      const owner = await service.addAgent()
      const agent = await service.addAgent({ teamId: owner.teamId })
      await fill(agent)
      await agent.post('/pause')
      assert.equal((await owner.call('DELETE', `/agents/${agent.agentId}`)).status, 202)
      const { database, clock } = service.app.app.foundation
      const guide = { name: 'guide_agent', value: String(agent.agentId) }
      await database.db.insertInto('installation').values(guide).execute()
      // Otherwise a start would give this agent the documentation.
      assert.equal(await guideAgentId(database.db), null)
      const deletion = async () => {
        const { body } = await owner.get('/agents')
        return body.data.find(({ id }: { id: number }) => id === agent.agentId)?.deletion
      }
      assert.equal((await deletion()).rows_erased, 0)
      // The deletion stops after the first tables, since a process may end at any place.
      const stopping = new AbortController()
      const rows = agentRows.map((ofTable) => ({
        ...ofTable,
        get key() {
          if (ofTable.table === 'messages') stopping.abort()
          return ofTable.key
        },
      }))
      const erasures = await openErasures(service.app.app.foundation)
      const places = placesInDatabase(database.db)
      const removeFiles = (agentId: number, counted: (removed: number) => Promise<void>) =>
        removeFilesOf({ db: database.db, places }, agentId, counted)
      await eraseAgents({ ...database, clock, rows, erasures, removeFiles }, stopping.signal)
      assert.ok((await deletion()).rows_erased > 0)
      const whole = { ...database, clock, rows: agentRows, erasures, removeFiles }
      await eraseAgents(whole, new AbortController().signal)
      assert.equal(await deletion(), undefined)
      assert.equal(await guideAgentId(database.db), null)
      if (service.engine === 'sqlite') assert.deepEqual(await filesWith(service.app.dataDir, WORD), [])
    })
  },
  { PARLEY_ROLES: 'api' },
)
