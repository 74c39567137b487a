import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database.ts'
import { becomes } from '../support/becomes.ts'
import { type EngineKind, engines, type FreshDatabase, readyDatabase } from '../support/databases.ts'
import { hasPostgresTools } from '../support/postgres-tools.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { settingsOn } from '../support/service-process.ts'

/** The number of messages, and their text, that make a backup take a moment: not even compressed are they small. */
const MESSAGES = { sqlite: 40_000, postgres: 20_000 }
const TEXT = {
  sqlite: sql`hex(randomblob(500))`,
  postgres: sql.join(
    Array.from({ length: 8 }, () => sql`gen_random_uuid()`),
    sql` || '' || `,
  ),
}

for (const engine of engines)
  describe(`kill -9 in the middle of a backup on ${engine}`, {
    skip: engine === 'postgres' && !hasPostgresTools && 'no pg_dump',
  }, () => {
    it('leaves no file of its name, and what it leaves is told, then written over', async () => {
      const source = await readyDatabase(engine)
      await fill(source, engine)
      const folder = join(source.dataDir, 'backups')
      await mkdir(folder)
      const file = join(folder, 'monday')
      const partial = `${file}.partial`
      const env = settingsOn(source)
      const killed = await startProgram(['backup', file], { env })
      const ended = once(killed, 'exit')
      while (!existsSync(partial) || statSync(partial).size === 0) await wait(1)
      killed.kill('SIGKILL')
      assert.deepEqual(await ended, [null, 'SIGKILL'])
      assert.ok(!existsSync(file) && statSync(partial).size > 0)
      if (engine === 'postgres') await becomes(() => dumpsOf(source), 0)

      const backup = async (name: string) => {
        const { out, err, code } = await runProgram(['backup', join(folder, name), '--json'], { env })
        assert.equal(code, 0, err)
        return JSON.parse(out).interrupted
      }
      assert.deepEqual(await backup('tuesday'), [partial])
      assert.deepEqual(await backup('monday'), [])
      assert.deepEqual(readdirSync(folder).sort(), ['monday', 'tuesday'])
      const { out, err } = await runProgram(['restore', file, '--verify', '--json'], { env })
      assert.ok(out !== '', err)
      assert.ok(JSON.parse(out).rows > MESSAGES[engine])
      await rm(folder, { recursive: true })
      await source.remove()
    })
  })

async function fill(source: FreshDatabase, engine: EngineKind): Promise<void> {
  const { db, close } = await openDatabase(source)
  await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MESSAGES[engine])})
    select 1, 'conversation', 'system', ${TEXT[engine]}, '2026-11-26T12:00:00.000Z' from numbers`.execute(db)
  await close()
}

/** Counts the dumps that a server still makes of a database. */
async function dumpsOf(source: FreshDatabase): Promise<number> {
  const { db, close } = await openDatabase(source)
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from pg_stat_activity
    where application_name = 'pg_dump' and datname = current_database()`.execute(db)
  await close()
  return Number(rows[0]?.count)
}
