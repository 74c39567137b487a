import { timestamp } from '../lib/clock.ts'
import { forgetBackup, noteBackup } from '../storage/backups.ts'
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
      const at = timestamp(Date.now())
      // Before an upgrade the table may not be there.
      const isNoted = (await database.db.introspection.getTables()).some(({ name }) => name === 'backups')
      if (isNoted) await noteBackup(database.db, at)
      try {
        await database.engine.backup(file)
      } catch (error) {
        if (isNoted) await forgetBackup(database.db, at)
        throw error
      }
    } finally {
      await database.close()
    }
    print({ file }, `Copied the database to ${file}. Keep the master key with it`)
    return 0
  },
}
