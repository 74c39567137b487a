import assert from 'node:assert/strict'
import { it } from 'node:test'
import { preparedInsert } from '../../../src/storage/prepared-insert.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines)
  it(`preparedInsert on ${engine} writes every row, in order, however many there are`, async () => {
    const { db, fresh, close } = await openFreshDatabase(engine)
    const insert = preparedInsert<{ name: string; created_at: string }>('teams', ['name', 'created_at'])
    const names: string[] = []
    for (const count of [0, 1, 7, 15, 63, 64, 65, 200]) {
      const rows = Array.from({ length: count }, (_, n) => ({ name: `${count} ${n}`, created_at: 'now' }))
      await insert(db, rows)
      names.push(...rows.map(({ name }) => name))
    }
    const written = await db.selectFrom('teams').select('name').orderBy('id').execute()
    assert.deepEqual(
      written.map(({ name }) => name),
      names,
    )
    await close()
    await fresh.remove()
  })
