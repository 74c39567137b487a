import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { readInboxCounts } from '../../src/inbox/inbox-counts.ts'
import { isInScope } from '../../src/transcripts/conversations/in-scope.ts'
import { priorities } from '../../src/transcripts/conversations/priority.ts'
import type { ConversationRow } from '../../src/transcripts/tables.ts'
import type { TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

/** Acts of people and end users, each on one of a few conversations. */
const acts = [
  'prompt',
  'prompt anew',
  'wait',
  'answer',
  'pause',
  'resume',
  'end',
  'assign first',
  'assign second',
  'assign nobody',
  'prioritize',
  'snooze',
  'unsnooze',
  'group first',
  'group second',
  'group none',
  'tag',
  'flag',
  'scrub',
  'pause agent',
  'resume agent',
] as const

const history = fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat(4)), { minLength: 5, maxLength: 25 })

onBothEngines('the counts of an inbox', (service) => {
  const people: number[] = []
  const groups: number[] = []
  let owner: TestAgent
  before(async () => {
    owner = await service.addAgent()
    for (const name of ['first', 'second']) groups.push((await owner.post('/groups', { name })).body.data.id)
    for (let count = 0; count < 2; count++)
      people.push((await signInNew(service.app, { teamId: owner.teamId, right: 'respond' })).operatorId)
  })

  const database = () => service.app.app.foundation.database.db

  /** Counts from the conversations themselves. */
  async function recount(agentId: number, isSeen: (row: ConversationRow) => boolean = () => true) {
    const rows = await database()
      .selectFrom('conversations')
      .selectAll()
      .where('agent_id', '=', agentId)
      .execute()
    const going = rows.filter((row) => row.ended_at === null && isSeen(row))
    const open = going.filter(({ snoozed_until }) => snoozed_until === null)
    return {
      rows,
      counts: {
        waiting: open.filter(({ waiting_since }) => waiting_since !== null).length,
        mine: open.filter(({ assignee_id }) => assignee_id === people[0]).length,
        unassigned: open.filter(({ assignee_id }) => assignee_id === null).length,
        open: open.length,
        snoozed: going.length - open.length,
      },
    }
  }

  /** Compares everything that the triggers keep with the data that it is derived from. */
  async function check(agentId: number) {
    const { rows, counts } = await recount(agentId)
    const person = people[0] ?? 0
    assert.deepEqual(await readInboxCounts(database(), agentId, person, null), counts)
    for (const seen of [[], [groups[0] ?? 0], [0, groups[1] ?? 0]]) {
      const scope = { operatorId: person, groups: seen }
      const { counts } = await recount(agentId, (row) => isInScope(row, scope))
      assert.deepEqual(await readInboxCounts(database(), agentId, person, scope), counts, `groups ${seen}`)
    }
    const kept = await database()
      .selectFrom('inbox_rows')
      .selectAll()
      .where('agent_id', '=', agentId)
      .orderBy('sequence')
      .execute()
    const messages = await database()
      .selectFrom('messages')
      .select(['id', 'conversation_id', 'created_at'])
      .where('agent_id', '=', agentId)
      .where('role', 'in', ['user', 'assistant', 'operator'])
      .orderBy('id')
      .execute()
    const last = new Map(messages.map((message) => [message.conversation_id, message]))
    const expected = rows
      .toSorted((a, b) => a.sequence - b.sequence)
      .map((row) => ({
        conversation_id: row.id,
        agent_id: agentId,
        sequence: row.sequence,
        state: row.ended_at !== null ? 2 : row.snoozed_until !== null ? 3 : row.assignee_id === null ? 0 : 1,
        is_paused: row.ended_at === null && row.snoozed_until === null ? row.agent_paused : 0,
        assignee_id: row.assignee_id ?? 0,
        group_id: row.group_id ?? 0,
        waiting_since: row.snoozed_until === null ? row.waiting_since : null,
        channel_id: row.channel_id,
        user_id: row.user_id,
        language: row.language,
        last_message_id: last.get(row.id)?.id ?? 0,
        last_message_at: last.get(row.id)?.created_at ?? null,
        priority: row.priority,
        outcome: row.ended_at === null ? null : row.outcome,
        due_at: row.due_at,
      }))
    assert.deepEqual(kept, expected)
    const tags = await database()
      .selectFrom('conversation_tags')
      .select(['conversation_id', 'name', 'value'])
      .where('agent_id', '=', agentId)
      .orderBy('conversation_id')
      .orderBy('name')
      .execute()
    const tagged = rows
      .flatMap(({ id, tags }) =>
        Object.entries(JSON.parse(tags ?? '{}') as Record<string, unknown>).map(([name, value]) => ({
          conversation_id: id,
          name,
          value: String(value),
        })),
      )
      .toSorted((a, b) => (a.conversation_id + a.name < b.conversation_id + b.name ? -1 : 1))
    assert.deepEqual(tags, tagged)
    // What has ended neither waits nor is snoozed.
    assert.deepEqual(
      rows.filter(
        ({ ended_at, waiting_since, snoozed_until }) =>
          ended_at !== null && (waiting_since ?? snoozed_until) !== null,
      ),
      [],
    )
  }

  async function act(agent: TestAgent, name: (typeof acts)[number], place: number, ids: string[]) {
    const id = ids[place % ids.length] ?? ''
    const of = `/conversations/${id}`
    const assign = (operator_id: number | null) => agent.call('PUT', `${of}/assignee`, { operator_id })
    const group = (group_id: number | null) => agent.call('PUT', `${of}/assignee`, { group_id })
    switch (name) {
      case 'prompt':
        return agent.prompt(`hello ${place}`, { conversation_id: id, user: `u${place}` })
      case 'prompt anew':
        return ids.push((await agent.prompt('hello', { tags: { n: place } })).conversation_id)
      case 'answer':
        return agent.post(`${of}/messages`, { content: 'Hello.' })
      case 'wait':
      case 'pause':
      case 'resume':
      case 'end':
        return agent.post(`${of}/${name}`)
      case 'assign first':
        return assign(people[0] ?? 0)
      case 'assign second':
        return assign(people[1] ?? 0)
      case 'assign nobody':
        return assign(null)
      case 'prioritize':
        return agent.put(`${of}/priority`, { priority: priorities[place % 4] })
      case 'snooze':
        return agent.put(`${of}/snooze`, { until: `2099-01-0${1 + place}T09:00:00Z` })
      case 'unsnooze':
        return agent.put(`${of}/snooze`, { until: null })
      case 'group first':
        return group(groups[0] ?? 0)
      case 'group second':
        return group(groups[1] ?? 0)
      case 'group none':
        return group(null)
      case 'tag':
        return agent.patch(of, { tags: { n: place, [`t${place}`]: place % 2 ? true : null } })
      case 'flag':
      case 'scrub': {
        const { body } = await agent.get(`/chat/completions?conversation_id=${id}`)
        const completion = `/chat/completions/${body.data[0].id}`
        return name === 'flag'
          ? agent.post(`${completion}/flag`, { flagged: place % 2 === 0 })
          : agent.post(`${completion}/scrub`)
      }
      case 'pause agent':
        return agent.post('/pause')
      case 'resume agent':
        return agent.post('/resume')
    }
  }

  it('are right after any history, one act at a time', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const agent = await service.addAgent({ teamId: owner.teamId, settings: { pause_message: 'Later.' } })
        const ids = [(await agent.prompt('hello')).conversation_id]
        for (const [name, place] of steps) await act(agent, name, place, ids)
        await check(agent.agentId)
      }),
      { numRuns: 12 },
    )
  })

  it('are right after acts that come together', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const agent = await service.addAgent({ teamId: owner.teamId })
        const ids = [(await agent.prompt('one')).conversation_id, (await agent.prompt('two')).conversation_id]
        await Promise.all(steps.map(([name, place]) => act(agent, name, place, ids)))
        await check(agent.agentId)
      }),
      { numRuns: 12 },
    )
  })

  it('are gone with their agent', async () => {
    const agent = await service.addAgent({ teamId: owner.teamId })
    for (const place of [0, 1]) await act(agent, 'prompt anew', place, [])
    await agent.post('/pause')
    assert.equal((await owner.call('DELETE', `/agents/${agent.agentId}`)).status, 202)
    const left = async () =>
      (await database().selectFrom('agents').select('id').where('id', '=', agent.agentId).execute()).length
    await until(async () => (await left()) === 0)
    for (const table of [
      'inbox_rows',
      'inbox_counters',
      'inbox_group_counters',
      'conversation_tags',
      'read_marks',
      'snoozes',
    ] as const)
      assert.deepEqual(
        await database().selectFrom(table).select('agent_id').where('agent_id', '=', agent.agentId).execute(),
        [],
        table,
      )
  })
})
