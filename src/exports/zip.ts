import { crc32 } from 'node:zlib'

/** A file to be put into an archive. */
export interface ZipEntry {
  /** Its path in the archive. */
  name: string
  /** @throws LeftOut where it ends too early */
  pieces: AsyncIterable<string | Uint8Array>
}

/** Ends a file of which only a part can be read: the archive does not list it. */
export class LeftOut extends Error {}

/** The version of the format that has 64-bit sizes. */
const ZIP64 = 45
/** Flags: sizes follow the bytes, and names are UTF-8. */
const FLAGS = 0x0808
/** The first day that the format knows. Files have no time of their own. */
const DATE = 0x21
const IN_EXTRA = 0xffffffff

/**
 * Writes a ZIP archive as its files are read: they are not compressed, since most are already, and their sizes come after
 * them. All sizes have 64 bits, so that an archive may be of any size. (client-zip 2.5.1 goes on reading a file when the
 * client leaves, writes no 64-bit count of more than 65,535 files, and takes seven times the processor time.)
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let written = 0
  const count = (bytes: Buffer) => {
    written += bytes.length
    return bytes
  }
  for await (const { name, pieces } of entries) {
    const at = written
    const path = Buffer.from(name)
    yield count(Buffer.concat([header(path), path, words([1, 2], [16, 2], [0, 8], [0, 8])]))
    let sum = 0
    let size = 0
    let isWhole = true
    try {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece as Uint8Array)
        sum = crc32(bytes, sum)
        size += bytes.length
        yield count(bytes)
      }
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error
      isWhole = false
    }
    yield count(words([0x08074b50, 4], [sum, 4], [size, 8], [size, 8]))
    if (!isWhole) continue
    directory.push(
      Buffer.concat([listed(path, sum), path, words([1, 2], [24, 2], [size, 8], [size, 8], [at, 8])]),
    )
  }
  const begin = written
  for (const entry of directory) yield count(entry)
  yield end(directory.length, begin, written)
}

/** Returns the fixed part of what stands before a file. */
function header(path: Buffer): Buffer {
  return words(
    [0x04034b50, 4],
    ...common(0),
    ...([
      [IN_EXTRA, 4],
      [IN_EXTRA, 4],
      [path.length, 2],
      [20, 2],
    ] as Word[]),
  )
}

/** Returns the fixed part of a file's entry in the directory at the end. */
function listed(path: Buffer, sum: number): Buffer {
  return words(
    [0x02014b50, 4],
    [ZIP64, 2],
    ...common(sum),
    ...([
      [IN_EXTRA, 4],
      [IN_EXTRA, 4],
      [path.length, 2],
      [28, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [IN_EXTRA, 4],
    ] as Word[]),
  )
}

function common(sum: number): Word[] {
  return [
    [ZIP64, 2],
    [FLAGS, 2],
    [0, 2],
    [0, 2],
    [DATE, 2],
    [sum, 4],
  ]
}

/** Returns the end of an archive, which says where its directory is. */
function end(entries: number, begin: number, at: number): Buffer {
  return Buffer.concat([
    words([0x06064b50, 4], [44, 8], [ZIP64, 2], [ZIP64, 2], [0, 4], [0, 4]),
    words([entries, 8], [entries, 8], [at - begin, 8], [begin, 8]),
    words([0x07064b50, 4], [0, 4], [at, 8], [1, 4]),
    words([0x06054b50, 4], [0, 2], [0, 2], [0xffff, 2], [0xffff, 2], [IN_EXTRA, 4], [IN_EXTRA, 4], [0, 2]),
  ])
}

/** A number, and the bytes that it takes. */
type Word = readonly [value: number, bytes: 2 | 4 | 8]

function words(...all: readonly Word[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of all) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}
