import { openFoundation } from '../foundation.ts'
import type { Command } from './command.ts'

export const compact: Command = {
  name: 'compact',
  usage: '',
  summary: 'Rewrite the tables so that no redacted text remains in unused space',
  async run({ config, print }) {
    await using foundation = await openFoundation(config)
    await foundation.database.engine.compact()
    print({ compacted: true }, 'Rewrote the database')
    return 0
  },
}
