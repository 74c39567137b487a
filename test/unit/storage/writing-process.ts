// Writes numbered rows with eight callers at once and prints each number once its row is committed. For
// durability.test.ts, which kills it.
import { openDatabase } from '../../../src/storage/database.ts'

const [dataDir = ''] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl: null, dataDir })
let next = 0
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      const name = String(next++)
      await database.db.transaction().execute(async (db) => {
        await db.insertInto('teams').values({ name, created_at: 'first' }).execute()
        await db.insertInto('teams').values({ name, created_at: 'second' }).execute()
      })
      process.stdout.write(`${name}\n`)
    }
  }),
)
