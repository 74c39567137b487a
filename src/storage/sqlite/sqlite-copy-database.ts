import { backup, DatabaseSync } from 'node:sqlite'
import { writeWhole } from '../write-whole.ts'

/**
 * Copies a SQLite database as it is at one moment. All pages are copied in one step, off the event loop, through a
 * separate connection: a copy in several steps starts over whenever something is written between two of them.
 * @param target a file that does not exist
 */
export async function copyDatabase(file: string, target: string): Promise<void> {
  await writeWhole(target, async (partial) => {
    const source = new DatabaseSync(file, { readOnly: true })
    try {
      await backup(source, partial, { rate: 0x7fffffff })
    } finally {
      source.close()
    }
  })
}
