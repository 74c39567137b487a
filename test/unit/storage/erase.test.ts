import assert from 'node:assert/strict'
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { index } from '../../../src/storage/migration.ts'
import { migrations } from '../../../src/storage/migrations.ts'
import { until } from '../../support/becomes.ts'
import { openFreshDatabase } from '../../support/databases.ts'

describe('eraseOverwritten', () => {
  const secret = 'jane.doe@example.com'
  const steps = [index('messages_longest', (create) => create.on('messages').column('content'))]
  let database: Awaited<ReturnType<typeof openFreshDatabase>>

  beforeEach(async () => {
    database = await openFreshDatabase('sqlite')
  })
  afterEach(async () => {
    await database.close()
    await database.fresh.remove()
  })

  const insert = (content: string) =>
    database.db
      .insertInto('messages')
      .values({
        agent_id: 1,
        conversation_id: 'c',
        completion_id: null,
        role: 'user',
        content,
        tool_calls: null,
        tool_call_id: null,
        author: null,
        created_at: 'now',
        redacted: null,
      })
      .execute()
  const overwrite = () => database.db.updateTable('messages').set({ content: 'redacted' }).execute()
  const filesWithSecret = () =>
    readdirSync(database.fresh.dataDir).filter((file) =>
      readFileSync(join(database.fresh.dataDir, file), 'latin1').includes(secret),
    )

  for (const [size, content] of [
    ['short', `write to ${secret}`],
    ['longer than a page', `${'word '.repeat(3000)}${secret}${' word'.repeat(3000)}`],
  ] as const)
    it(`takes ${size} text out of every file`, async () => {
      await insert(content)
      await insert('a neighbour')
      await database.engine.eraseOverwritten()
      await overwrite()
      assert.deepEqual(filesWithSecret(), ['parley.db'])
      await database.engine.eraseOverwritten()
      assert.deepEqual(filesWithSecret(), [])
    })

  it('compact takes what pages that were rearranged have kept, and loses nothing', async () => {
    const { db, engine } = database
    for (let n = 0; n < 300; n++) await insert(`${n} ${secret} ${'x'.repeat(n)}`)
    // Rows that grow make SQLite move their neighbours to other pages.
    for (let n = 1; n <= 300; n += 3) {
      await db
        .updateTable('messages')
        .set({ content: 'y'.repeat(900) })
        .where('id', '=', n)
        .execute()
    }
    await overwrite()
    await engine.compact()
    assert.deepEqual(filesWithSecret(), [])
    const rows = await db.selectFrom('messages').select('content').execute()
    assert.equal(rows.filter(({ content }) => content === 'redacted').length, 300)
  })

  for (const [what, work] of [
    ['compact', () => database.engine.compact()],
    [
      'building an index',
      () => database.migrate({ migrations: [...migrations, { name: '9999-longest', steps }] }),
    ],
  ] as const)
    it(`${what} copies what is large into a file of the data directory, which is gone after it`, async () => {
      for (let n = 0; n < 8; n++) await insert(`${n}${'x'.repeat(5_000_000)}`)
      const folder = database.fresh.dataDir
      const seen = new Set<string | null>()
      const watcher = watch(folder, (_, name) => seen.add(name))
      await work()
      writeFileSync(join(folder, 'last'), '')
      await until(() => seen.has('last'))
      watcher.close()
      const isCopy = (name: string | null) => name?.startsWith('etilqs_') ?? false
      assert.ok([...seen].some(isCopy))
      assert.deepEqual(readdirSync(folder).filter(isCopy), [])
    })

  it('waits for a reader to let go', async () => {
    await insert(secret)
    const reader = new DatabaseSync(join(database.fresh.dataDir, 'parley.db'))
    reader.exec('begin; select * from messages')
    await overwrite()
    let erased = false
    const erasing = database.engine.eraseOverwritten().then(() => {
      erased = true
    })
    // Writing goes on meanwhile.
    await insert('another')
    await insert('and another')
    assert.equal(erased, false)
    assert.notDeepEqual(filesWithSecret(), [])
    reader.close()
    await erasing
    assert.deepEqual(filesWithSecret(), [])
  })

  it('rejects when a reader never lets go, and works again afterwards', async (t) => {
    await insert(secret)
    const reader = new DatabaseSync(join(database.fresh.dataDir, 'parley.db'))
    reader.exec('begin; select * from messages')
    await overwrite()
    const clock = t.mock.method(performance, 'now', () => 0)
    const erasing = database.engine.eraseOverwritten()
    clock.mock.mockImplementation(() => 10_001)
    await assert.rejects(erasing, (error: Error) => {
      assert.match(error.message, /a reader keeps the write-ahead log/)
      return database.engine.isUnavailable(error)
    })
    clock.mock.restore()
    reader.close()
    await database.engine.eraseOverwritten()
    assert.deepEqual(filesWithSecret(), [])
  })

  it('serves callers at the same time, each for what it wrote before', async () => {
    await insert(secret)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await overwrite()
        await database.engine.eraseOverwritten()
        assert.deepEqual(filesWithSecret(), [])
        await insert('more')
      }),
    )
  })
})
