import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS, timestamp } from '../../src/lib/clock.ts'
import type { DeliveryState } from '../../src/notifications/tables.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { ADDRESSES, addWidget } from '../support/widget-visitors.ts'

onBothEngines(
  'lists that say what their things did',
  (service) => {
    const database = () => service.app.app.foundation.database.db

    it('GET /channels: when somebody last wrote through each, and what was given up', async () => {
      const agent = await service.addAgent()
      const add = async (name: string) =>
        (await agent.post('/channels', { kind: 'helpdesk', name, settings: {} })).body.data
      const [used, unused] = [await add('used'), await add('unused')]
      assert.equal('activity' in (await agent.get(`/channels/${used.id}`)).body.data, false)
      const { id } = await agent.prompt('hello')
      const created_at = timestamp(Date.now())
      await agent.prompt('through the API')
      await database().updateTable('completions').set({ channel_id: used.id }).where('id', '=', id).execute()
      const mailbox = { channel_id: used.id, agent_id: agent.agentId, thread: 'ann', writable_until: '' }
      const { id: mailbox_id } = await database()
        .insertInto('mailboxes')
        .values(mailbox)
        .returning('id')
        .executeTakeFirstOrThrow()
      const item = {
        mailbox_id,
        channel_id: used.id,
        source_id: null,
        kind: 'send' as const,
        payload: null,
        message_id: null,
        completion_id: null,
        retry_key: null,
        due_at: created_at,
        created_at,
        finished_at: created_at,
        error: 'failed',
      }
      await database()
        .insertInto('mailbox_items')
        .values([
          { ...item, state: 'parked' },
          { ...item, state: 'done' },
        ])
        .execute()
      const { last_message_at } = await database()
        .selectFrom('completions')
        .select('created_at as last_message_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { data } = (await agent.get('/channels')).body
      assert.deepEqual(
        data.map(({ id, activity }: { id: number; activity: unknown }) => [id, activity]),
        [
          [unused.id, { last_message_at: null, parked: 0, token_refused: false }],
          [used.id, { last_message_at, parked: 1, token_refused: false }],
        ],
      )
      const refused = async () =>
        (await agent.get('/channels')).body.data.find((one: { id: number }) => one.id === used.id).activity
          .token_refused
      await database()
        .insertInto('mailbox_items')
        .values({ ...item, state: 'parked', error: 'unauthorized' })
        .execute()
      assert.equal(await refused(), true)
      await database()
        .updateTable('channels')
        .set({ updated_at: timestamp(Date.now() + 1000) })
        .where('id', '=', used.id)
        .execute()
      assert.equal(await refused(), false, 'after a change of the channel')
      await database().deleteFrom('mailbox_items').where('channel_id', '=', used.id).execute()
    })

    it('GET /notifications: the last delivery that ended, or else the newest', async () => {
      const agent = await service.addAgent()
      const add = async (name: string) =>
        (
          await agent.post('/notifications', {
            name,
            url: 'http://127.0.0.1:9/',
            events: ['*'],
            active: false,
          })
        ).body.data.id as number
      const [ended, waiting, unused] = [await add('ended'), await add('waiting'), await add('unused')]
      const delivery = (
        notification_id: number,
        state: DeliveryState,
        finished_at: string | null,
        status: number | null = null,
      ) => ({
        notification_id,
        agent_id: agent.agentId,
        event_id: null,
        event_key: 'prompt_submit',
        completion_id: null,
        state,
        created_at: '2026-01-01T00:00:00.000Z',
        sent_at: finished_at,
        finished_at,
        status,
      })
      await database()
        .insertInto('deliveries')
        .values([
          delivery(ended, 'delivered', '2026-01-01T00:00:01.000Z', 200),
          delivery(ended, 'rejected', '2026-01-01T00:00:02.000Z', 503),
          delivery(ended, 'expired', null),
          delivery(waiting, 'expired', null),
        ])
        .execute()
      const { data } = (await agent.get('/notifications')).body
      const shown = data.map(
        ({ id, last_delivery: last }: { id: number; last_delivery: Record<string, unknown> | null }) => [
          id,
          last && [last.event_key, last.state, last.at, last.status, last.failure],
        ],
      )
      assert.deepEqual(shown, [
        [unused, null],
        [waiting, ['prompt_submit', 'expired', '2026-01-01T00:00:00.000Z', null, null]],
        [ended, ['prompt_submit', 'rejected', '2026-01-01T00:00:02.000Z', 503, null]],
      ])
    })

    it('GET /widgets: how many visitors each had in 30 days, and when it was last written', async () => {
      const agent = await service.addAgent()
      const [used, unused] = [await addWidget(service.app, agent), await addWidget(service.app, agent)]
      const activityOf = async (id: number) =>
        (await agent.get('/widgets')).body.data.find((one: { id: number }) => one.id === id).activity
      const [first, second] = [await used.visit(), await used.visit()]
      for (const visitor of [first, first, second]) assert.equal((await visitor.say('hello')).status, 200)
      const { last_message_at } = await database()
        .selectFrom('inbox_rows')
        .select(({ fn }) => fn.max('last_message_at').as('last_message_at'))
        .where('agent_id', '=', agent.agentId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(await activityOf(used.id), { visitors: 2, last_message_at })
      assert.deepEqual(await activityOf(unused.id), { visitors: 0, last_message_at: null })
      service.clock = () => Date.now() + 31 * DAY_MS
      const late = await used.visit()
      assert.equal((await late.say('hello')).status, 200)
      const later = await activityOf(used.id)
      assert.equal(later.visitors, 1)
      assert.ok(later.last_message_at > timestamp(Date.now() + 30 * DAY_MS), later.last_message_at)
    })
  },
  ADDRESSES,
)
