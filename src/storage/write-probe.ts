import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'
import type { WakingDb } from './waking-db.ts'

const LENGTH = 65_536
/** The length of the text after a write that found no room: a nearly full disk still has room for a short one. */
const LARGE_LENGTH = 1_048_576

/**
 * Tests whether the database takes writes. Once a transaction failed for lack of room, the test writes a much larger
 * text, until one succeeds.
 * @param write writes a text that needs new room
 */
export function writeProbe(
  db: WakingDb,
  { isFull }: Pick<Engine, 'isFull'>,
  write: (db: Kysely<Tables>, filler: string) => Promise<void>,
): () => Promise<void> {
  let wasFull = false
  db.onFailure((error) => {
    wasFull ||= isFull(error)
  })
  return async () => {
    const isLarge = wasFull
    await write(db, filler(isLarge ? LARGE_LENGTH : LENGTH))
    if (isLarge) wasFull = false
  }
}

/** Returns random text, which cannot be compressed. */
function filler(length: number): string {
  return randomBytes(length / 2).toString('hex')
}
