import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { errorCode } from '../../lib/error-code.ts'
import type { BulkTable } from '../bulk.ts'
import { type CopyNotes, keyOfRow, NOTED_FOR_S, NOW } from '../copy-notes.ts'
import { LOCK_NOT_AVAILABLE } from './postgres-failures.ts'

const CONNECT_LIMIT_MS = 5000
/** The longest time for which a new trigger waits for its table, and others then wait for the trigger. */
const LOCK_LIMIT_MS = 500
const MOST_ATTEMPTS = 120

/** Connects to a PostgreSQL database, on which services may run, for its notes. */
export async function openPostgresCopyNotes(url: string): Promise<CopyNotes> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  })
  client.on('error', () => {})
  await client.connect()
  const run = async (statement: string) => void (await client.query(statement))
  await run(`set lock_timeout = ${LOCK_LIMIT_MS}`)
  // A copy may connect as another role than the services, whose changes write the notes.
  await run(`select set_config('role', tableowner, false) from pg_tables
    where tablename = 'installation' and schemaname = current_schema() and tableowner <> current_user`)

  /** Runs statements that lock a table in one transaction, and tries again while others use the table. */
  async function patiently(statements: string): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await run(statements)
      } catch (error) {
        if (errorCode(error) !== LOCK_NOT_AVAILABLE || attempts === MOST_ATTEMPTS) throw error
        await wait(LOCK_LIMIT_MS * Math.random())
      }
    }
  }

  async function has(): Promise<boolean> {
    const { rows } = await client.query(`select to_regclass('copy_following') is not null as has`)
    return rows[0]?.has
  }

  async function drop(tables: readonly BulkTable[]): Promise<void> {
    for (const { name } of tables) {
      await patiently(`drop trigger if exists copy_note on "${name}"`)
      await run(`drop function if exists copy_note_${name}()`)
    }
    await patiently('drop table if exists copy_notes, copy_following')
  }

  return {
    async begin(tables) {
      if (await has()) await drop(tables)
      await run(`create table copy_notes (id bigint generated always as identity primary key,
          table_name text not null, key text not null);
        create table copy_following (until double precision not null);
        insert into copy_following values (${NOW.postgres} + ${NOTED_FOR_S})`)
      for (const table of tables) {
        await run(functionOf(table))
        await patiently(`create trigger copy_note after insert or update or delete on "${table.name}"
          for each row execute function copy_note_${table.name}()`)
      }
    },
    async areWhole() {
      if (!(await has())) return false
      const { rowCount } = await client.query(`select 1 from copy_following where until > ${NOW.postgres}`)
      return rowCount === 1
    },
    keepOn: () => run(`update copy_following set until = ${NOW.postgres} + ${NOTED_FOR_S}`),
    async forget(notes) {
      // A transaction that commits late has lower numbers than others that were read.
      const ids = notes.map(({ id }) => id)
      if (ids.length > 0) await client.query('delete from copy_notes where id = any($1::bigint[])', [ids])
    },
    end: drop,
    async close() {
      await client.end()
    },
  }
}

function functionOf(table: BulkTable): string {
  const [is, was] = [keyOfRow('new', table), keyOfRow('old', table)]
  const note = (key: string[]) =>
    `insert into copy_notes (table_name, key)
      values ('${table.name}', json_build_array(${key.map((one) => `${one}::text`).join(', ')})::text);`
  return `create or replace function copy_note_${table.name}() returns trigger language plpgsql as $$ begin
    if (select until from copy_following) > ${NOW.postgres} then
      if tg_op <> 'INSERT' then ${note(was)} end if;
      if tg_op = 'INSERT' then ${note(is)}
      elsif tg_op = 'UPDATE' then if (${is.join(', ')}) is distinct from (${was.join(', ')}) then ${note(is)} end if;
      end if;
    end if;
    return null; end $$`
}
