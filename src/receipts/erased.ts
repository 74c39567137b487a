import { z } from 'zod'

const counts = z.record(z.string(), z.int())

/** The counts of what an erasure has done so far. */
export const erasedSchema = z.object({
  rows: counts.describe('Rows that were overwritten, emptied or deleted, by table.'),
  index: z.int().describe('Texts that were taken out of the index of the search.'),
  vectors: z.int().describe('Vectors that were deleted.'),
  files: z.int().describe('Pictures, sounds and files that were deleted, or replaced within texts.'),
  files_kept: z
    .int()
    .optional()
    .describe('Files of anonymized messages that stayed, as the agent wants it; absent: none.'),
  values: counts.describe('Replaced values, by type; `REDACTED`: whole texts.'),
})

export type Erased = z.output<typeof erasedSchema>

export const NOTHING: Erased = { rows: {}, index: 0, vectors: 0, files: 0, values: {} }

/** The types of placeholders for what was no text. */
const FILES = ['IMAGE', 'VOICE', 'FILE']

/** Makes an account of rows by table, of values by type and of texts in the index. */
export function erasedOf({
  rows,
  values = {},
  index = 0,
  filesKept = 0,
}: {
  rows: Readonly<Record<string, number>>
  values?: Readonly<Record<string, number>>
  index?: number
  filesKept?: number
}): Erased {
  // Each deleted file of a message has a placeholder; those of a deleted agent have none.
  const said = FILES.reduce((sum, type) => sum + (values[type] ?? 0), 0)
  const files = Math.max(said, rows.files ?? 0)
  return {
    rows: addCounts({}, rows),
    index,
    vectors: rows.knowledge_vectors ?? 0,
    files,
    ...keptFiles(filesKept),
    values: { ...values },
  }
}

function keptFiles(files_kept: number): Pick<Erased, 'files_kept'> {
  return files_kept > 0 ? { files_kept } : {}
}

/** Tells whether an account counts nothing. */
export function isNothing({ rows, values }: Erased): boolean {
  return Object.keys(rows).length + Object.keys(values).length === 0
}

/** Adds an account to another. */
export function addErased(one: Erased, other: Erased): Erased {
  return {
    rows: addCounts(one.rows, other.rows),
    index: one.index + other.index,
    vectors: one.vectors + other.vectors,
    files: one.files + other.files,
    ...keptFiles((one.files_kept ?? 0) + (other.files_kept ?? 0)),
    values: addCounts(one.values, other.values),
  }
}

/** Adds counts by name; a count of 0 has no name. */
export function addCounts(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) if (count > 0) sum[name] = (sum[name] ?? 0) + count
  return sum
}
