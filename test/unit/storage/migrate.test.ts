import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { engines, type FreshDatabase, freshDatabase } from '../../support/databases.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'migrating-process.ts')

for (const engine of engines) {
  describe(`migrate on ${engine}`, () => {
    let fresh: FreshDatabase
    let database: Database

    before(async () => {
      fresh = await freshDatabase(engine)
    })
    after(async () => {
      await database?.close()
      await fresh.remove()
    })

    it('is safe when six processes start at once on an empty database', async () => {
      if (engine === 'postgres') await emptyDatabase(fresh)
      const names = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const { stdout } = await run(process.execPath, [program, fresh.databaseUrl ?? '', fresh.dataDir])
          return JSON.parse(stdout) as string[]
        }),
      )
      assert.equal(names.filter((applied) => applied.length > 0).length, 1)
      assert.deepEqual([...new Set(names.flat())], names.flat())
    })

    it('applies nothing twice', async () => {
      database = await openDatabase(fresh)
      assert.deepEqual(await database.migrate(), [])
    })

    it('refuses a database of a newer version', async () => {
      await sql`insert into schema_migrations (name, applied_at) values ('9999-later', '')`.execute(
        database.db,
      )
      await assert.rejects(database.migrate(), /newer version of Parley \(9999-later\)/)
    })
  })
}

/** Takes out the schema that a fresh database comes with on PostgreSQL. */
async function emptyDatabase(fresh: FreshDatabase): Promise<void> {
  const database = await openDatabase(fresh)
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await database.close()
}
