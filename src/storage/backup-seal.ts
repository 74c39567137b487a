import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { OWN_VERSION } from '../lib/own-version.ts'

/** The end of a backup, behind what SQLite and PostgreSQL read of it. */
export interface Seal {
  /** The version of Parley that wrote the backup. */
  version: string
  /** The length of the backup without its seal. */
  bytes: number
}

const BEGINNING = '\nparley-backup '
const END = ' end-of-parley-backup\n'
const SEAL = new RegExp(`${BEGINNING}(\\S{1,40}) sha256 ([0-9a-f]{64})${END}$`)
/** Longer than any seal, and shorter than a page of SQLite. */
const TAIL = 256
/** Large pieces: a backup may have many gigabytes. */
const PIECE = 1_048_576

/** Appends a seal to a backup, with the SHA-256 of all bytes before the hash. */
export async function sealBackup(file: string, version: string = OWN_VERSION): Promise<void> {
  await appendFile(file, `${BEGINNING}${version} sha256 `)
  await appendFile(file, `${await hashOf(file)}${END}`)
}

/**
 * Checks each byte of a backup against its seal. A dump that `pg_dump` wrote by itself has none.
 * @throws Error if any byte has changed
 */
export async function checkSeal(file: string): Promise<Seal | null> {
  const { size, tail } = await readTail(file)
  // Either mark asks for a whole seal, so that damage to one does not hide the other.
  if (!tail.includes(BEGINNING) && !tail.includes(END)) return null
  const [seal = '', version = '', hash = ''] = SEAL.exec(tail) ?? []
  if (hash === '') throw new Error('its end is not as it was written')
  const hashed = size - hash.length - END.length
  if ((await hashOf(file, hashed)) !== hash) throw new Error('its bytes are not those that were written')
  return { version, bytes: size - seal.length }
}

async function hashOf(file: string, bytes = Number.POSITIVE_INFINITY): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file, { end: bytes - 1, highWaterMark: PIECE }))
    hash.update(piece)
  return hash.digest('hex')
}

async function readTail(file: string): Promise<{ size: number; tail: string }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL), 0, TAIL, Math.max(0, size - TAIL))
    return { size, tail: buffer.toString('latin1', 0, bytesRead) }
  } finally {
    await handle.close()
  }
}
