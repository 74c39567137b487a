import type { FilePart } from './tables.ts'

/** Names the bytes of a part of a file. */
export interface NamedPart {
  agentId: number
  fileId: string
  part: FilePart
}

/** A place that keeps the bytes of files. No call of it is made within a transaction. */
export interface FilePlace {
  /** Writes bytes as they come. Bytes of which some are missing are not read: their file has no attachment. */
  write(named: NamedPart, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads the bytes from one to another, which is not included. @throws BytesGone if they are gone, also midway */
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
