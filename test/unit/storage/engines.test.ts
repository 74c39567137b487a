import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

for (const engine of engines) {
  describe(`storage on ${engine}`, () => {
    const database = sharedDatabase(engine)

    const insert = (id: number, name = 'team') =>
      database().db.insertInto('teams').values({ id, name, created_at: 'now' }).execute()
    const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
      try {
        await work
      } catch (error) {
        return error
      }
      assert.fail('nothing failed')
    }

    it('answers', () => database().ping())

    it('knows a primary key or a unique constraint that refused a row', async () => {
      await insert(11)
      const primary = await failureOf(insert(11))
      assert.equal(database().engine.isUniqueViolation(primary), true)
      assert.equal(database().engine.isUnavailable(primary), false)
      const key = { agent_id: 1, key: 'k', fingerprint: 'f', completion_id: 'c', created_at: 'now' }
      await database().db.insertInto('idempotency_keys').values(key).execute()
      const unique = await failureOf(database().db.insertInto('idempotency_keys').values(key).execute())
      assert.equal(database().engine.isUniqueViolation(unique), true)
    })

    it('takes no other failure for a unique violation', async () => {
      const missing = await failureOf(sql`insert into teams (id) values (12)`.execute(database().db))
      const unknown = await failureOf(sql`select * from nowhere`.execute(database().db))
      for (const error of [missing, unknown, new Error('x'), null, undefined, 'text']) {
        assert.equal(database().engine.isUniqueViolation(error), false)
        assert.equal(database().engine.isUnavailable(error), false)
      }
    })

    it('takes no failure of another server for its own', () => {
      for (const code of ['ETIMEDOUT', 'ECONNREFUSED', 'ENOENT', '57P01', 'ERR_SQLITE_ERROR'])
        assert.equal(database().engine.isUnavailable(Object.assign(new Error('x'), { code })), false, code)
    })

    it('numbers events beyond 2^31 and hands numbers back', async () => {
      const id = 2 ** 31 + 5
      const event = {
        agent_id: 1,
        key: 'error',
        occurred_at: 'now',
        conversation_id: null,
        completion_id: null,
        data: null,
      }
      await database()
        .db.insertInto('events')
        .values({ ...event, id })
        .execute()
      const rows = await database().db.selectFrom('events').select('id').execute()
      assert.deepEqual(
        rows.map((row) => row.id),
        [id],
      )
      const count = await database()
        .db.selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(count.count, 1)
    })

    it('counts the rows an update changed', async () => {
      await insert(21, 'old')
      await insert(22, 'old')
      const [result] = await database()
        .db.updateTable('teams')
        .set({ name: 'new' })
        .where('name', '=', 'old')
        .execute()
      assert.equal(result?.numUpdatedRows, 2n)
    })

    it('keeps more statements apart than it keeps prepared', async () => {
      for (let number = 0; number < 600; number++) {
        const { rows } = await sql<{ n: number }>`select ${sql.lit(number)} as n`.execute(database().db)
        assert.equal(rows[0]?.n, number)
      }
    })
  })
}

describe('SQLite that cannot work', () => {
  it('is unavailable while another process holds the lock', async () => {
    const { fresh, ...database } = await openFreshDatabase('sqlite')
    const one = new DatabaseSync(join(fresh.dataDir, 'parley.db'))
    const other = new DatabaseSync(join(fresh.dataDir, 'parley.db'), { timeout: 0 })
    one.exec('begin immediate')
    assert.throws(
      () => other.exec('begin immediate'),
      (error) => database.engine.isUnavailable(error),
    )
    one.close()
    other.close()
    await database.close()
    await fresh.remove()
  })

  it('is unavailable when its folder is gone', async () => {
    const { fresh, ...database } = await openFreshDatabase('sqlite')
    rmSync(fresh.dataDir, { recursive: true })
    assert.throws(
      () => new DatabaseSync(join(fresh.dataDir, 'parley.db')),
      (error) => database.engine.isUnavailable(error),
    )
    await database.close()
  })

  it('is unavailable when no page is left, and works once there is room', async () => {
    const { fresh, ...database } = await openFreshDatabase('sqlite')
    await sql`pragma max_page_count = 1`.execute(database.db)
    const large = { name: 'x'.repeat(100_000), created_at: 'now' }
    await assert.rejects(database.db.insertInto('teams').values(large).execute(), (error) =>
      database.engine.isUnavailable(error),
    )
    await sql`pragma max_page_count = 1000000`.execute(database.db)
    await database.db.insertInto('teams').values(large).execute()
    await database.close()
    await fresh.remove()
  })
})

