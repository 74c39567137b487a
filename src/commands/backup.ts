import { openDatabase } from '../storage/database.ts'
import type { Command } from './command.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Write a consistent copy of the SQLite database while the service runs',
  positionals: 1,
  async run({ config, positionals: [file = ''], print }) {
    const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir })
    try {
      await database.engine.backup(file)
    } finally {
      await database.close()
    }
    print({ file }, `Copied the database to ${file}. Keep the master key with it`)
    return 0
  },
}
