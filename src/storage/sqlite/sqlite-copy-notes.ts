import { DatabaseSync } from 'node:sqlite'
import type { BulkTable } from '../bulk.ts'
import { type CopyNotes, keyOfRow, NOTED_FOR_S, NOW } from '../copy-notes.ts'

/** The time for which a change waits for the service to finish a transaction. */
const WAIT_MS = 10_000

/** Opens the notes of a SQLite database, on which a service may run. */
export function openSqliteCopyNotes(file: string): CopyNotes {
  const database = new DatabaseSync(file, { timeout: WAIT_MS })
  // Keys hold words of texts, which may be erased meanwhile.
  database.exec('pragma secure_delete = on')
  const has = () =>
    database.prepare(`select 1 from sqlite_schema where name = 'copy_following'`).get() !== undefined

  function alone(work: () => void): void {
    database.exec('begin immediate')
    try {
      work()
      database.exec('commit')
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  function drop(tables: readonly BulkTable[]): void {
    for (const { name } of tables)
      for (const act of ACTS) database.exec(`drop trigger if exists copy_note_${name}_${act}`)
    database.exec('drop table if exists copy_notes; drop table if exists copy_following')
  }

  return {
    async begin(tables) {
      alone(() => {
        drop(tables)
        database.exec(`create table copy_notes (id integer primary key, table_name text not null, key text not null);
          create table copy_following (until integer not null);
          insert into copy_following values (${NOW.sqlite} + ${NOTED_FOR_S})`)
        for (const table of tables) for (const act of ACTS) database.exec(triggerOf(table, act))
      })
    },
    areWhole: async () =>
      has() &&
      database.prepare(`select 1 from copy_following where until > ${NOW.sqlite}`).get() !== undefined,
    async keepOn() {
      database.exec(`update copy_following set until = ${NOW.sqlite} + ${NOTED_FOR_S}`)
    },
    async forget(notes) {
      const last = notes.at(-1)
      // Transactions commit in the order of their numbers.
      if (last) database.prepare('delete from copy_notes where id <= ?').run(last.id)
    },
    async end(tables) {
      alone(() => drop(tables))
    },
    async close() {
      database.close()
    },
  }
}

const ACTS = ['insert', 'update', 'delete'] as const

function triggerOf(table: BulkTable, act: (typeof ACTS)[number]): string {
  const [is, was] = [keyOfRow('new', table), keyOfRow('old', table)]
  const note = (key: string[], when = '') =>
    `insert into copy_notes (table_name, key)
      select '${table.name}', json_array(${key.map((one) => `cast(${one} as text)`).join(', ')}) ${when};`
  const notes = {
    insert: note(is),
    delete: note(was),
    update: `${note(was)} ${note(is, `where (${is.join(', ')}) is not (${was.join(', ')})`)}`,
  }
  return `create trigger copy_note_${table.name}_${act} after ${act} on "${table.name}"
    when (select until from copy_following) > ${NOW.sqlite} begin ${notes[act]} end`
}
