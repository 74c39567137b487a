import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { errorCode } from '../../lib/error-code.ts'

/** Sizes of the headers of a write-ahead log and of its frames (https://www.sqlite.org/fileformat2.html#walformat). */
const HEADER = 32
const FRAME_HEADER = 24
/** The magic number of a log whose checksums are of little-endian words. */
const LITTLE_ENDIAN = 0x377f0682
const FRAMES_AT_ONCE = 256

/** The place that a write-ahead log had reached when a commit was on the disk. */
interface Place {
  /** Two numbers in the log's header that SQLite changes each time the log starts again from its beginning. */
  salts: Buffer
  frames: number
}

/**
 * Records beside a database how far its write-ahead log was written at the last commit that was answered. SQLite reads
 * the log up to the first damaged frame, and ignores the rest without a message.
 */
export class LastCommit {
  readonly #file: string
  readonly #log: string
  readonly #framesNow: () => number
  #descriptors: { record: number; log: number } | null = null
  #seen = 0
  #kept = 0

  /** @param framesNow returns the number of frames that the log has now */
  constructor(databaseFile: string, framesNow: () => number) {
    this.#file = recordOf(databaseFile)
    this.#log = logOf(databaseFile)
    this.#framesNow = framesNow
  }

  /** Notes how far the log is written. @returns a function that records it, to be called once that is on the disk */
  look(): () => void {
    const place = Buffer.alloc(12)
    const number = ++this.#seen
    const keep = tried(() => {
      this.#descriptors ??= {
        record: openSync(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600),
        log: openSync(this.#log, 'r'),
      }
      const { record, log } = this.#descriptors
      readSync(log, place, 0, 8, 16)
      place.writeUInt32BE(this.#framesNow(), 8)
      return () =>
        void tried(() => {
          if (number < this.#kept) return
          this.#kept = number
          writeSync(record, place, 0, place.length, 0)
        })
    })
    return keep ?? (() => {})
  }

  close(): void {
    if (!this.#descriptors) return
    closeSync(this.#descriptors.record)
    closeSync(this.#descriptors.log)
  }
}

/**
 * Describes the loss when commits that had been answered are no longer in the log. Must run before SQLite opens the
 * database, which starts the log anew.
 */
export function missingCommits(databaseFile: string): string | null {
  const kept = readRecord(databaseFile)
  if (kept === null) return null
  const found = soundFrames(databaseFile, kept)
  // Another process may have begun the log anew while it was read.
  if (found === null || soundFrames(databaseFile, kept) === null) return null
  rmSync(recordOf(databaseFile), { force: true })
  return `the end of ${logOf(databaseFile)} is damaged: ${kept.frames - found} of ${kept.frames} written pages, which hold the newest of what had been answered, are lost`
}

/** Counts the sound frames of a log that has lost some; null when it has lost none, or was begun anew. */
function soundFrames(databaseFile: string, { salts, frames }: Place): number | null {
  const log = openIfThere(logOf(databaseFile))
  if (log === null) return null
  try {
    // The process that had it open has copied it into the database and emptied it.
    if (fstatSync(log).size === 0) return null
    const header = Buffer.alloc(HEADER)
    readSync(log, header, 0, HEADER, 0)
    const sum = new Checksum()
    sum.add(header.subarray(0, 24))
    if (header.readUInt32BE(0) !== LITTLE_ENDIAN || !sum.equals(header, 24))
      return header.readUInt32BE(0) === LITTLE_ENDIAN + 1 || endianness() === 'BE' ? null : 0
    if (!header.subarray(16, 24).equals(salts)) return null
    const size = FRAME_HEADER + header.readUInt32BE(8)
    const part = Buffer.alloc(size * FRAMES_AT_ONCE)
    for (let sound = 0; sound < frames; ) {
      const read = readSync(log, part, 0, part.length, HEADER + sound * size)
      if (read < size) return sound
      for (let at = 0; at + size <= read && sound < frames; at += size, sound++) {
        const frame = part.subarray(at, at + size)
        sum.add(frame.subarray(0, 8))
        sum.add(frame.subarray(FRAME_HEADER))
        if (!frame.subarray(8, 16).equals(salts) || !sum.equals(frame, 16)) return sound
      }
    }
    return null
  } finally {
    closeSync(log)
  }
}

/** Runs work and returns null when it fails: a commit counts whether or not its place can be recorded. */
function tried<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** The checksum of everything in a log that was added so far. */
class Checksum {
  #one = 0
  #two = 0

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 8) {
      this.#one = (this.#one + bytes.readUInt32LE(at) + this.#two) >>> 0
      this.#two = (this.#two + bytes.readUInt32LE(at + 4) + this.#one) >>> 0
    }
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#one && bytes.readUInt32BE(at + 4) === this.#two
  }
}

function readRecord(databaseFile: string): Place | null {
  const record = openIfThere(recordOf(databaseFile))
  if (record === null) return null
  const bytes = Buffer.alloc(12)
  const read = readSync(record, bytes, 0, bytes.length, 0)
  closeSync(record)
  return read < bytes.length ? null : { salts: bytes.subarray(0, 8), frames: bytes.readUInt32BE(8) }
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

const recordOf = (databaseFile: string) => `${databaseFile}-committed`
const logOf = (databaseFile: string) => `${databaseFile}-wal`
