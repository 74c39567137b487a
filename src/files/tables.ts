import type { Generated, Selectable } from 'kysely'
import type { WorkColumns } from '../work/work-columns.ts'

/** The files of messages, and those that were uploaded for one. */
export interface FilesTable {
  id: string
  agent_id: number
  /** Empty while it waits for the prompt that may open its conversation. */
  conversation_id: string
  /** The message that it was sent with; null: not sent yet. */
  message_id: Generated<number | null>
  /**
   * JSON: the attachment for a message that is not sent yet. Null while the bytes arrive, and after the message is sent,
   * which then holds it.
   */
  attachment: Generated<string | null>
  /**
   * JSON: the form of a prompt's part that held it, in which it is sent to models. Null: it came in another way.
   */
  form: Generated<string | null>
  /** The size of its small copy; null: it has none. */
  preview_bytes: Generated<number | null>
  /** A keyed hash of the visitor who uploaded it; null: somebody else has. */
  visitor: Generated<string | null>
  /** A hash of a file that its conversation keeps once; null for other files. */
  digest: Generated<string | null>
  /** The address of the store that has its bytes; null: the database. */
  place: Generated<string | null>
  /** From this time on, nobody may read it, and its bytes are removed; null: it stays as long as its message. */
  remove_at: string | null
}

/** The bytes of files. */
export interface FilePiecesTable {
  agent_id: number
  file_id: string
  part: FilePart
  /** The number of bytes before the piece. */
  position: number
  bytes: Uint8Array
}

/** The files of messages that are to be fetched from their platforms, and those that could not be. */
export interface FileFetchesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  channel_id: number
  conversation_id: string
  message_id: number
  file_id: string
  /** JSON: the file, as the platform names it. */
  media: string
  /** The time from which it may be fetched; null: it is fetched again only on request. */
  due_at: string | null
}

/** The parts of a file: a picture as it was sent, until it is made anew; the file that people read; a picture's small copy. */
export type FilePart = 'sent' | 'kept' | 'preview'

export type FileRow = Selectable<FilesTable>
export type FileFetchRow = Selectable<FileFetchesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    files: FilesTable
    file_pieces: FilePiecesTable
    file_fetches: FileFetchesTable
  }
}
