import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { teamOfAgent } from '../../../src/agents/team-of-agent.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { SUMMARIES, summaryQueue } from '../../../src/turns/history/summary-store.ts'
import type { SummaryRow } from '../../../src/turns/tables.ts'
import { LEASE_MS } from '../../../src/work/lease.ts'
import { MOST_DEATHS } from '../../../src/work/retry.ts'
import { type QueuePolicy, runQueue } from '../../../src/work/run-queue.ts'
import type { RunningWork } from '../../../src/work/run-work.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'

const DUE = '2026-01-01T00:00:00.000Z'

for (const engine of engines) {
  describe(`the engine of work on ${engine}`, () => {
    let database: Database & { fresh: FreshDatabase }
    let agents: [number, number, number]
    let offset: number
    let running: RunningWork | undefined
    let released: () => void

    beforeEach(async () => {
      offset = 0
      database = await openFreshDatabase(engine)
      const ids: number[] = []
      for (const name of ['A', 'B', 'C'])
        ids.push(
          (
            await database.db
              .transaction()
              .execute((db) => createAgent(db, { name, teamId: null, nowMs: Date.now() }))
          ).agentId,
        )
      agents = ids as typeof agents
    })
    afterEach(async () => {
      released?.()
      await running?.stop(0)
      await database.close()
      await database.fresh.remove()
    })

    async function agentOfTeamOf(agentId: number): Promise<number> {
      const teamId = await teamOfAgent(database.db, agentId)
      const { agentId: id } = await database.db
        .transaction()
        .execute((db) => createAgent(db, { name: 'D', teamId, nowMs: Date.now() }))
      return id
    }

    async function add(agentId: number, names: string[], values: Partial<SummaryRow> = {}): Promise<void> {
      await database.db
        .insertInto('conversation_summaries')
        .values(names.map((name) => ({ agent_id: agentId, conversation_id: name, due_at: DUE, ...values })))
        .execute()
      database.wakeUps.send(SUMMARIES)
    }

    function start(options: Partial<QueuePolicy<SummaryRow>>): void {
      running = runQueue<SummaryRow>(
        {
          name: 'summaries',
          queue: summaryQueue,
          topics: [SUMMARIES],
          atOnce: 4,
          async work({ id }) {
            await settle(id)
          },
          about: ({ agent_id }) => ({ agent_id }),
          ...options,
        },
        { database, clock: () => Date.now() + offset, logger: pino({ level: 'silent' }) },
      )
      running.start()
    }

    async function settle(id: number): Promise<void> {
      await database.db
        .updateTable('conversation_summaries')
        .set({ due_at: null })
        .where('id', '=', id)
        .execute()
    }

    const rows = () =>
      database.db.selectFrom('conversation_summaries').selectAll().orderBy('conversation_id').execute()

    it('a tenant whose pieces all hang keeps no other tenant waiting', async () => {
      const hanging = new Promise<void>((resolve) => {
        released = resolve
      })
      const begun: string[] = []
      const [bad, good, late] = agents
      await add(
        bad,
        Array.from({ length: 100 }, (_, nth) => `bad ${nth}`),
      )
      start({
        async work({ id, agent_id, conversation_id }) {
          begun.push(conversation_id)
          if (agent_id === bad) await hanging
          await settle(id)
        },
      })
      await becomes(() => begun.length, 2)
      await add(good, ['good 1', 'good 2', 'good 3'])
      await add(late, ['late'])
      const due = async () =>
        (await rows()).filter(({ agent_id, due_at }) => agent_id !== bad && due_at !== null).length
      await becomes(due, 0)
      assert.equal(begun.filter((name) => name.startsWith('bad')).length, 2, 'it has half of the places')
    })

    it('a team whose agents all hang keeps no other team waiting, and an agent that hangs none of its team', async () => {
      const hanging = new Promise<void>((resolve) => {
        released = resolve
      })
      const begun: string[] = []
      const [bad, worse, worst] = [agents[0], await agentOfTeamOf(agents[0]), await agentOfTeamOf(agents[0])]
      const good = agents[1]
      const colleague = await agentOfTeamOf(agents[0])
      const many = (name: string) => Array.from({ length: 100 }, (_, nth) => `${name} ${nth}`)
      await add(bad, many('bad'))
      start({
        atOnce: 8,
        async work({ id, conversation_id }) {
          begun.push(conversation_id)
          if (conversation_id.startsWith('bad')) await hanging
          await settle(id)
        },
      })
      await becomes(() => begun.length, 4)
      const waiting = async () =>
        (await rows()).filter(({ conversation_id, due_at }) => !conversation_id.startsWith('bad') && due_at)
          .length
      await add(colleague, ['colleague 1', 'colleague 2'])
      await becomes(waiting, 0)
      await add(worse, many('bad as well'))
      await add(worst, many('bad, too'))
      await becomes(() => begun.filter((name) => name.startsWith('bad')).length, 6)
      await add(good, ['good 1', 'good 2', 'good 3'])
      await becomes(waiting, 0)
      assert.equal(
        begun.filter((name) => name.startsWith('bad')).length,
        6,
        'the team has seven of ten places',
      )
    })

    for (const step of ['claim', 'claimSuspect'] as const)
      it(`pieces that were claimed before ${step} fails are worked, and take nobody's place`, async () => {
        let calls = 0
        const fails = step === 'claim' ? 2 : 1
        const claim: typeof summaryQueue.claim = async (db, claim) => {
          if (++calls === fails) throw new Error('the connection is lost')
          return summaryQueue[step](db, claim)
        }
        await add(agents[0], ['one', 'two', 'three', 'four', 'five'])
        start({ queue: { ...summaryQueue, [step]: claim } })
        await becomes(async () => (await rows()).every(({ due_at }) => due_at === null), true)
        assert.ok(calls >= fails)
      })

    it('a piece that its last transaction has ended is not ended in another', async () => {
      let ends = 0
      const queue: typeof summaryQueue = {
        ...summaryQueue,
        end(db, row) {
          ends++
          return summaryQueue.end(db, row)
        },
      }
      await add(agents[0], ['one'])
      start({
        queue,
        async work(row) {
          await settle(row.id)
          await database.db.transaction().execute((db) => queue.end(db, row))
        },
      })
      await becomes(async () => (await rows())[0]?.due_at, null)
      await running?.stop(5000)
      running = undefined
      assert.equal(ends, 1)
    })

    it('a piece whose process died is tried alone, and one that ended many is left for a while', async () => {
      const [agentId] = agents
      await database.db.insertInto('processes').values({ id: 'dead', seen_at: DUE, gone: 1 }).execute()
      const died = { holder: 'dead', leased_until: DUE }
      await add(agentId, ['innocent 1', 'innocent 2', 'innocent 3'], died)
      await add(agentId, ['killer'], { ...died, deaths: MOST_DEATHS - 1 })
      let [now, most] = [0, 0]
      const begun: string[] = []
      start({
        async work({ id, conversation_id }) {
          begun.push(conversation_id)
          most = Math.max(most, ++now)
          await database.ping()
          now--
          await settle(id)
        },
      })
      const state = async () =>
        (await rows()).map(({ due_at, parked_at, deaths, attempts }) => ({
          ...{ waits: due_at !== null, isParked: parked_at !== null, deaths, attempts },
        }))
      const done = { waits: false, isParked: false, deaths: 0, attempts: 0 }
      await becomes(state, [
        ...[done, done, done],
        { waits: true, isParked: true, deaths: MOST_DEATHS - 1, attempts: 1 },
      ])
      assert.deepEqual(begun.sort(), ['innocent 1', 'innocent 2', 'innocent 3'], 'the killer is not begun')
      assert.equal(most, 1, 'one at a time')
      offset += 60_000
      database.wakeUps.send(SUMMARIES)
      await becomes(state, [done, done, done, done])
    })

    it('a living process keeps its piece when the lease runs out, and no end of a process is counted', async () => {
      const { db } = database
      await db.insertInto('processes').values({ id: 'living', seen_at: DUE, gone: 0 }).execute()
      await add(agents[0], ['piece'], { holder: 'living', leased_until: DUE })
      const claims = async (holder: string) => {
        const claim = { holder, nowMs: Date.now() + offset, limit: 1 }
        const isFree = await summaryQueue.hasFree(db, claim)
        const claimed = [
          ...(await summaryQueue.claim(db, claim)),
          ...(await summaryQueue.claimSuspect(db, claim)),
        ]
        assert.equal(isFree, claimed.length > 0, 'it is known beforehand whether a claim finds something')
        offset += 2 * LEASE_MS
        return claimed.map(({ deaths }) => deaths)
      }
      assert.deepEqual(
        await claims('another'),
        [],
        'the database was away, or it is about to be known as gone',
      )
      assert.deepEqual(await claims('living'), [0], 'its own process takes it up again')
      assert.deepEqual(await claims('another'), [])
      await db.updateTable('processes').set({ gone: 1 }).where('id', '=', 'living').execute()
      assert.deepEqual(await claims('another'), [1], 'its process has ended')
      const early = { holder: 'another', nowMs: Date.parse(DUE) - 1 }
      await db.updateTable('conversation_summaries').set({ leased_until: null, holder: null }).execute()
      assert.equal(await summaryQueue.hasFree(db, early), false, 'it is not due yet')
      assert.equal(await summaryQueue.hasFree(db, { ...early, nowMs: Date.parse(DUE) }), true)
    })

    it('a database that is away is no failure of a piece', async () => {
      await add(agents[0], ['piece'])
      let tries = 0
      const away = new Error('away')
      const { isAway } = database.engine
      database.engine.isAway = (error) => error === away || isAway(error)
      start({
        async work({ id, attempts }) {
          assert.equal(attempts, 0)
          if (++tries < 3) throw away
          await settle(id)
        },
      })
      await becomes(
        async () => (await rows()).map(({ due_at, failure }) => ({ due_at, failure })),
        [{ due_at: null, failure: null }],
      )
      assert.equal(tries, 3)
    })

    if (engine === 'postgres')
      it('a piece whose statements take longer than the role may is parked, one whose connection ends is not', async () => {
        await add(agents[0], ['slow', 'ended'], { attempts: 4 })
        let tries = 0
        start({
          async work({ id, conversation_id }) {
            await database.db.transaction().execute(async (db) => {
              if (conversation_id === 'ended' && ++tries < 3) {
                await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
              } else if (conversation_id === 'slow') {
                await sql`set local statement_timeout = 1`.execute(db)
                await sql`select pg_sleep(60)`.execute(db)
              }
            })
            await settle(id)
          },
        })
        const fates = async () =>
          (await rows()).map(({ attempts, due_at, parked_at }) => [
            attempts,
            due_at !== null,
            parked_at !== null,
          ])
        await becomes(fates, [
          [0, false, false],
          [5, true, true],
        ])
        assert.equal(tries, 3)
      })

    it('a piece that waited often for a server has all its attempts for failures of its own', async () => {
      await add(agents[0], ['piece'])
      const patient = new Error('the server is away')
      let tries = 0
      start({
        async work() {
          throw ++tries <= 6 ? patient : new Error('poisoned')
        },
        patience: (error) => (error === patient ? DUE : null),
      })
      const fate = async () => (await rows()).map(({ attempts, parked_at }) => [attempts, parked_at !== null])
      for (let own = 1; own <= 4; own++) {
        await becomes(fate, [[6 + own, false]])
        offset += 60_000
        database.wakeUps.send(SUMMARIES)
      }
      await becomes(fate, [[11, true]])
    })

    it('a piece that its policy gives up ends in place of being parked', async () => {
      await add(agents[0], ['given up', 'parked'], { attempts: 3 })
      const raised: unknown[] = []
      start({
        async work({ conversation_id }) {
          throw new Error(conversation_id)
        },
        async giveUp(db, { id }, error) {
          if (error.message === 'parked') return false
          await db.updateTable('conversation_summaries').set({ due_at: null }).where('id', '=', id).execute()
          return true
        },
        async raise(_db, event) {
          raised.push(event)
        },
      })
      const fate = async () =>
        (await rows()).map(({ attempts, due_at, parked_at }) => [
          attempts,
          due_at === null,
          parked_at !== null,
        ])
      await becomes(fate, [
        [4, false, false],
        [4, false, false],
      ])
      offset += 60_000
      database.wakeUps.send(SUMMARIES)
      await becomes(fate, [
        [0, true, false],
        [5, false, true],
      ])
      assert.equal(raised.length, 1)
    })

    it('a piece whose failure cannot be noted by its policy is parked all the same', async () => {
      await add(agents[0], ['piece'], { attempts: 4 })
      start({
        async work() {
          throw new Error('poisoned')
        },
        async failed() {
          throw new Error('poisoned as well')
        },
      })
      await becomes(
        async () => (await rows()).map(({ attempts, parked_at }) => [attempts, parked_at !== null]),
        [[5, true]],
      )
    })
  })
}
