/** An entry of a zip archive, as the archive's directory states it. */
export interface ZipEntry {
  name: string
  /** The method of packing; 0: stored, 8: deflated. */
  method: number
  packed: number
  unpacked: number
  /** The position of the entry's own header. */
  offset: number
}

const END = 0x06054b50
const ENTRY = 0x02014b50
/** The maximum size of the end record, with its comment of up to 65,535 bytes. */
const LONGEST_END = 65_557

/**
 * Reads the directory of a zip archive, without unpacking anything.
 * @returns null when it is no archive, or its directory is broken or reaches beyond the file
 */
export function readZipDirectory(bytes: Buffer): ZipEntry[] | null {
  const end = bytes.lastIndexOf('PK\x05\x06', bytes.length - 22, 'latin1')
  if (end < 0 || end < bytes.length - LONGEST_END || bytes.readUInt32LE(end) !== END) return null
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  const entries: ZipEntry[] = []
  for (let left = count; left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return null
    const nameLength = bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the packed bytes of an entry; null when they are not where the directory says. */
export function packedBytes(bytes: Buffer, { offset, packed }: ZipEntry): Buffer | null {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50) return null
  const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  return from + packed > bytes.length ? null : bytes.subarray(from, from + packed)
}
