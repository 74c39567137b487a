import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '../../../../src/lib/clock.ts'
import { refuseUnfinishedCopy } from '../../../../src/storage/copy/unfinished-copy.ts'
import { openDatabase } from '../../../../src/storage/database.ts'
import { installationValue } from '../../../../src/storage/installation.ts'
import { lockDataDir } from '../../../../src/storage/sqlite/serving-lock.ts'
import { triggers } from '../../../../src/triggers.ts'
import { copyFrom, directions, fillEveryTable, readEveryTable } from '../../../support/copying.ts'
import { type FreshDatabase, freshDatabase, readyDatabase } from '../../../support/databases.ts'
import { takeOutSchema } from '../../../support/old-schema.ts'
import { startSilentProxy } from '../../../support/silent-proxy.ts'

for (const [from, to] of directions) {
  describe(`a copy from ${from} to ${to}`, () => {
    /** Runs a test with a source in which every table has rows, and an empty target. */
    async function between(
      test: (source: FreshDatabase, target: FreshDatabase) => Promise<void>,
    ): Promise<void> {
      const [source, target] = [await readyDatabase(from), await freshDatabase(to)]
      try {
        await fillEveryTable(source)
        await test(source, target)
      } finally {
        await Promise.all([source.remove(), target.remove()])
      }
    }

    /** Copies until some pages have been written, as a process that dies would. */
    async function interrupted(source: FreshDatabase, target: FreshDatabase, table: string): Promise<void> {
      const stop = new Error('stopped')
      const copying = copyFrom(source, target, {
        report: (_, progress) => {
          if (progress.table === table) throw stop
        },
      })
      await assert.rejects(copying, stop)
    }

    it(
      'is noted as a backup by the time of the target, as receipts are',
      {
        skip: to === 'sqlite' && 'there the clocks are one',
      },
      (context) =>
        between(async (source, target) => {
          const now = Date.now()
          context.mock.timers.enable({ apis: ['Date'], now: now + HOUR_MS })
          await copyFrom(source, target)
          context.mock.timers.reset()
          const times = (await readEveryTable(target)).get('backups') ?? []
          const noted = times.map(([at]) => Date.parse(String(at))).filter((at) => at >= now - HOUR_MS / 2)
          assert.ok(noted.length === 1 && Number(noted[0]) < now + HOUR_MS / 2, String(times))
        }),
    )

    it('has every row of every table as it is, and may be started on', () =>
      between(async (source, target) => {
        const other = await openDatabase(target)
        await takeOutSchema(other)
        await other.close()
        const { rows, tables, isResumed } = await copyFrom(source, target)
        const [read, copied] = [await readEveryTable(source), await readEveryTable(target)]
        assert.deepEqual([rows, tables, isResumed], [read.size * 3, read.size, false])
        assert.deepEqual(copied.get('backups')?.length, 4, 'the copy is noted as one')
        for (const [table, rows] of read)
          if (table !== 'backups' && table !== 'processes') assert.deepEqual(copied.get(table), rows, table)
        const database = await openDatabase(target)
        assert.deepEqual(await database.migrate({ triggers }), [])
        await refuseUnfinishedCopy(database.db)
        const { rows: alive } = await sql`select 1 from processes where gone <> 1`.execute(database.db)
        assert.deepEqual(alive, [])
        await database.db
          .insertInto('conversation_notes')
          .values({ agent_id: 1, conversation_id: 'x', text: '', author: '', created_at: '' })
          .execute()
        const pending = await database.db
          .selectFrom('search_pending')
          .select('id')
          .where('kind', '=', 2)
          .execute()
        assert.ok(
          pending.some(({ id }) => Number(id) === 4),
          'its triggers work, and its numbers go on',
        )
        await database.close()
      }))

    it('never gives the number of a deleted row again', () =>
      between(async (source, target) => {
        const before = await openDatabase(source)
        const values = { agent_id: 1, name: 'gone', created_at: '', updated_at: '' }
        await before.db
          .insertInto('datasets')
          .values({ ...values, id: 9 })
          .execute()
        if (from === 'postgres') await sql`select setval('datasets_id_seq', 9)`.execute(before.db)
        await before.db.deleteFrom('datasets').where('id', '=', 9).execute()
        await before.close()
        await copyFrom(source, target)
        const after = await openDatabase(target)
        const { id } = await after.db
          .insertInto('datasets')
          .values(values)
          .returning('id')
          .executeTakeFirstOrThrow()
        assert.equal(id, 10)
        await after.close()
      }))

    it('goes on where it stopped, and nothing starts on it before', () =>
      between(async (source, target) => {
        await interrupted(source, target, 'messages')
        const half = await readEveryTable(target)
        assert.equal(half.get('messages')?.length, 1, 'its long texts have pages of their own')
        assert.equal(half.get('users')?.length, 0)
        const database = await openDatabase(target)
        await assert.rejects(database.migrate({ triggers }), /unfinished copy/)
        await database.close()
        const seen: string[] = []
        const { isResumed } = await copyFrom(source, target, {
          report: (what, { table, done }) => void (what === 'copied' && seen.push(`${table} ${done}`)),
        })
        assert.equal(isResumed, true)
        assert.deepEqual([seen[0], seen.includes('agents 3')], ['messages 2', false])
        assert.deepEqual(
          (await readEveryTable(target)).get('messages'),
          (await readEveryTable(source)).get('messages'),
        )
      }))

    it('says what differs when the source has changed since it was begun', () =>
      between(async (source, target) => {
        await interrupted(source, target, 'messages')
        const { db, close } = await openDatabase(source)
        await db.updateTable('agents').set({ name: 'changed' }).where('id', '=', 1).execute()
        await close()
        await assert.rejects(
          copyFrom(source, target),
          /differs .* agents \(3 rows, 3 in the copy\)\. Remove it/,
        )
        const database = await openDatabase(target)
        assert.ok(await installationValue(database.db, 'unfinished_copy'), 'it is still refused')
        await database.close()
      }))

    it('is refused into a database that holds data, or a copy of another one', () =>
      between(async (source, target) => {
        await interrupted(source, target, 'messages')
        await assert.rejects(copyFrom(source, target, { check: async () => 'other' }), /of another database/)
        await copyFrom(source, target)
        const before = await readEveryTable(target)
        await assert.rejects(copyFrom(source, target), /the target holds data/)
        assert.deepEqual(await readEveryTable(target), before)
        await assert.rejects(copyFrom(target, source), /the target holds data/)
      }))

    it('is refused from a source that runs, is of another version, or is a copy that is not complete', () =>
      between(async (source, target) => {
        const running = await openDatabase(source)
        await running.migrate()
        const { db } = running
        const lock = from === 'sqlite' ? lockDataDir(source.dataDir) : null
        await running.presence.start()
        await assert.rejects(copyFrom(source, target), /a service runs on|already serving/)
        await running.presence.stop()
        lock?.[Symbol.dispose]()
        await db.insertInto('backfills').values({ name: 'x', at: '1' }).execute()
        await assert.rejects(copyFrom(source, target), /run parley migrate --finish/)
        await db.deleteFrom('backfills').execute()
        await sql`insert into schema_migrations (name, applied_at) values ('9999-later', '')`.execute(db)
        await assert.rejects(copyFrom(source, target), /a newer version of Parley/)
        await sql`delete from schema_migrations where name = '9999-later'`.execute(db)
        await db.insertInto('installation').values({ name: 'unfinished_copy', value: '' }).execute()
        await assert.rejects(copyFrom(source, target), /unfinished copy/)
        await running.close()
      }))

    it('is told when a service ran on the source meanwhile', { skip: from === 'sqlite' }, () =>
      between(async (source, target) => {
        const service = await openDatabase(source)
        await service.migrate()
        let begun: Promise<void> | undefined
        const copying = copyFrom(source, target, {
          report: () => {
            begun ??= service.presence.start()
          },
        })
        await assert.rejects(copying, /ran on the source while it was copied/)
        await begun
        await service.close()
      }),
    )
  })
}

describe('a copy over a connection that breaks', { skip: !directions[0]?.includes('postgres') }, () => {
  for (const end of ['source', 'target'] as const)
    it(`to its ${end} fails at once, and goes on with the next`, async () => {
      const [folder, server] = [await readyDatabase('sqlite'), await readyDatabase('postgres')]
      const places = end === 'source' ? [server, folder] : [folder, server]
      const [source, target] = end === 'source' ? [server, await freshDatabase('sqlite')] : places
      assert.ok(source && target && server.databaseUrl)
      await fillEveryTable(source)
      const proxy = await startSilentProxy(server.databaseUrl)
      const through = { ...server, databaseUrl: proxy.url }
      let closed: Promise<void> | undefined
      const copying = copyFrom(end === 'source' ? through : source, end === 'target' ? through : target, {
        report: (_, { table }) => {
          if (table === 'messages') closed ??= proxy.close()
        },
      })
      await assert.rejects(copying)
      await closed
      const { isResumed } = await copyFrom(source, target)
      assert.equal(isResumed, true)
      await Promise.all([folder, server, target].map((each) => each.remove()))
    })
})
