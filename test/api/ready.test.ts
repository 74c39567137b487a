import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'

// Most of their time is waiting.
describe('readiness', { concurrency: true }, () => {
  for (const engine of engines)
    it(`503 while the database takes no writes, with the reason in the log; 200 once it does, on ${engine}`, async () => {
      const lines: string[] = []
      const logger = pino({ level: 'warn', base: null }, { write: (line) => void lines.push(line) })
      await using app = await startApp(engine, {}, Date.now, logger)
      const until = async (wanted: number) => {
        while ((await fetch(`${app.url}/readyz`)).status !== wanted) await wait(100)
      }
      await until(200)
      const allow = await (engine === 'sqlite' ? fillUp(app) : refuseWrites(app))
      await until(503)
      const why = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'not ready')
      const words = engine === 'sqlite' ? /database or disk is full/ : /read-only transaction/
      assert.match(why.error.message, words)
      assert.equal((await fetch(`${app.url}/healthz`)).status, 200)
      await allow()
      await until(200)
    })

  for (const engine of engines)
    it(`503 once a prompt found no room, although less would fit; 200 once there is room for much more, on ${engine}`, async () => {
      await using app = await startApp(engine)
      const ready = async () => (await fetch(`${app.url}/readyz`)).status
      const until = async (wanted: number) => {
        while ((await ready()) !== wanted) await wait(100)
      }
      await until(200)
      const makeRoom = await (engine === 'sqlite' ? leaveLittle(app) : refuseMuch(app))
      await wait(1100)
      await until(200)
      const prompt = { messages: [{ role: 'user', content: 'x'.repeat(900_000) }] }
      assert.equal((await app.agent.post('/chat/completions', prompt)).status, 503)
      await until(503)
      await wait(1100)
      assert.equal(await ready(), 503, 'also to who asks again')
      await makeRoom()
      await until(200)
      assert.equal((await app.agent.post('/chat/completions', prompt)).status, 200)
    })
})

/** Leaves so many pages that a small write fits. @returns makes room again */
async function leaveLittle({ app }: TestApp): Promise<() => Promise<void>> {
  const { db } = app.foundation.database
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  const limit = Number(rows[0]?.page_count) + 100
  await sql`pragma max_page_count = ${sql.lit(limit)}`.execute(db)
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db))
}

/** The disk of a server cannot be filled here: it refuses long texts with the same code. @returns has it take them again */
async function refuseMuch({ app }: TestApp): Promise<() => Promise<void>> {
  const { db } = app.foundation.database
  await sql`create function refuse_much() returns trigger language plpgsql as $$
    begin
      if length(new::text) > 500000 then raise exception using errcode = 'disk_full'; end if;
      return new;
    end $$`.execute(db)
  for (const table of ['messages', 'write_probes'])
    await sql`create trigger refuse_much before insert on ${sql.table(table)}
      for each row execute function refuse_much()`.execute(db)
  return async () => void (await sql`drop function refuse_much cascade`.execute(db))
}

/** Leaves no page in the file. @returns makes room again */
async function fillUp({ app }: TestApp): Promise<() => Promise<void>> {
  const { db } = app.foundation.database
  await sql`pragma max_page_count = 1`.execute(db)
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db))
}

/** The disk of a server cannot be filled here: it refuses writes for another reason. @returns has it take them again */
async function refuseWrites({ app }: TestApp): Promise<() => Promise<void>> {
  const admin = new pg.Client({ connectionString: app.foundation.config.databaseUrl ?? '' })
  await admin.connect()
  const { rows } = await admin.query('select quote_ident(current_database()) as name')
  const settle = async (change: string) => {
    await admin.query(`alter database ${rows[0]?.name} ${change}`)
    // It holds for sessions that begin from now on.
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }
  await settle('set default_transaction_read_only = on')
  return async () => {
    await settle('reset default_transaction_read_only')
    await admin.end()
  }
}