describe('SQLite whose file system has become read-only', () => {
  it('is unavailable to what writes', async () => {
    const { fresh, ...database } = await openFreshDatabase('sqlite')
    await sql`pragma query_only = 1`.execute(database.db)
    const team = { name: 'team', created_at: 'now' }
    await assert.rejects(database.db.insertInto('teams').values(team).execute(), (error) =>
      database.engine.isUnavailable(error),
    )
    await database.close()
    await fresh.remove()
  })
})

describe('PostgreSQL that cannot be reached', () => {
  it('is unavailable when nothing listens', async () => {
    const probe = createServer()
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
    const address = probe.address()
    assert.ok(address !== null && typeof address === 'object')
    await new Promise((resolve) => probe.close(resolve))
    const { fresh, ...database } = await openFreshDatabase('postgres')
    const databaseUrl = `postgres://parley@127.0.0.1:${address.port}/parley`
    const away = await openDatabase({ databaseUrl, dataDir: fresh.dataDir })
    await assert.rejects(away.migrate(), (error) => away.engine.isUnavailable(error))
    await away.close()
    await database.close()
    await fresh.remove()
  })

  it('is unavailable to the query whose connection breaks, and reached again by the next', async () => {
    const { fresh, ...database } = await openFreshDatabase('postgres')
    const broken = database.db.transaction().execute(async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
      await sql`select 1`.execute(db)
    })
    await assert.rejects(broken, (error) => database.engine.isUnavailable(error))
    await database.ping()
    await database.close()
    await fresh.remove()
  })

  it('is unavailable to a transaction that is given up for another one, or for its time', async () => {
    const { fresh, ...database } = await openFreshDatabase('postgres')
    const { db } = database
    await db
      .insertInto('teams')
      .values([
        { id: 1, name: 'one', created_at: 'now' },
        { id: 2, name: 'two', created_at: 'now' },
      ])
      .execute()
    const lock = (db: Kysely<Tables>, id: number) =>
      db.updateTable('teams').set({ name: 'locked' }).where('id', '=', id).execute()
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const crosswise = [1, 2].map((id) =>
      db.transaction().execute(async (db) => {
        await lock(db, id)
        both[id - 1]?.resolve()
        await Promise.all(both.map(({ promise }) => promise))
        await lock(db, 3 - id)
      }),
    )
    const failed = (await Promise.allSettled(crosswise)).filter(({ status }) => status === 'rejected')
    assert.equal(failed.length, 1, 'no deadlock was found')
    for (const result of failed) assert.ok('reason' in result && database.engine.isAway(result.reason))
    const late = db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = 1`.execute(db)
      await sql`select pg_sleep(60)`.execute(db)
    })
    const { engine } = database
    await assert.rejects(late, (error) => engine.isUnavailable(error) && !engine.isAway(error))
    await database.close()
    await fresh.remove()
  })

  it('whatever a database is set to, transactions read what was committed meanwhile and never idle for ever', async () => {
    const { fresh, ...database } = await openFreshDatabase('postgres')
    const name = new URL(fresh.databaseUrl ?? '').pathname.slice(1)
    await sql`alter database ${sql.id(name)} set default_transaction_isolation = 'serializable'`.execute(
      database.db,
    )
    const again = await openDatabase(fresh)
    const { rows } = await sql`select current_setting('transaction_isolation') as isolation,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(again.db)
    assert.deepEqual(rows, [{ isolation: 'read committed', idle: '1min' }])
    await again.close()
    await database.close()
    await fresh.remove()
  })
})
