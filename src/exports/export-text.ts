import { CSV_HEADER, csvLines } from './csv.ts'
import type { ExportedRow } from './export-rows.ts'
import { jsonLine } from './present-row.ts'

export const exportFormats = ['jsonl', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Writes an export as text, in one piece for each page that was read. */
export async function* exportText(
  pages: AsyncIterable<readonly ExportedRow[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const textOf = format === 'csv' ? csvLines() : (rows: readonly ExportedRow[]) => rows.map(jsonLine).join('')
  if (format === 'csv') yield CSV_HEADER
  for await (const page of pages) {
    const text = textOf(page)
    if (text !== '') yield text
  }
}
