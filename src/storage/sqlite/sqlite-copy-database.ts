import { rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/**
 * Copies a SQLite database as it is at one moment. All pages are copied in one step, off the event loop, through a
 * separate connection: a copy in several steps starts over whenever something is written between two of them.
 * @param target an empty file
 */
export async function copyDatabase(file: string, target: string): Promise<void> {
  const removeJournal = () => rm(`${target}-journal`, { force: true })
  // A copy that was killed leaves one, which SQLite would play back.
  await removeJournal()
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, target, { rate: 0x7fffffff })
  } finally {
    source.close()
    await removeJournal()
  }
}
