import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { StoreFailed } from '../../../src/files/places/file-place.ts'
import { describeFailure } from '../../../src/lib/describe-failure.ts'
import { openFreshDatabase } from '../../support/databases.ts'

async function failureOf(work: () => unknown) {
  try {
    await work()
  } catch (error) {
    return describeFailure(error)
  }
  throw new Error('it did not fail')
}

describe('describeFailure', () => {
  it("tells PostgreSQL's code, and its words where they name no values", async () => {
    const { db, close, fresh } = await openFreshDatabase('postgres')
    const of = (statement: string) => failureOf(() => sql.raw(statement).execute(db))
    assert.deepEqual(await of('select from nothing_there'), {
      name: 'error',
      code: '42P01',
      message: 'relation "nothing_there" does not exist',
    })
    assert.deepEqual(await of(`select 'my secret'::int`), { name: 'error', code: '22P02' })
    await db.insertInto('installation').values({ name: 'my secret', value: '' }).execute()
    const twice = () => db.insertInto('installation').values({ name: 'my secret', value: '' }).execute()
    assert.deepEqual(await failureOf(twice), { name: 'error', code: '23505' })
    await close()
    await fresh.remove()
  })

  it("tells SQLite's code, and what the code means", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-full-'))
    const database = new DatabaseSync(join(folder, 'full.db'))
    database.exec('create table t (x); pragma max_page_count = 2')
    const full = await failureOf(() => database.exec(`insert into t values ('${'my secret'.repeat(5000)}')`))
    assert.deepEqual(full, {
      name: 'Error',
      code: 'ERR_SQLITE_ERROR',
      errcode: 13,
      message: 'database or disk is full',
    })
    database.close()
    rmSync(folder, { recursive: true })
  })

  it('tells what the operating system said, and nothing of what only we said', async () => {
    const missing = await failureOf(() => readFileSync('/nothing/there'))
    assert.equal(missing.code, 'ENOENT')
    assert.match(missing.message ?? '', /no such file/)
    const ours = new Error('my secret', { cause: new TypeError('my secret') })
    assert.deepEqual(describeFailure(ours), { name: 'Error', cause: { name: 'TypeError' } })
    assert.deepEqual(describeFailure('my secret'), { name: 'string' })
    const store = describeFailure(new StoreFailed('answered 403 AccessDenied', new Error('my secret')))
    assert.deepEqual(
      [store.message, store.cause],
      ['the store of files answered 403 AccessDenied', { name: 'Error' }],
    )
  })
})
