import { readDocx } from './docx.ts'
import { readPdf } from './pdf.ts'

/** The tasks of the thread that reads files. */
export const convertTasks = { pdf: readPdf, docx: readDocx }

/** Formats of files that are no text. */
export type BinaryFormat = keyof typeof convertTasks

/** A request to a process that reads files. */
export interface FileToConvert {
  format: BinaryFormat
  bytes: Uint8Array
}
