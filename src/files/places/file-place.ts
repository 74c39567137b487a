import { ApiError } from '../../errors.ts'
import type { FilePart, FileRow } from '../tables.ts'

/** The columns of a file by which its bytes are found. */
export type PlacedFile = Pick<FileRow, 'id' | 'agent_id' | 'place'>

/** A place that keeps the bytes of files. Its functions are never called within a transaction. */
export interface FilePlace {
  /** Writes bytes as they come, and returns their number. When it throws, some bytes may stay until they are removed. */
  write(file: PlacedFile, part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** Reads the bytes from position `from` up to, but not including, `to`. @throws BytesGone if they are gone, also midway */
  read(file: PlacedFile, part: FilePart, from: number, to: number): AsyncIterable<Uint8Array>
  /** Removes bytes for good: a part, or all of a file and what is left of writes that were not finished. */
  remove(file: PlacedFile, part?: FilePart): Promise<void>
}

/** All places of files. */
export interface FilePlaces extends FilePlace {
  /** The place of new files, as their rows name it; null: the database. */
  current: string | null
  /** The most files that are written at once, since each takes memory. */
  mostWrites: number
}

/** Bytes of a file that are no longer in their place. */
export class BytesGone extends Error {
  constructor() {
    super('bytes of a file are gone')
  }
}

/** The failure of a store of files outside of the database. */
export class StoreFailed extends ApiError {
  /** A sentence for the operator, without secrets. */
  readonly forOperator: string

  /** @param did what the store did, without secrets */
  constructor(did: string, cause?: unknown) {
    super('unavailable', {
      message: 'The store of files does not work at the moment. Try again later.',
      cause,
    })
    this.forOperator = `the store of files ${did}`
  }
}

/** Reads the first piece, so that a failure comes before the answer begins. @throws what reading throws */
export async function beginReading(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const reading = pieces[Symbol.asyncIterator]()
  const first = await reading.next()
  return (async function* () {
    try {
      for (let read = first; !read.done; read = await reading.next()) yield read.value
    } finally {
      await reading.return?.()
    }
  })()
}
