import { readDocx } from './docx.ts'
import { readPdf } from './pdf.ts'

/** What the thread for files does. */
export const convertTasks = { pdf: readPdf, docx: readDocx }
