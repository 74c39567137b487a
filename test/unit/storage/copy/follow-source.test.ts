import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Bulk } from '../../../../src/storage/bulk.ts'
import type { CopyPlace } from '../../../../src/storage/copy/copy-place.ts'
import { followSource } from '../../../../src/storage/copy/follow-source.ts'
import { removeAbandonedNotes } from '../../../../src/storage/copy/remove-abandoned-notes.ts'
import type { CopyNotes } from '../../../../src/storage/copy-notes.ts'
import { openDatabase } from '../../../../src/storage/database.ts'
import type { Database } from '../../../../src/storage/opened-database.ts'
import { lockDataDir } from '../../../../src/storage/sqlite/serving-lock.ts'
import { userKey } from '../../../../src/users/user-key.ts'
import { copyFrom, directions, fillEveryTable, readEveryTable } from '../../../support/copying.ts'
import { type FreshDatabase, freshDatabase, readyDatabase } from '../../../support/databases.ts'
import { superuserOf } from '../../../support/postgres.ts'

const never = { stop: new AbortController().signal, caughtUp: () => {} }

it('a copy that has all writes nothing, and looks once at each time', async () => {
  const did: string[] = []
  const note = (what: string) => async () => void did.push(what)
  const place: CopyPlace = {
    source: '',
    table: 'agents',
    after: ['1'],
    follows: true,
    isComplete: true,
    restore: [],
  }
  let looks = 0
  const reached = await followSource(
    {
      source: { renew: note('renew'), notes: async () => [] } as Partial<Bulk> as Bulk,
      target: { transaction: note('write') } as Partial<Bulk> as Bulk,
      tables: [],
      notes: { forget: note('forget'), keepOn: note('keep on') } as Partial<CopyNotes> as CopyNotes,
      report: () => {},
      ...never,
      isOver: async () => ++looks === 3,
    },
    place,
  )
  assert.deepEqual(reached, place)
  assert.deepEqual(did, ['renew', 'renew', 'keep on', 'renew', 'renew'])
})

/** Changes rows before the messages and among them, so that some have what others had. */
async function change({ db }: Pick<Database, 'db'>): Promise<void> {
  await db.updateTable('agents').set({ name: 'changed' }).where('id', '=', 2).execute()
  await db.updateTable('messages').set({ content: 'changed' }).execute()
  await db.deleteFrom('messages').where('id', '=', 1).execute()
  const message = {
    id: 9,
    agent_id: 1,
    conversation_id: '1',
    role: 'user',
    content: 'new',
    created_at: '',
  } as const
  await db.insertInto('messages').values(message).execute()
  const [first, second] = await db.selectFrom('mailboxes').selectAll().orderBy('id').execute()
  assert.ok(first && second)
  for (const [id, thread] of [
    [first.id, 'between'],
    [second.id, first.thread],
    [first.id, second.thread],
  ] as const)
    await db
      .updateTable('mailboxes')
      .set({ thread, channel_id: first.channel_id })
      .where('id', '=', id)
      .execute()
  await db
    .updateTable('users')
    .set({ id: userKey({ source: 'api', id: 'renamed' }) })
    .where('agent_id', '=', 1)
    .execute()
}

