import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestAgent } from './app.ts'

/** Creates a dataset with cases. */
export async function addDataset(agent: TestAgent, cases: object[] = [], name = 'Returns') {
  const made = await agent.post('/datasets', { name })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body.data
  const ids: number[] = []
  for (const one of cases) {
    const { status, body, text } = await agent.post(`/datasets/${id}/cases`, one)
    assert.equal(status, 201, text)
    ids.push(body.data.id)
  }
  return { id: id as number, cases: ids }
}

/** Returns a case that asks one question. */
export function asks(content: string, expectations: object[] = [], more: object = {}) {
  return { messages: [{ role: 'user', content }], expectations, ...more }
}

export async function startRun(agent: TestAgent, datasetId: number, more: object = {}): Promise<number> {
  const { status, body, text } = await agent.post('/runs', { dataset_id: datasetId, ...more })
  assert.equal(status, 201, text)
  return body.data.id
}

/** Returns a run once it has ended. */
export async function endOfRun(agent: TestAgent, id: number, query = '') {
  const until = Date.now() + 30_000
  for (;;) {
    const { body, text } = await agent.get(`/runs/${id}${query}`)
    assert.ok(body.data, text)
    if (body.data.status === 'done' || body.data.status === 'failed') return body.data
    assert.ok(Date.now() < until, text)
    await wait(25)
  }
}

export async function runOf(agent: TestAgent, datasetId: number, more: object = {}) {
  return endOfRun(agent, await startRun(agent, datasetId, more))
}
