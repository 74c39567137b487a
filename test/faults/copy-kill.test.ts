import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { createFirstAgent } from '../../src/agents/first-agent.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import type { DatabasePlace } from '../../src/storage/database.ts'
import { drawing } from '../support/chance.ts'
import { directions, messagesIn } from '../support/copying.ts'
import { type FreshDatabase, freshDatabase, readyDatabase } from '../support/databases.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { settingsOn } from '../support/service-process.ts'

const MESSAGES = 60_000

/** Returns the command that copies, and how it is run. */
function copying(source: FreshDatabase, target: FreshDatabase) {
  const place = target.databaseUrl ?? `sqlite:${target.dataDir}`
  return [['copy', '--to', place, '--json'], { env: settingsOn(source) }] as const
}

async function fill(source: FreshDatabase): Promise<void> {
  const { database, close } = await openFoundation(readConfig(settingsOn(source)))
  await createFirstAgent(database.db, Date.now())
  await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(MESSAGES)})
    select 1, 'conversation', 'system', 'message ' || n, '2026-11-26T12:00:00.000Z' from numbers`.execute(
    database.db,
  )
  await close()
}

/** Waits until a copy has brought so many messages. */
async function untilBrought(target: DatabasePlace, messages: number): Promise<void> {
  while ((await messagesIn(target).catch(() => 0)) < messages) await wait(5)
}

for (const [from, to] of directions)
  describe(`kill -9 in the middle of a copy from ${from} to ${to}`, () => {
    it('the next one goes on, and all rows are there once', async () => {
      const [source, target] = [await readyDatabase(from), await freshDatabase(to)]
      await fill(source)
      const killed = await startProgram(...copying(source, target))
      const ended = once(killed, 'exit')
      await untilBrought(target, drawing()(1, MESSAGES / 4))
      killed.kill('SIGKILL')
      assert.deepEqual(await ended, [null, 'SIGKILL'])
      const half = await messagesIn(target)
      assert.ok(half > 0 && half < MESSAGES, `${half} messages`)
      const { out, err, code } = await runProgram(...copying(source, target))
      assert.equal(code, 0, err)
      assert.equal(JSON.parse(out).resumed, true)
      assert.equal(await messagesIn(target), MESSAGES)
      await Promise.all([source.remove(), target.remove()])
    })
  })
