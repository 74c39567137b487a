import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countWork } from '../../src/app/count-work.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const PARKED = {
  ...{ due_at: '9999-12-31T23:59:59.999Z', attempts: 5, failure: 'Error' },
  parked_at: '2026-01-01T00:00:00.000Z',
}

onBothEngines('background work', (service) => {
  const busy = async (agent: TestAgent) =>
    (await agent.get('/work')).body.data.filter((counts: Record<string, number>) =>
      ['waiting', 'leased', 'failed', 'parked'].some((state) => counts[state] !== 0),
    )

  it('GET /work, 200: every kind of work, of this agent only', async () => {
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

  it('GET /work, 200: mails do not wait while there is no mail server', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const { id: operator_id } = await db
      .insertInto('operators')
      .values({
        ...{ team_id: agent.teamId, name: 'G', right: 'read', active: 0 },
        ...{ email: `${agent.agentId}@gone.example`, created_at: '2026-01-01T00:00:00.000Z' },
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const due = { due_at: '2026-01-01T00:00:00.000Z', leased_until: null, sending_since: null }
    await db
      .insertInto('notice_mails')
      .values({ agent_id: agent.agentId, operator_id, ...due })
      .execute()
    await db
      .insertInto('notice_settings')
      .values({
        ...due,
        operator_id,
        choices: '{}',
        after_minutes: 10,
        details: 0,
        time_zone: 'UTC',
      } as never)
      .execute()
    assert.deepEqual(await busy(agent), [])
    const mailed = async (isMailing: boolean) =>
      (await countWork(db, { nowMs: service.clock(), isEmbedding: false, isMailing })).filter(
        ([kind, { waiting }]) => ['notice_mails', 'digests'].includes(kind) && waiting > 0,
      )
    assert.equal((await mailed(true)).length, 2)
    assert.deepEqual(await mailed(false), [])
  })

  /** Parks a piece of an agent behind the back of the worker, which takes five failures otherwise. */
  const parkSummary = (agent: TestAgent, conversation_id: string) =>
    service.app.app.foundation.database.db
      .insertInto('conversation_summaries')
      .values({ agent_id: agent.agentId, conversation_id, ...PARKED })
      .execute()

  it('POST /work/{kind}/retry, 200: all parked pieces of the kind begin again, of this agent only', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { db } = service.app.app.foundation.database
    // The worker finds that there is no such conversation, so that nothing is left to do.
    for (const conversation of ['a', 'b']) await parkSummary(agent, conversation)
    await parkSummary(other, 'c')
    const counted = { waiting: 0, leased: 0, failed: 0 }
    assert.deepEqual(await busy(agent), [{ kind: 'summaries', ...counted, parked: 2, retriable: 2 }])
    const { status, body } = await agent.post('/work/summaries/retry')
    assert.deepEqual([status, body], [200, { data: { kind: 'summaries', retried: 2 } }])
    await becomes(() => busy(agent), [])
    assert.deepEqual(await busy(other), [{ kind: 'summaries', ...counted, parked: 1, retriable: 1 }])
    assert.deepEqual((await agent.post('/work/summaries/retry')).body.data.retried, 0)
    const acts = await db
      .selectFrom('audit')
      .select(['target', 'details'])
      .where('agent_id', '=', agent.agentId)
      .where('action', '=', 'work.retried')
      .execute()
    assert.deepEqual(acts, [{ target: 'work summaries', details: '{"count":2}' }])
  })

  it('POST /work/{kind}/retry, channels: parked chats begin again, and parked messages stay', async () => {
    const agent = await service.addAgent()
    const { db } = service.app.app.foundation.database
    const now = timestamp(Date.now())
    const ofChat = {
      agent_id: agent.agentId,
      channel_id: agent.agentId,
      leased_until: null,
      writable_until: PARKED.parked_at,
    }
    const { id: mailbox_id } = await db
      .insertInto('mailboxes')
      .values({ ...ofChat, thread: 't', ...PARKED } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('mailbox_items')
      .values({
        ...{ mailbox_id, channel_id: agent.agentId, kind: 'message', state: 'parked' },
        // The service removes items a while after they have ended.
        ...{ due_at: now, created_at: now, finished_at: now },
      } as never)
      .execute()
    const channels = async () => {
      const [{ parked, retriable }] = await busy(agent)
      return { parked, retriable }
    }
    assert.deepEqual(await channels(), { parked: 2, retriable: 1 })
    assert.equal((await agent.post('/work/channels/retry')).body.data.retried, 1)
    await becomes(channels, { parked: 1, retriable: 0 })
  })

  it('POST /work/{kind}/retry, 403: not without the right to manage', async () => {
    const agent = await service.addAgent()
    const reader = await service.app.issue({ ...agent, right: 'respond' })
    assertError(await reader.post('/work/summaries/retry'), 403, 'insufficient_right')
  })

  it('POST /work/{kind}/retry, 400: not of a kind that there is not, and not of bulk acts', async () => {
    const agent = await service.addAgent()
    for (const kind of ['unknown', 'bulk_acts']) {
      const answer = await agent.post(`/work/${kind}/retry`)
      assert.deepEqual([kind, answer.status, answer.body.error.code], [kind, 400, 'invalid_request'])
    }
  })
})
