import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { GroupCommit } from '../../../src/storage/sqlite/group-commit.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { openFreshDatabase } from '../../support/databases.ts'

type Fresh = Awaited<ReturnType<typeof openFreshDatabase>>

describe('group commit', () => {
  let database: Fresh
  let db: Kysely<Tables>
  /** Sees only what is committed, as another process would. */
  let outside: DatabaseSync

  before(async () => {
    database = await openFreshDatabase('sqlite')
    db = database.db
    outside = new DatabaseSync(join(database.fresh.dataDir, 'parley.db'))
    await sql`create table parents (id integer primary key)`.execute(db)
    await sql`create table children (
      parent integer references parents (id) deferrable initially deferred)`.execute(db)
    await sql`create trigger refusal before insert on teams when new.name = 'end the transaction'
      begin select raise(rollback, 'refused'); end`.execute(db)
  })
  after(async () => {
    outside.close()
    await database.close()
    await database.fresh.remove()
  })
  beforeEach(() => sql`delete from teams`.execute(db))

  const insert = (db: Kysely<Tables>, name: string) =>
    db.insertInto('teams').values({ name, created_at: 'now' }).execute()
  const unit = (name: string) => db.transaction().execute((db) => insert(db, name))
  const committed = () =>
    outside
      .prepare('select name from teams order by id')
      .all()
      .map(({ name }) => name)
  const answered = async () =>
    (await db.selectFrom('teams').select('name').orderBy('id').execute()).map(({ name }) => name)

  it('resolves a unit only when another connection can read it', async () => {
    await unit('in a transaction')
    assert.deepEqual(committed(), ['in a transaction'])
    await insert(db, 'by itself')
    assert.deepEqual(committed(), ['in a transaction', 'by itself'])
  })

  it('commits the units of one turn together', async () => {
    const seen = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await unit(name)
        return committed()
      }),
    )
    assert.deepEqual(seen, Array(3).fill(['a', 'b', 'c']))
  })

  it('answers nothing that is not committed, and lets a unit see its own rows', async () => {
    await db.transaction().execute(async (own) => {
      await insert(own, 'mine')
      assert.deepEqual(await answered(), [])
      const rows = await own.selectFrom('teams').select('name').execute()
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['mine'],
      )
    })
    assert.deepEqual(await answered(), ['mine'])
  })

  it('takes back a unit that throws, and keeps its neighbours', async () => {
    const failing = () =>
      db.transaction().execute(async (db) => {
        await insert(db, 'taken back')
        throw new Error('changed my mind')
      })
    const results = await Promise.allSettled([unit('before'), failing(), unit('after')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(committed(), ['before', 'after'])
  })

  it('takes back a single statement that fails, and keeps its neighbours', async () => {
    const failing = () => sql`insert into parents (id) values (1), (1)`.execute(db)
    const results = await Promise.allSettled([unit('before'), failing(), unit('after')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(committed(), ['before', 'after'])
    assert.deepEqual(outside.prepare('select * from parents').all(), [])
  })

  it('stays open for a unit that waits for a timer', async () => {
    const slow = db.transaction().execute(async (db) => {
      await insert(db, 'first')
      await wait(5)
      assert.deepEqual(committed(), [])
      await insert(db, 'second')
    })
    await Promise.all([slow, unit('queued')])
    assert.deepEqual(committed(), ['first', 'second', 'queued'])
  })

  it('rejects every unit of a group whose commit fails, keeps nothing, and goes on', async () => {
    const orphan = () => sql`insert into children (parent) values (77)`.execute(db)
    const results = await Promise.allSettled([unit('before'), orphan(), unit('after')])
    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && result.reason.message),
      Array(3).fill('FOREIGN KEY constraint failed'),
    )
    assert.deepEqual(committed(), [])
    await unit('next')
    assert.deepEqual(committed(), ['next'])
  })

  it('rejects the neighbours too when the database ends the transaction by itself', async () => {
    const ended = () =>
      db.transaction().execute(async (db) => {
        await insert(db, 'mine')
        await assert.rejects(insert(db, 'end the transaction'), /refused/)
        await assert.rejects(insert(db, 'would be committed by itself'), /ended the transaction/)
      })
    const results = await Promise.allSettled([unit('before'), ended(), unit('after')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(committed(), ['after'])
  })

  it('waits for another process that writes without holding up the event loop', async () => {
    outside.exec('begin immediate')
    let resolved = false
    const waiting = unit('patient').then(() => {
      resolved = true
    })
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    assert.equal(resolved, false)
    outside.exec('commit')
    await waiting
    assert.deepEqual(committed(), ['patient'])
  })
})

/** A connection that only knows whether a transaction is open, and fails where it is told to. */
class Stand {
  isTransaction = false
  readonly said: string[] = []
  readonly #failures = new Map<string, { error: Error; times: number }>()

  fail(sql: string, error: Error, times = Number.POSITIVE_INFINITY): void {
    this.#failures.set(sql, { error, times })
  }

  exec(sql: string): void {
    this.said.push(sql)
    const failure = this.#failures.get(sql)
    if (failure && failure.times-- > 0) throw failure.error
    if (sql.startsWith('BEGIN')) this.isTransaction = true
    if (sql === 'COMMIT' || sql === 'ROLLBACK') this.isTransaction = false
  }
}

describe('group commit on a connection that fails', () => {
  const busy = new Error('busy')
  const isBusy = (error: unknown) => error === busy

  it('gives up on a lock after five seconds, for all units that have waited as long', async (t) => {
    const writer = new Stand()
    t.mock.method(performance, 'now', () => (writer.said.length === 0 ? 0 : 5001))
    writer.fail('BEGIN IMMEDIATE', busy)
    const group = new GroupCommit(writer, isBusy, async () => {})
    const results = await Promise.allSettled([group.begin(), group.begin(), group.begin()])
    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && result.reason),
      Array(3).fill(busy),
    )
    // The first has tried again; the others, once, as it was their turn.
    assert.equal(writer.said.length, 4)
  })

  it('takes the whole group back when a savepoint cannot be taken back', async () => {
    const writer = new Stand()
    const broken = new Error('disk I/O error')
    writer.fail('ROLLBACK TO unit', broken)
    const group = new GroupCommit(writer, isBusy, async () => {})
    await group.begin()
    const neighbour = group.commit()
    await group.begin()
    group.rollback()
    await assert.rejects(neighbour, broken)
    assert.equal(writer.isTransaction, false)
    assert.ok(!writer.said.includes('COMMIT'))
    await group.begin()
    await group.commit()
    assert.equal(writer.said.at(-1), 'COMMIT')
  })

  it('takes a unit back that cannot be released', async () => {
    const writer = new Stand()
    const broken = new Error('disk I/O error')
    writer.fail('RELEASE unit', broken, 1)
    const group = new GroupCommit(writer, isBusy, async () => {})
    await group.begin()
    await assert.rejects(group.commit(), broken)
    assert.deepEqual(writer.said.slice(-2), ['ROLLBACK TO unit', 'RELEASE unit'])
  })
})

