import type { Generated, Selectable } from 'kysely'

/** The files of messages, and those that were uploaded for one. */
export interface FilesTable {
  id: string
  agent_id: number
  conversation_id: string
  /** The message that it belongs to; null: it was not sent yet. */
  message_id: Generated<number | null>
  /**
   * JSON: the attachment that a message will have. Null while the bytes arrive, and once the message has it, which then
   * is its only home.
   */
  attachment: Generated<string | null>
  /**
   * JSON: the form of a prompt's part that held it, in which it is sent to models. Null: it came in another way.
   */
  form: Generated<string | null>
  /** The size of its small picture; null: it has none. */
  preview_bytes: Generated<number | null>
  /** The time from which nobody may read it and its bytes are to be removed; null: it stays with its message. */
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

/** The parts of a file: a picture as it was sent, what is kept of it, and a small picture of it. */
export type FilePart = 'sent' | 'kept' | 'preview'

export type FileRow = Selectable<FilesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    files: FilesTable
    file_pieces: FilePiecesTable
  }
}
