import { readDocx } from './docx.ts'
import { readPdf } from './pdf.ts'

/** What the thread for files does. */
export const convertTasks = { pdf: readPdf, docx: readDocx }

/** Formats of files that are no text. */
export type BinaryFormat = keyof typeof convertTasks

/** A question to a process for files. */
export interface FileToConvert {
  format: BinaryFormat
  bytes: Uint8Array
}
