import type { FilePart } from './tables.ts'

/** Names the bytes of a part of a file. */
export interface NamedPart {
  agentId: number
  fileId: string
  part: FilePart
}

/** A place that keeps the bytes of files. Its functions are never called within a transaction. */
export interface FilePlace {
  /**
   * Writes bytes as they come, and returns their number. When it throws, some bytes may stay until they are removed.
   */
  write(named: NamedPart, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** Reads the bytes from position `from` up to, but not including, `to`. @throws BytesGone if they are gone, also midway */
  read(named: NamedPart, from: number, to: number): AsyncIterable<Uint8Array>
  /** Removes bytes for good; does nothing when there are none. */
  remove(named: NamedPart): Promise<void>
}

/** Bytes of a file that are no longer in their place. */
export class BytesGone extends Error {
  constructor() {
    super('bytes of a file are gone')
  }
}

/** Removes all parts of a file. */
export async function removeParts(place: FilePlace, file: Omit<NamedPart, 'part'>): Promise<void> {
  for (const part of ['sent', 'kept', 'preview'] as const) await place.remove({ ...file, part })
}
