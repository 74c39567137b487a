import { setTimeout as wait } from 'node:timers/promises'
import { finishMigrations } from '../app/finish-migrations.ts'
import { startRedactionWork } from '../redaction/redaction-work.ts'
import { openBackfills } from '../storage/backfills.ts'
import { openDatabase, requireDatabase } from '../storage/database.ts'
import { triggers } from '../triggers.ts'
import type { Command } from './command.ts'
import { printable } from './printable.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: '[--finish]',
  summary:
    'Bring the database schema up to date (every start does this too); --finish: background work as well',
  options: { finish: { type: 'boolean' } },
  async run({ config, options, print }) {
    requireDatabase(config)
    const database = await openDatabase(config)
    const { db, engine } = database
    const report = (words: string) => void process.stderr.write(`${printable(words)}\n`)
    try {
      const applied = await database.migrate({ report, triggers })
      let remaining = await openBackfills(db)
      if (options.finish && remaining.length > 0) {
        const redactionWork = startRedactionWork()
        try {
          // Repeats while another process runs a backfill.
          for (; remaining.length > 0; remaining = await openBackfills(db)) {
            await finishMigrations({ db, engine, redactionWork, report })
            await wait(100)
          }
        } finally {
          await redactionWork.close()
        }
      }
      const done =
        applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['The schema is up to date']
      const left = remaining.map((name) => `left to the running service: ${name}`)
      print({ applied, remaining }, [...done, ...left])
    } finally {
      await database.close()
    }
    return 0
  },
}
