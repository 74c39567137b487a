import { setTimeout as wait } from 'node:timers/promises'
import type { GroupCommit } from './group-commit.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { BUSY, isBusy } from './sqlite-failures.ts'

const ERASE_LIMIT_MS = 10_000
/**
 * Copies the write-ahead log into the database and truncates it, so that no file holds the old bytes of overwritten
 * rows (secure_delete has zeroed them in the database). The pragma reports an open reader in its result, not as an
 * error; in that case it is tried again.
 */
export function eraser(writer: SqliteConnection, group: GroupCommit): () => Promise<void> {
  let next: Promise<void> | undefined
  const truncate = () =>
    untilFree(group, () => {
      // Later calls need a checkpoint of their own: they may have written after this one began.
      next = undefined
      const { rows } = writer.run<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])
      return rows[0]?.busy === 0
    })
  return () => {
    next ??= truncate()
    return next
  }
}

/** Repeats an attempt between groups until no reader or other process blocks it. */
export async function untilFree(group: GroupCommit, attempt: () => boolean): Promise<void> {
  const until = performance.now() + ERASE_LIMIT_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, 200)) {
    const done = await group.between(() => {
      try {
        return attempt()
      } catch (error) {
        if (isBusy(error)) return false
        throw error
      }
    })
    if (done) return
    if (performance.now() > until) {
      const error = new Error('a reader keeps the write-ahead log from being erased')
      throw Object.assign(error, { errcode: BUSY })
    }
    await wait(pause)
  }
}
