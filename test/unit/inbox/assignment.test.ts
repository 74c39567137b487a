import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { writeAgents } from '../../../src/groups/group.ts'
import { insertGroup, writeMembers } from '../../../src/groups/store.ts'
import type { GroupRow } from '../../../src/groups/tables.ts'
import { assignNext } from '../../../src/inbox/assignment/assign-next.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { readAvailability, setAvailability } from '../../../src/operators/availability.ts'
import { IDLE_MS, type SignedIn } from '../../../src/operators/sessions.ts'
import {
  deleteOperator,
  deleteSessionsOf,
  insertSession,
  touchSession,
} from '../../../src/operators/store.ts'
import { engines } from '../../support/databases.ts'
import { refuse } from '../../support/poisoned.ts'
import { sharedDatabase } from '../../support/shared.ts'

const NOW = Date.parse('2026-11-26T12:00:00.000Z')
const HOUR_MS = 3_600_000
/** Calls that try at once, each in a transaction of its own, as those of several processes. */
const AT_ONCE = 6

for (const engine of engines) {
  describe(`assignment on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let agent: { agentId: number; teamId: number }
    let people: number[]
    let names = 0

    beforeEach(async () => {
      agent = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: NOW }))
      people = [await person(), await person()]
    })

    async function person(until: number | null = NOW + HOUR_MS, right = 'respond'): Promise<number> {
      const { id } = await database()
        .db.insertInto('operators')
        .values({
          team_id: agent.teamId,
          name: `Person ${++names}`,
          email: `${names}@example.com`,
          right,
          created_at: timestamp(NOW),
          available_until: until === null ? null : timestamp(until),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    }

    async function signedIn(operatorId: number): Promise<{ signedIn: SignedIn }> {
      const sessionId = await insertSession(database().db, {
        operator_id: operatorId,
        hash: `session of ${operatorId}`,
        created_at: timestamp(NOW),
        used_at: timestamp(NOW),
        expires_at: timestamp(NOW + IDLE_MS),
        address: null,
        user_agent: null,
      })
      const name = 'Ada'
      const { teamId } = agent
      const may = { right: 'respond', scope: null, needsTwoFactor: false } as const
      return { signedIn: { sessionId, operatorId, teamId, name, displayName: name, ...may } }
    }

    async function group(values: Partial<GroupRow> = {}, members = people): Promise<GroupRow> {
      const row = await insertGroup(database().db, {
        team_id: agent.teamId,
        hours: null,
        name: `Group ${++names}`,
        agents: writeAgents([]),
        assignment: 'round_robin',
        at_once: 10,
        created_at: timestamp(NOW),
        ...values,
      })
      await writeMembers(database().db, row.id, members)
      return row
    }

    /** Adds conversations that wait in a group, the first the longest. */
    async function waiting({ id }: GroupRow, count: number, priority = 3): Promise<string[]> {
      const first = ++names * 10_000
      const rows = Array.from({ length: count }, (_, at) => ({
        id: `c${first + at}`,
        agent_id: agent.agentId,
        team_id: agent.teamId,
        sequence: first + at,
        started_at: timestamp(NOW),
        waiting_since: timestamp(NOW - HOUR_MS + at),
        waiting_reason: 'asked' as const,
        group_id: id,
        priority,
      }))
      for (let at = 0; at < count; at += 50)
        await database()
          .db.insertInto('conversations')
          .values(rows.slice(at, at + 50))
          .execute()
      return rows.map(({ id }) => id)
    }

    const putOff = new Map<string, number>()
    const nextAt = (nowMs: number) => (group: GroupRow) =>
      assignNext({ ...database(), clock: () => nowMs, putOff }, group)
    const next = nextAt(NOW)

    /** Returns what was given, in order, with the person. */
    async function given(): Promise<(readonly [string, number])[]> {
      const rows = await database()
        .db.selectFrom('happenings')
        .select(['conversation_id', 'details'])
        .where('agent_id', '=', agent.agentId)
        .where('kind', '=', 'assigned')
        .orderBy('id')
        .execute()
      return rows.map(({ conversation_id, details }) => [
        conversation_id,
        JSON.parse(details ?? '').operator.id,
      ])
    }

    async function inHand(): Promise<Map<number, string[]>> {
      const rows = await database()
        .db.selectFrom('conversations')
        .select(['id', 'assignee_id'])
        .where('agent_id', '=', agent.agentId)
        .where('assignee_id', 'is not', null)
        .where('ended_at', 'is', null)
        .orderBy('sequence')
        .execute()
      const byPerson = Map.groupBy(rows, ({ assignee_id }) => assignee_id ?? 0)
      return new Map([...byPerson].map(([id, theirs]) => [id, theirs.map(({ id }) => id)]))
    }

    const end = (ids: readonly string[]) =>
      database()
        .db.updateTable('conversations')
        .set({ ended_at: timestamp(NOW), waiting_since: null, waiting_reason: null })
        .where('id', 'in', ids)
        .execute()

    it('a thousand conversations and two people: each is given once, in order, and nobody has too many', async () => {
      const queue = await group()
      const ids = await waiting(queue, 1000)
      let rounds = 0
      for (let left = 1000; left > 0; ) {
        let isFull = false
        while (!isFull)
          isFull = !(await Promise.all(Array.from({ length: AT_ONCE }, () => next(queue)))).some(Boolean)
        const held = await inHand()
        const counts = people.map((id) => held.get(id)?.length ?? 0)
        assert.deepEqual(counts, left >= 20 ? [10, 10] : counts.map(() => left / 2), `${left} left`)
        const ended = [...held.values()].flat()
        await end(ended)
        left -= ended.length
        rounds++
      }
      assert.equal(rounds, 50)
      assert.deepEqual(
        (await given()).map(([id]) => id),
        ids,
      )
    })

    it('the most urgent comes first; round robin takes turns, least loaded takes who has the fewest', async () => {
      const turns = await group({ at_once: null })
      const normal = await waiting(turns, 2)
      const urgent = await waiting(turns, 1, 1)
      for (let count = 0; count < 3; count++) assert.equal(await next(turns), true)
      assert.equal(await next(turns), false)
      const [a = 0, b = 0] = people
      assert.deepEqual(await given(), [
        [urgent[0], a],
        [normal[0], b],
        [normal[1], a],
      ])
      await end([urgent[0] ?? '', normal[1] ?? ''])
      const fewest = await group({ assignment: 'least_loaded' })
      await waiting(fewest, 2)
      await next(fewest)
      await next(fewest)
      assert.deepEqual(
        (await given()).slice(3).map(([, id]) => id),
        [a, b].toSorted((x, y) => (x === a ? -1 : y === a ? 1 : 0)),
      )
    })

    it('a person in two groups gets no more than at_once of both together', async () => {
      const [first, second] = [await group({ at_once: 3 }), await group({ at_once: 3 })]
      await waiting(first, 10)
      await waiting(second, 10)
      let isFull = false
      while (!isFull)
        isFull = !(
          await Promise.all([next(first), next(second), next(first), next(second), next(first)])
        ).some(Boolean)
      assert.deepEqual(
        people.map((id) => id && 3),
        await Promise.all(people.map(async (id) => (await inHand()).get(id)?.length)),
      )
    })

    it('people who are away, may only read or are inactive are given none, and keep what they have', async () => {
      const [one = 0] = people
      const queue = await group({}, [
        one,
        await person(null),
        await person(NOW),
        await person(NOW + 1, 'read'),
      ])
      const ids = await waiting(queue, 20)
      while (await next(queue));
      assert.deepEqual(await inHand(), new Map([[one, ids.slice(0, 10)]]))
      await database()
        .db.updateTable('operators')
        .set({ available_until: null })
        .where('id', '=', one)
        .execute()
      await end(ids.slice(0, 5))
      assert.equal(await next(queue), false)
      assert.deepEqual(await inHand(), new Map([[one, ids.slice(5, 10)]]))
    })

    it('nothing is given in a group without assignment, or what a person has handed back to the agent', async () => {
      const [off, on] = [await group({ assignment: 'off' }), await group({ at_once: 1 })]
      await waiting(off, 1)
      assert.equal(await next(off), false)
      const [first = ''] = await waiting(on, 4)
      assert.deepEqual([await next(on), await next(on), await next(on)], [true, true, false])
      await database()
        .db.updateTable('conversations')
        .set({ waiting_since: null, waiting_reason: null })
        .where('id', '=', first)
        .execute()
      assert.equal(await next(on), true)
    })

    it('one that cannot be given does not hold up its group, and is tried again after a minute', async () => {
      const queue = await group({ at_once: 1 })
      const [bad = '', good = ''] = await waiting(queue, 2)
      const { db, engine } = database()
      await refuse(database(), 'conversations', 'update of assignee_id', `new.id = '${bad}'`)
      await assert.rejects(next(queue), /poisoned/)
      assert.equal(await next(queue), true)
      assert.equal(await next(queue), false)
      assert.deepEqual(await given(), [[good, people[0]]])
      await sql
        .raw(`drop trigger poison_conversations${engine.kind === 'sqlite' ? '' : ' on conversations'}`)
        .execute(db)
      assert.equal(await nextAt(NOW + 60_000)(queue), true)
      assert.deepEqual((await given()).at(-1), [bad, people[1]])
    })

    it('availability ends twelve hours after the last use of the console', async () => {
      const [one = 0] = people
      const { db } = database()
      const isAvailable = async (nowMs: number) => (await readAvailability(db, one, nowMs)).available
      await setAvailability(db, await signedIn(one), true, NOW)
      assert.deepEqual([await isAvailable(NOW), await isAvailable(NOW + IDLE_MS)], [true, false])
      const use = (nowMs: number) => touchSession(db, 0, one, timestamp(nowMs), timestamp(nowMs + IDLE_MS))
      await use(NOW + HOUR_MS)
      assert.deepEqual(
        [await isAvailable(NOW + IDLE_MS), await isAvailable(NOW + IDLE_MS + HOUR_MS)],
        [true, false],
      )
      await use(NOW + 2 * IDLE_MS)
      assert.equal(await isAvailable(NOW + 2 * IDLE_MS), false)
    })

    it('nobody becomes available whose session has ended, or who was removed', async () => {
      const [one = 0, other = 0] = [await person(null), await person(null)]
      const { db } = database()
      const [ended, removed] = [await signedIn(one), await signedIn(other)]
      await deleteSessionsOf(db, one, null)
      await deleteOperator(db, other)
      for (const self of [ended, removed])
        await assert.rejects(setAvailability(db, self, true, NOW), { code: 'no_session' })
      assert.equal((await readAvailability(db, one, NOW)).available, false)
    })
  })
}
