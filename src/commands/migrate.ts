import { openDatabase } from '../storage/database.ts'
import type { Command } from './command.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the database schema up to date (every start does this too)',
  async run({ config, print }) {
    const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir })
    try {
      const applied = await database.migrate()
      print(
        { applied },
        applied.length > 0 ? applied.map((name) => `applied ${name}`) : 'The schema is up to date',
      )
    } finally {
      await database.close()
    }
    return 0
  },
}
