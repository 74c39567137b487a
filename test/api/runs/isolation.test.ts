import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { becomes } from '../../support/becomes.ts'
import { addDataset, asks, runOf } from '../../support/datasets.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { startPeer } from '../../support/peer.ts'

/** Tables that a run may change: its own, the audit log of its start, the cost of its model calls, and processes. */
const OF_RUNS = ['test_runs', 'test_results', 'case_texts', 'audit', 'usage_shards', 'processes']

onBothEngines('a test run', (service) => {
  /** The number of rows in each other table. */
  async function rows(): Promise<Record<string, number>> {
    const { db } = service.app.app.foundation.database
    const counts: Record<string, number> = {}
    for (const { name } of await db.introspection.getTables()) {
      if (OF_RUNS.includes(name)) continue
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
        db,
      )
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  }

  it('changes nothing that anybody sees: no row elsewhere, no webhook, no call of a tool, no automation', async () => {
    const agent = await service.addAgent({ settings: { handoff: true } })
    await using peer = await startPeer((response) => response.end('{"score":1}'))
    await agent.post('/knowledge', { title: 'Returns', content: 'Bicycles can be returned within 30 days.' })
    const notification = { name: 'N', url: peer.url, events: ['response_end', 'error', 'guardrail_trigger'] }
    await agent.post('/notifications', notification)
    await agent.post('/tools', {
      kind: 'http',
      name: 'look_up',
      description: 'Looks up an order.',
      parameters: { type: 'object', properties: {} },
      url: `${peer.url}/orders`,
    })
    const evaluator = { name: 'W', kind: 'webhook', settings: { url: peer.url } }
    const evaluator_id = (await agent.post('/evaluators', evaluator)).body.data.id
    await agent.post('/guardrails', { name: 'G', on: 'prompt', evaluator_id, action: 'flag' })
    await agent.post('/automations', { name: 'A', actions: [{ type: 'call_webhook', url: peer.url }] })
    await agent.post('/ctas', { name: 'C', content: 'Call us' })
    await agent.prompt('Hello')
    const { id } = await addDataset(agent, [
      asks('Where is it?', [], { tool_results: [{ name: 'look_up', result: 'sent' }] }),
      asks('Person!'),
      asks('Where do llamas sleep?'),
      asks('Boom'),
    ])
    const call = (name: string) => ({
      tool_calls: [{ id: 'c', type: 'function' as const, function: { name, arguments: '{}' } }],
    })
    // Whom the prompt is told to is decided meanwhile.
    await becomes(async () => (await rows()).notice_causes, 0)
    const before = await rows()
    const audited = (await agent.get('/audit')).body.data.length
    const calls = peer.requests.length
    service.model.next(call('look_up'), call('request_person'), { text: 'I do not know.' }, { status: 500 })
    const run = await runOf(agent, id)
    assert.equal(run.passed + run.failed, 4)
    assert.deepEqual(await rows(), before)
    assert.equal((await agent.get('/audit')).body.data.length, audited + 1, 'only that it was started')
    const ofPeer = peer.requests.slice(calls).map(({ path }) => path)
    assert.deepEqual(
      ofPeer.filter((path) => path !== '/'),
      [],
      'no tool is called',
    )
  })
})
