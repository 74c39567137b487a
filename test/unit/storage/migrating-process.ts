// Migrates a database, prints the names it applied, and ends. For migrate.test.ts, which starts several at once.
import { openDatabase } from '../../../src/storage/database.ts'

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl: databaseUrl || null, dataDir })
const applied = await database.migrate()
await database.close()
process.stdout.write(JSON.stringify(applied))