for (const [from, to] of directions)
  describe(`a copy that follows its source, from ${from} to ${to}`, () => {
    async function between(
      test: (source: FreshDatabase, target: FreshDatabase, opened: Database) => Promise<void>,
    ): Promise<void> {
      const [source, target] = [await readyDatabase(from), await freshDatabase(to)]
      await fillEveryTable(source)
      const opened = await openDatabase(source)
      try {
        await test(source, target, opened)
      } finally {
        await opened.close()
        await Promise.all([source.remove(), target.remove()])
      }
    }

    /** Copies until the first page of messages is written, as a process that dies would. */
    async function interrupted(source: FreshDatabase, target: FreshDatabase): Promise<void> {
      const died = new Error('the process died')
      const report = (_: string, { table }: { table: string }) => {
        if (table === 'messages') throw died
      }
      await assert.rejects(copyFrom(source, target, { follow: never, report }), died)
    }

    async function isLike(target: FreshDatabase, source: FreshDatabase): Promise<void> {
      const [read, copied] = [await readEveryTable(source), await readEveryTable(target)]
      for (const [table, rows] of read)
        if (table !== 'backups' && table !== 'processes') assert.deepEqual(copied.get(table), rows, table)
    }

    it('has what changed while it was made, after it had copied all, and while nobody followed', () =>
      between(async (source, target, opened) => {
        await interrupted(source, target)
        await change(opened)
        // As a service holds it.
        const lock = from === 'sqlite' ? lockDataDir(source.dataDir) : null
        let later: Promise<unknown> | undefined
        const caughtUp = () => {
          later = opened.db
            .deleteFrom('messages')
            .where('id', '=', 2)
            .execute()
            .finally(() => lock?.[Symbol.dispose]())
        }
        const copied = await copyFrom(source, target, { follow: { ...never, caughtUp } })
        await later
        assert.deepEqual([copied.isResumed, copied.isLeftBehind], [true, false])
        await isLike(target, source)
        const { rows } = await sql<{ content: string }>`select content from messages order by id`.execute(
          opened.db,
        )
        assert.deepEqual(
          rows.map(({ content }) => content),
          ['changed', 'new'],
        )
      }))

    /** Finds what the notes of changes are made of. */
    async function notesIn({ db }: Database): Promise<unknown[]> {
      const query =
        from === 'sqlite'
          ? sql`select name from sqlite_schema where name like 'copy~_%' escape '~'`
          : sql`select relname from pg_class where relname like 'copy\\_%' union
              select proname from pg_proc where proname like 'copy\\_%' union
              select tgname from pg_trigger where tgname like 'copy\\_%'`
      return (await query.execute(db)).rows
    }

    it('leaves nothing of itself in the source, and the references of its tables in the target', () =>
      between(async (source, target, opened) => {
        await copyFrom(source, target, { follow: never })
        assert.deepEqual(await notesIn(opened), [])
        const copy = await openDatabase(target)
        const orphan = {
          agent_id: 9,
          source: 'x',
          title: '',
          content_hash: '',
          created_at: '',
          updated_at: '',
        }
        await assert.rejects(
          copy.db.insertInto('knowledge_documents').values(orphan).execute(),
          /foreign key/i,
        )
        await copy.close()
      }))

    it('leaves its notes to the service of the source, which removes them once it is given up', () =>
      between(async (source, target, opened) => {
        await interrupted(source, target)
        const before = await notesIn(opened)
        await removeAbandonedNotes(opened.db, opened.engine)
        assert.deepEqual(await notesIn(opened), before, 'it may go on')
        await sql`update copy_following set until = 1`.execute(opened.db)
        await removeAbandonedNotes(opened.db, opened.engine)
        assert.deepEqual(await notesIn(opened), [])
        await removeAbandonedNotes(opened.db, opened.engine)
        await change(opened)
      }))

    it('lets a service of another role go on writing', (test) =>
      between(async (source, target, opened) => {
        const superuser = source.databaseUrl === null ? null : superuserOf(source.databaseUrl)
        if (superuser === null) return test.skip('there is no other role')
        const bySuperuser = { ...source, databaseUrl: superuser.href }
        await interrupted(bySuperuser, target)
        await change(opened)
        await copyFrom(bySuperuser, target, { follow: never })
        await isLike(target, source)
      }))

    it('can be finished without --follow once the source stands still', () =>
      between(async (source, target, opened) => {
        await interrupted(source, target)
        await change(opened)
        await copyFrom(source, target)
        await isLike(target, source)
      }))

    it('is refused where the source has not noted all that changed, or the copy was begun without it', () =>
      between(async (source, target, opened) => {
        await interrupted(source, target)
        await sql`update copy_following set until = 1`.execute(opened.db)
        await assert.rejects(copyFrom(source, target, { follow: never }), /has not noted all that changed/)
        await change(opened)
        const { rows } = await sql`select * from copy_notes`.execute(opened.db)
        assert.deepEqual(rows, [], 'an abandoned copy grows no more')
        const other = await freshDatabase(to)
        const died = new Error('the process died')
        const report = () => {
          throw died
        }
        await assert.rejects(copyFrom(source, other, { report }), died)
        await assert.rejects(copyFrom(source, other, { follow: never }), /begun without --follow/)
        await other.remove()
      }))

    it('is refused where the source has come to another version meanwhile', () =>
      between(async (source, target, { db }) => {
        let changed: Promise<unknown> | undefined
        const caughtUp = () => {
          changed = sql`insert into schema_migrations (name, applied_at) values ('9999-newer', '')`.execute(
            db,
          )
        }
        await assert.rejects(
          copyFrom(source, target, { follow: { ...never, caughtUp } }),
          /written by a newer version/,
        )
        await changed
      }))

    it(
      'goes on after a service has written while all was compared',
      {
        skip: from === 'sqlite' && 'a lock keeps services off',
      },
      () =>
        between(async (source, target, { db }) => {
          let changed: Promise<unknown> | undefined
          const report = (what: string) => {
            if (what === 'verified') changed ??= db.updateTable('processes').set({ beats: 99 }).execute()
          }
          await assert.rejects(
            copyFrom(source, target, { follow: never, report }),
            /a service ran on the source.*run the same again/,
          )
          await changed
          assert.equal((await copyFrom(source, target, { follow: never })).isResumed, true)
          await isLike(target, source)
        }),
    )

    it('that is stopped before it has all goes on with the next', () =>
      between(async (source, target) => {
        const stopping = new AbortController()
        const follow = { stop: stopping.signal, caughtUp: () => {} }
        const report = (_: string, { table }: { table: string }) => table === 'messages' && stopping.abort()
        await assert.rejects(copyFrom(source, target, { follow, report }), /stopped before all was copied/)
        assert.equal((await copyFrom(source, target, { follow: never })).isResumed, true)
        await isLike(target, source)
      }))
  })
