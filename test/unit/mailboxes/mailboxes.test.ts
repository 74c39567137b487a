import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { type Accept, acceptItems } from '../../../src/mailboxes/accept.ts'
import { startSendingAll, updateItems } from '../../../src/mailboxes/items.ts'
import { type Batch, runMailboxes, type Work } from '../../../src/mailboxes/run-mailboxes.ts'
import { MAILBOXES, POSTED } from '../../../src/mailboxes/topics.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { leaveProcesses } from '../../../src/storage/presence.ts'
import { LeaseLost } from '../../../src/work/lease.ts'
import { TryAgain } from '../../../src/work/retry.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'
import { forget } from '../../support/forget.ts'

const logger = pino({ level: 'silent' })

for (const engine of engines) {
  describe(`mailboxes on ${engine}`, () => {
    let database: Database
    let remove: () => Promise<void>
    let agentId: number
    let offset = 0
    const clock = () => Date.now() + offset
    let acceptNew: Accept
    const runners: ReturnType<typeof runMailboxes>[] = []

    beforeEach(async () => {
      offset = 0
      const opened = await openFreshDatabase(engine)
      database = opened
      acceptNew = acceptItems(database.db, database.engine, clock)
      const { db } = database
      const agent = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: Date.now() }))
      agentId = agent.agentId
      remove = async () => {
        await database.close()
        await opened.fresh.remove()
      }
    })
    afterEach(async () => {
      await Promise.all(runners.splice(0).map((runner) => runner.stop(0)))
      await remove()
    })

    const channel = () => ({ id: 1, agent_id: agentId })
    const item = (thread: string, name: string) => ({
      sourceId: name,
      thread,
      kind: 'message' as const,
      payload: { name },
      writableUntil: null,
    })

    async function accept(items: ReturnType<typeof item>[], delay = 0): Promise<void> {
      await acceptNew({ channel: channel(), items, delayMs: delay })
      database.wakeUps.send(MAILBOXES)
    }

    function start(work: Partial<Work>, concurrency?: number) {
      const runner = runMailboxes({
        database,
        clock,
        logger,
        work: {
          next: (_mailbox, items) => items.slice(0, 1),
          run: (batch) => finish(batch),
          parked: async () => {},
          ...work,
        },
        ...(concurrency === undefined ? {} : { concurrency }),
      })
      runners.push(runner)
      void runner.start()
      return runner
    }

    async function finish({ items, lease }: Batch): Promise<void> {
      await database.db.transaction().execute(async (db) => {
        await lease.hold(db)
        const ids = items.map(({ id }) => id)
        await updateItems(db, ids, { state: 'done', finished_at: timestamp(clock()), payload: null })
      })
    }

    async function states(): Promise<Record<string, string>> {
      const rows = await database.db.selectFrom('mailbox_items').select(['source_id', 'state']).execute()
      return Object.fromEntries(rows.map((row) => [row.source_id, row.state]))
    }

    async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
      while (!(await condition())) await wait(2)
    }

    const nameOf = ({ items }: Batch) => (JSON.parse(items[0]?.payload ?? '{}') as { name: string }).name

    it('keeps one of many copies that come at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => accept([item('a', 'one')])))
      const rows = await database.db.selectFrom('mailbox_items').select(['source_id', 'state']).execute()
      assert.deepEqual(rows, [{ source_id: 'one', state: 'waiting' }])
    })

    it('an arrival brings the time of its mailbox forward, never back, and leaves its window open', async () => {
      const arrive = (name: string, delayMs: number, writableUntil: string | null = null) =>
        acceptNew({ channel: channel(), items: [{ ...item('a', name), writableUntil }], delayMs })
      const due = async () => Date.parse((await open())[0]?.due_at ?? '') - clock()
      const window = async () => (await open())[0]?.writable_until
      // Together in one transaction: the earliest time and the latest window count.
      await Promise.all([arrive('1', 90_000, '2999'), arrive('2', 500_000, '2998')])
      assert.deepEqual([await window(), (await due()) <= 90_000], ['2999', true])
      await acceptNew({
        channel: channel(),
        items: [{ ...item('a', '3'), writableUntil: '3000' }, item('a', '4')],
        delayMs: 500_000,
      })
      assert.deepEqual([await window(), (await due()) <= 90_000], ['3000', true])
      await arrive('5', 0, '2999')
      assert.deepEqual([await window(), (await due()) <= 0], ['3000', true])
      await arrive('6', 0, '3001')
      await arrive('7', 500_000)
      assert.deepEqual([await window(), (await due()) <= 0], ['3001', true])
      await database.db.updateTable('mailboxes').set({ due_at: null }).execute()
      await arrive('8', 0)
      assert.ok((await due()) <= 0)
    })

    it('an arrival of more people than a statement has parameters for is stored whole, and in order', async () => {
      const names = Array.from({ length: 6000 }, (_, at) => `${at}`)
      await accept(names.map((name) => ({ ...item(name, name), ids: [name, `other ${name}`] })))
      const rows = await database.db.selectFrom('mailbox_items').select('source_id').orderBy('id').execute()
      assert.deepEqual(
        rows.map(({ source_id }) => source_id),
        names,
      )
    })

    it('an arrival that cannot be stored takes none of its neighbours with it', async () => {
      const wrong = { ...item('a', 'wrong'), kind: null as unknown as 'message' }
      const answers = await Promise.allSettled(
        [item('a', 'one'), wrong, item('b', 'two')].map((one) => accept([one])),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      assert.deepEqual(await states(), { one: 'waiting', two: 'waiting' })
    })

    if (engine === 'postgres')
      it('an arrival whose statements take longer than the role may takes none of its neighbours with it', async () => {
        await sql`create function time_out() returns trigger language plpgsql as
          $$ begin raise exception using errcode = 'query_canceled'; end $$`.execute(database.db)
        await sql`create trigger slow before insert on mailbox_items for each row
          when (new.source_id = 'slow') execute function time_out()`.execute(database.db)
        const answers = await Promise.allSettled(
          [item('a', 'one'), item('a', 'slow'), item('b', 'two')].map((one) => accept([one])),
        )
        assert.deepEqual(
          answers.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        )
        assert.deepEqual(await states(), { one: 'waiting', two: 'waiting' })
      })

    it('threads that two processes accept in opposite orders do not wait for each other for ever', async () => {
      const other = acceptItems(database.db, database.engine, clock)
      const threads = Array.from({ length: 200 }, (_, index) => `t${index}`)
      for (let round = 0; round < 10; round++) {
        const items = threads.map((thread) => item(thread, `${thread} ${round}`))
        const others = threads.toReversed().map((thread) => item(thread, `other ${thread} ${round}`))
        await Promise.all([
          acceptNew({ channel: channel(), items, delayMs: 0 }),
          other({ channel: channel(), items: others, delayMs: 0 }),
        ])
      }
      assert.equal(Object.keys(await states()).length, 4000)
    })

    it('works each mailbox in order and one at a time, different ones side by side', async () => {
      const seen: Record<string, string[]> = {}
      const busy = new Set<number>()
      let side = 0
      const names = Array.from({ length: 10 }, (_, index) => String(index))
      for (const name of names) await accept(['a', 'b', 'c'].map((thread) => item(thread, thread + name)))
      const run = async (batch: Batch) => {
        const { id, thread } = batch.mailbox
        assert.ok(!busy.has(id))
        busy.add(id)
        side = Math.max(side, busy.size)
        await wait(1)
        seen[thread] = [...(seen[thread] ?? []), nameOf(batch)]
        await finish(batch)
        busy.delete(id)
      }
      start({ run })
      start({ run })
      await until(async () => Object.values(await states()).every((state) => state === 'done'))
      for (const thread of ['a', 'b', 'c']) {
        assert.deepEqual(
          seen[thread],
          names.map((name) => thread + name),
        )
      }
      assert.ok(side > 1)
    })

    it('loses nothing that is accepted while a mailbox is being let go', async () => {
      const seen: string[] = []
      start({
        run: async (batch) => {
          seen.push(nameOf(batch))
          await finish(batch)
        },
      })
      const names = Array.from({ length: 200 }, (_, index) => `m${index}`)
      for (const name of names) await accept([item('a', name)])
      await until(() => seen.length === names.length)
      assert.deepEqual(seen, names)
    })

    it('works what was posted to mailboxes that nobody made due: at a start, and when told', async () => {
      const threads = Array.from({ length: 1001 }, (_, index) => `t${index}`)
      await accept(threads.map((thread) => item(thread, thread)))
      const first = start({})
      await until(async () => Object.values(await states()).every((state) => state === 'done'))
      await until(() => first.running() === 0)
      await first.stop(0)
      const post = () =>
        database.db
          .updateTable('mailbox_items')
          .set({ state: 'waiting', due_at: timestamp(clock()), payload: '{}', attempts: 0 })
          .execute()
      await post()
      const second = start({})
      await until(async () => Object.values(await states()).every((state) => state === 'done'))
      await until(() => second.running() === 0)
      await post()
      database.wakeUps.send(POSTED)
      await until(async () => Object.values(await states()).every((state) => state === 'done'))
    })

    it('tries again after a growing while, parks after five tries and goes on with the next', async () => {
      const tries: string[] = []
      const parked: string[] = []
      start({
        run: async (batch) => {
          tries.push(nameOf(batch))
          if (nameOf(batch) === 'poison') throw new TryAgain('not yet')
          await finish(batch)
        },
        parked: async (_db, batch) => void parked.push(nameOf(batch)),
      })
      await accept([item('a', 'poison'), item('a', 'next')])
      for (let count = 1; count < 5; count++) {
        await until(() => tries.length === count)
        // It is not tried before its time.
        database.wakeUps.send(MAILBOXES)
        await until(async () => (await open()).every(({ leased_until }) => leased_until === null))
        assert.equal(tries.length, count)
        const pause = Date.parse((await open())[0]?.due_at ?? '') - clock()
        assert.ok(pause <= 1000 * 4 ** (count - 1) && pause <= 60_000)
        if (count > 2) assert.ok(pause > 500 * 4 ** (count - 1) - 2000, `${pause}`)
        offset += 70_000
        database.wakeUps.send(MAILBOXES)
      }
      await until(async () => (await states()).next === 'done')
      assert.deepEqual(tries, ['poison', 'poison', 'poison', 'poison', 'poison', 'next'])
      assert.deepEqual(parked, ['poison'])
      assert.deepEqual(await states(), { poison: 'parked', next: 'done' })
      const poison = await database.db
        .selectFrom('mailbox_items')
        .select(['error', 'finished_at'])
        .where('state', '=', 'parked')
        .executeTakeFirst()
      // The error is its kind, never its words.
      assert.equal(poison?.error, 'TryAgain')
      assert.ok(poison.finished_at)
    })

    const open = () => database.db.selectFrom('mailboxes').selectAll().execute()

    it('waits as long as a failure asks for', async () => {
      let tries = 0
      start({
        run: async (batch) => {
          tries++
          if (tries === 1) throw new TryAgain('slow down', { after: 600_000 })
          await finish(batch)
        },
      })
      await accept([item('a', 'one')])
      await until(async () => tries === 1 && (await open())[0]?.leased_until === null)
      const [mailbox] = await open()
      assert.ok(Date.parse(mailbox?.due_at ?? '') - clock() > 590_000)
      offset = 610_000
      database.wakeUps.send(MAILBOXES)
      await until(async () => (await states()).one === 'done')
    })

    it('what comes while an attempt fails is looked at, whatever the failed items wait for', async () => {
      start({
        next: (_mailbox, items) => items.slice(-1),
        async run(batch) {
          if (nameOf(batch) === 'urgent') return finish(batch)
          await accept([item('a', 'urgent')])
          throw new TryAgain('slow down', { after: 600_000 })
        },
      })
      await accept([item('a', 'slow')])
      await until(async () => (await states()).urgent === 'done')
      assert.equal((await states()).slow, 'waiting')
    })

    it('a worker whose lease has run out writes nothing more, and another one goes on', async () => {
      const hung = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<Batch>()
      let lost: unknown
      const hangs: Partial<Work> = {
        run: async (batch) => {
          begun.resolve(batch)
          await hung.promise
          lost = await finish(batch).catch((error: unknown) => error)
          throw lost
        },
      }
      // It has no room for another mailbox, so it cannot be the worker that goes on.
      start(hangs, 1)
      await accept([item('a', 'one')])
      const { lease } = await begun.promise
      offset = 11_000
      const done = Promise.withResolvers<void>()
      start({
        run: async (batch) => {
          await finish(batch)
          done.resolve()
        },
      })
      await done.promise
      hung.resolve()
      await until(() => lost !== undefined)
      assert.ok(lost instanceof LeaseLost)
      assert.ok(lease.isLost)
      assert.deepEqual(await states(), { one: 'done' })
    })

    for (const attempts of [0, 4])
      it(`a worker whose lease has run out does not report its failure after ${attempts} others`, async () => {
        const hung = Promise.withResolvers<void>()
        const begun = Promise.withResolvers<void>()
        const slow = start(
          {
            run: async () => {
              begun.resolve()
              await hung.promise
              throw new Error('too late')
            },
          },
          1,
        )
        await accept([item('a', 'one')])
        await database.db.updateTable('mailbox_items').set({ attempts }).execute()
        await begun.promise
        offset = 11_000
        // With no attempts counted, one more try beside the slow worker's can be counted.
        await database.db.updateTable('mailbox_items').set({ attempts: 0 }).execute()
        start({})
        await until(async () => (await states()).one === 'done')
        hung.resolve()
        await until(() => slow.running() === 0)
        const rows = await database.db.selectFrom('mailbox_items').select(['state', 'error']).execute()
        assert.deepEqual(rows, [{ state: 'done', error: null }])
      })

    it('a worker whose lease has run out does not free a mailbox that another one holds', async () => {
      const hung = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const slow = start(
        {
          run: async () => {
            begun.resolve()
            await hung.promise
          },
        },
        1,
      )
      await accept([item('a', 'one')])
      await begun.promise
      offset = 11_000
      const more = Promise.withResolvers<void>()
      start({
        run: async (batch) => {
          await finish(batch)
          await more.promise
        },
      })
      await until(async () => (await states()).one === 'done')
      hung.resolve()
      await until(() => slow.running() === 0)
      assert.notEqual((await open())[0]?.leased_until, null)
      more.resolve()
    })

    it('a lease is kept for as long as the work takes', async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] })
      const hung = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      // It has no room for another mailbox, so it does not claim this one anew.
      start(
        {
          run: async (batch) => {
            begun.resolve()
            await hung.promise
            await finish(batch)
          },
        },
        1,
      )
      await accept([item('a', 'one')])
      await begun.promise
      offset = 9_000
      t.mock.timers.tick(3_000)
      const left = async () => Date.parse((await open())[0]?.leased_until ?? '') - clock()
      await until(async () => (await left()) > 5_000)
      hung.resolve()
      await until(async () => (await states()).one === 'done')
    })

    it('a mailbox that a dead process held is free at once for the next one', async () => {
      await accept([item('a', 'one')])
      const { db } = database
      await db
        .insertInto('processes')
        .values({ id: 'it', seen_at: timestamp(clock()) })
        .execute()
      await db.updateTable('mailboxes').set({ leased_until: '2999', holder: 'it' }).execute()
      const claimed = Promise.withResolvers<string>()
      start({
        run: async (batch) => {
          claimed.resolve(nameOf(batch))
          await finish(batch)
        },
      })
      await accept([item('b', 'two')])
      assert.equal(await claimed.promise, 'two')
      await leaveProcesses(db, 'it')
      await until(async () => (await states()).one === 'done')
    })

    it('a mailbox that a stopping worker cannot finish is free at once for the next one', async () => {
      const begun = Promise.withResolvers<void>()
      const first = start({
        run: async ({ signal }) => {
          begun.resolve()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          throw new Error('broken off')
        },
      })
      await accept([item('a', 'one')])
      await begun.promise
      await first.stop(1)
      assert.deepEqual(await states(), { one: 'waiting' })
      start({})
      await until(async () => (await states()).one === 'done')
    })

    it('an item that ended its process five times is parked without a sixth try, and tried once more by itself', async () => {
      await accept([item('a', 'deadly'), item('a', 'next')])
      await database.db.updateTable('mailboxes').set({ deaths: 5 }).execute()
      const tries: string[] = []
      start({
        run: async (batch) => {
          tries.push(nameOf(batch))
          await finish(batch)
        },
      })
      await until(async () => (await states()).next === 'done')
      assert.deepEqual(await states(), { deadly: 'parked', next: 'done' })
      assert.deepEqual(tries, ['next'], 'the next one is innocent of it')
      offset += 60_000
      await until(async () => (await states()).deadly === 'done')
      assert.deepEqual(tries, ['next', 'deadly'])
    })

    it('items that are sent together begin all, or none once one of them no longer waits', async () => {
      const { db } = database
      await accept(['one', 'two', 'seen', 'last'].map((name) => item('a', name)))
      const rows = await db.selectFrom('mailbox_items').select('id').orderBy('id').execute()
      const [one = 0, two = 0, seen = 0, last = 0] = rows.map(({ id }) => id)
      await updateItems(db, [seen], { state: 'done' })
      const begin = (ids: number[]) =>
        db.transaction().execute((db) => startSendingAll(db, ids, 'b7e0a1f2-0000-4000-8000-000000000000'))
      assert.equal(await begin([one, seen, last]), false)
      assert.deepEqual(await states(), { one: 'waiting', two: 'waiting', seen: 'done', last: 'waiting' })
      assert.equal(await begin([one, two]), true)
      assert.deepEqual(await states(), { one: 'sending', two: 'sending', seen: 'done', last: 'waiting' })
    })

    it('forgets what was finished two weeks ago, and nothing that waits', async () => {
      await accept([item('a', 'old'), item('a', 'young'), item('a', 'waiting')])
      const DAY_MS = 24 * 60 * 60 * 1000
      for (const [name, days] of [
        ['old', 15],
        ['young', 13],
      ] as const)
        await database.db
          .updateTable('mailbox_items')
          .set({ state: 'done', finished_at: timestamp(clock() - days * DAY_MS) })
          .where('source_id', '=', name)
          .execute()
      await forget(database.db, 'finished items', clock())
      assert.deepEqual(await states(), { young: 'done', waiting: 'waiting' })
    })

    it('no more are worked at once than asked for, and of one agent half as many', async () => {
      let now = 0
      let most = 0
      start(
        {
          run: async (batch) => {
            now++
            most = Math.max(most, now)
            // The first waits for a second beside it, however slow the machine is.
            await until(() => most > 1)
            await finish(batch)
            now--
          },
        },
        4,
      )
      await accept(Array.from({ length: 12 }, (_, index) => item(`t${index}`, `n${index}`)))
      await until(async () => Object.values(await states()).every((state) => state === 'done'))
      assert.equal(most, 2)
    })
  })
}
