import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('GET /work', (service) => {
  const busy = async (agent: TestAgent) =>
    (await agent.get('/work')).body.data.filter((counts: Record<string, number>) =>
      ['waiting', 'leased', 'failed', 'parked'].some((state) => counts[state] !== 0),
    )

  it('200: every kind of work, of this agent only', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    await using embedding = await startEmbeddingServer()
    embedding.failure = { status: 500 }
    const { status, text } = await agent.patch('/agent', {
      embedding: { url: embedding.url, name: 'm' },
    })
    assert.equal(status, 200, text)
    await agent.post('/knowledge', { title: 'T', content: 'A text.' })
    await becomes(
      async () => (await busy(agent)).map(({ kind, failed }: Record<string, unknown>) => [kind, failed]),
      [['embeddings', 1]],
    )
    assert.deepEqual(await busy(other), [])
    const { data } = (await other.get('/work')).body
    assert.deepEqual(
      data.map(({ kind }: { kind: string }) => kind),
      [
        'channels',
        'fetches',
        'automations',
        'desk_automations',
        'bulk_acts',
        'snoozes',
        'away_messages',
        'notices',
        'notice_mails',
        'notice_pushes',
        'silences',
        'targets',
        'target_recounts',
        'support_figures',
        'imports',
        'test_runs',
        'embeddings',
        'calibrations',
        'summaries',
        'proposals',
      ],
    )
  })
})
