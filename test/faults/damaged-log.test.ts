import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import pino from 'pino'
import { createApp } from '../../src/app/create-app.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

/** Damage to a killed process's log: its name, whether answers are lost, the edit. `end`: the last answer's start. */
const damages: [name: string, loses: boolean, damage: (log: string, end: number) => void][] = [
  ['nothing', false, () => {}],
  ['a byte of the last answer', true, (log, end) => flip(log, end + 100)],
  ['the last answer', true, truncateSync],
  ['its first byte', true, (log) => flip(log, 0)],
]

describe('a write-ahead log that is damaged after kill -9', () => {
  for (const [name, loses, damage] of damages)
    it(`${name}: ${loses ? 'the log and readiness tell that answers are missing' : 'nobody tells of a loss'}`, async (t) => {
      const database = await databaseWithAgent('sqlite')
      const env = settingsOn(database)
      const service = await startService(env)
      t.after(() => service.child.kill('SIGKILL'))
      const agent = firstAgentOf(service)(service)
      const ids: string[] = []
      const file = join(database.dataDir, 'parley.db')
      startAnew(file)
      let end = 0
      // A checkpoint makes the log begin anew within its file: the last answer has to be at the end of it.
      for (let n = 0; n < 5 || statSync(`${file}-wal`).size <= end; n++) {
        end = statSync(`${file}-wal`).size
        ids.push((await agent.prompt(`prompt ${n}`)).id)
      }
      assert.equal((await service.end('SIGKILL')).signal, 'SIGKILL')
      damage(`${file}-wal`, end)

      for (const start of ['first', 'next']) {
        const lines: string[] = []
        const logger = pino({ level: 'error', base: null }, { write: (line) => void lines.push(line) })
        const config = readConfig({ ...env, PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent' })
        const foundation = await openFoundation(config)
        const app = await createApp(foundation, logger)
        const url = await app.listen()
        t.after(() => app.close().catch(() => {}))
        const { db } = foundation.database
        const found = await db.selectFrom('completions').select('id').where('id', 'in', ids).execute()
        if (start === 'first') assert.equal(found.length < ids.length, loses, 'the fault has landed')
        assert.equal(
          lines.some((line) => line.includes('commits that had been answered are missing')),
          loses,
        )
        const ready = await (await fetch(`${url}/readyz`)).json()
        assert.deepEqual(ready, { status: 'ok', ...(loses ? { warning: 'commits_missing' } : {}) })
        await app.close()
      }
      if (loses) {
        assert.equal(readFileSync(`${file}-missing`, 'utf8').trim().split('\n').length, 1, 'told of once')
        rmSync(`${file}-missing`)
      }
      const foundation = await openFoundation(readConfig(env))
      const { missing } = foundation.database
      await foundation.close()
      assert.equal(missing, null)
      await database.remove()
    })
})

/** Empties the log of a running service, which the migrations may have filled: the next commit is at its beginning. */
function startAnew(file: string): void {
  // The service may be writing or reading just then.
  using database = new DatabaseSync(file, { timeout: 10_000 })
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
  assert.equal(busy, 0)
}

function flip(file: string, at: number): void {
  const byte = readFileSync(file)[at] ?? 0
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.of(byte ^ 255), 0, 1, at)
  closeSync(descriptor)
}