describe('group commit and the flush to disk', () => {
  const never = () => false
  /** A disk whose flushes end when the test says so. */
  class Disk {
    readonly flushes: { end: () => void; fail: (error: Error) => void }[] = []
    readonly flush = () =>
      new Promise<void>((end, fail) => {
        this.flushes.push({ end, fail })
      })
  }
  const unit = async (group: GroupCommit) => {
    await group.begin()
    await group.commit()
  }
  const untilCommitted = async (writer: Stand) => {
    while (writer.isTransaction) await nextTurn()
  }

  it('resolves a unit, and the wait for all units, only when it is on the disk', async () => {
    const writer = new Stand()
    const disk = new Disk()
    const group = new GroupCommit(writer, never, disk.flush)
    let resolved = false
    const tell = () => {
      resolved = true
    }
    const waiting = unit(group).then(tell)
    await nextTurn()
    await untilCommitted(writer)
    const closing = group.flushed().then(tell)
    await nextTurn()
    assert.equal(disk.flushes.length, 1)
    assert.equal(resolved, false)
    disk.flushes[0]?.end()
    await Promise.all([waiting, closing])
  })

  it('flushes a few groups at once, and gathers what comes meanwhile for the next', async () => {
    const writer = new Stand()
    const disk = new Disk()
    const group = new GroupCommit(writer, never, disk.flush)
    const commits = () => writer.said.filter((sql) => sql === 'COMMIT').length
    const units: Promise<void>[] = []
    for (let turn = 0; turn < 10; turn++) {
      units.push(unit(group))
      for (let pause = 0; pause < 10; pause++) await nextTurn()
    }
    const atOnce = disk.flushes.length
    assert.ok(atOnce > 1 && atOnce < 5, `${atOnce} flushes at once`)
    assert.equal(commits(), atOnce)
    disk.flushes[0]?.end()
    await units[0]
    await untilCommitted(writer)
    assert.equal(commits(), atOnce + 1)
    assert.equal(disk.flushes.length, atOnce + 1)
    for (const { end } of disk.flushes) end()
    await Promise.all(units)
  })

  it('does not believe a flush that ends after another has failed', async () => {
    const writer = new Stand()
    const disk = new Disk()
    const group = new GroupCommit(writer, never, disk.flush)
    const first = unit(group)
    await nextTurn()
    await untilCommitted(writer)
    const second = unit(group)
    await nextTurn()
    await untilCommitted(writer)
    const broken = new Error('disk I/O error')
    disk.flushes[0]?.fail(broken)
    await assert.rejects(first, broken)
    disk.flushes[1]?.end()
    await assert.rejects(second, broken)
  })

  it('promises nothing any more when a flush has failed', async () => {
    const writer = new Stand()
    const disk = new Disk()
    const group = new GroupCommit(writer, never, disk.flush)
    const first = unit(group)
    await nextTurn()
    await untilCommitted(writer)
    const broken = new Error('disk I/O error')
    disk.flushes[0]?.fail(broken)
    await assert.rejects(first, broken)
    await assert.rejects(group.begin(), broken)
    assert.throws(() => group.assertSound(), broken)
    await group.flushed()
    assert.equal(disk.flushes.length, 1)
  })
})
