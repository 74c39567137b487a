import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../../support/app.ts'
import { addDataset, asks, runOf } from '../../support/datasets.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

onBothEngines('datasets', (service) => {
  it('POST 201, GET 200 and PATCH 200: a name, and how many cases there are', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('One?'), asks('Two?')])
    const { body } = await agent.get(`/datasets/${id}`)
    const { created_at, updated_at, version, ...rest } = body.data
    assert.deepEqual(rest, { id, name: 'Returns', cases: 2 })
    assert.ok(updated_at >= created_at)
    const changed = await agent.patch(`/datasets/${id}`, { name: 'Refunds' })
    assert.deepEqual([changed.status, changed.body.data.name], [200, 'Refunds'])
  })

  it('GET 200: those of the agent, newest first', async () => {
    const agent = await service.addAgent()
    const first = await addDataset(agent)
    const second = await addDataset(agent, [asks('One?')])
    await addDataset(await service.addAgent())
    const { body } = await agent.get('/datasets')
    assert.deepEqual(
      body.data.map(({ id, cases }: { id: number; cases: number }) => [id, cases]),
      [
        [second.id, 1],
        [first.id, 0],
      ],
    )
  })

  it('DELETE 204: with its cases and runs', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('One?'), asks('Two?')])
    const run = await runOf(agent, id)
    assert.equal((await agent.call('DELETE', `/datasets/${id}`)).status, 204)
    assertError(await agent.get(`/datasets/${id}`), 404, 'dataset_not_found')
    assertError(await agent.get(`/datasets/${id}/cases`), 404, 'dataset_not_found')
    assertError(await agent.get(`/runs/${run.id}`), 404, 'run_not_found')
    const { db } = service.app.app.foundation.database
    for (const table of ['dataset_cases', 'case_texts', 'test_runs', 'test_results'] as const) {
      const rows = await db.selectFrom(table).select('id').where('agent_id', '=', agent.agentId).execute()
      assert.deepEqual(rows, [], table)
    }
  })

  it("404: another agent's", async () => {
    const { id } = await addDataset(await service.addAgent(), [asks('One?')])
    const agent = await service.addAgent()
    assertError(await agent.get(`/datasets/${id}`), 404, 'dataset_not_found')
    assertError(await agent.patch(`/datasets/${id}`, { name: 'x' }), 404, 'dataset_not_found')
    assertError(await agent.call('DELETE', `/datasets/${id}`), 404, 'dataset_not_found')
    assertError(await agent.post('/runs', { dataset_id: id }), 404, 'dataset_not_found')
    assertError(await agent.get(`/runs?dataset_id=${id}`), 404, 'dataset_not_found')
  })

  it('POST 400: no name, or a field that is not known', async () => {
    const agent = await service.addAgent()
    for (const [body, param] of [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'x', cases: [] }, 'cases'],
    ] as const) {
      const answer = await agent.post('/datasets', body)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param)
    }
  })

  it('403: changing them needs the right to manage', async () => {
    const { agentId, teamId } = await service.addAgent()
    const agent = await service.app.issue({ agentId, teamId, right: 'respond' })
    assertError(await agent.post('/datasets', { name: 'x' }), 403, 'insufficient_right')
    assert.equal((await agent.get('/datasets')).status, 200)
  })
})
