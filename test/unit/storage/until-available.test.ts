import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { openDatabase } from '../../../src/storage/database.ts'
import { untilAvailable } from '../../../src/storage/keep-trying.ts'
import { noteFailure } from '../../../src/storage/postgres/postgres-failures.ts'
import { freshDatabase } from '../../support/databases.ts'

/** The failures of a full disk and of a database that is away, by engine. */
const failures = {
  sqlite: { full: fullDisk(), away: Object.assign(new Error('locked'), { errcode: 5 }) },
  postgres: {
    full: ofPostgres('could not extend file', { code: '53100', severity: 'ERROR' }),
    away: ofPostgres('connect', { code: 'ECONNREFUSED' }),
  },
}

for (const [engine, { full, away }] of Object.entries(failures))
  describe(`a start that waits for ${engine}`, () => {
    it('says whether the database is away or its disk is full, and goes on when it can', async () => {
      const fresh = await freshDatabase(engine as 'sqlite' | 'postgres')
      const database = await openDatabase(fresh)
      try {
        const said: string[] = []
        const logger = { warn: (_about: object, message: string) => void said.push(message) }
        const left = [full, away]
        const insist = untilAvailable(logger, new AbortController().signal)
        const done = await insist(database.engine, async () => {
          const failure = left.shift()
          if (failure) throw failure
          return 'done'
        })
        assert.equal(done, 'done')
        assert.deepEqual(said, [
          "the database's disk is full: waiting for room",
          'the database cannot be reached: waiting for it',
        ])
      } finally {
        await database.close()
        await fresh.remove()
      }
    })
  })

function ofPostgres(message: string, fields: object): Error {
  const error = Object.assign(new Error(message), fields)
  noteFailure(error)
  return error
}

/** The error of SQLite when there is no room for another page. */
function fullDisk(): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'parley-full-'))
  const database = new DatabaseSync(join(folder, 'full.db'))
  try {
    database.exec('PRAGMA max_page_count = 2; CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x)')
    throw new Error('there was room')
  } catch (error) {
    return error
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}
