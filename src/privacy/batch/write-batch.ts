import type { Kysely } from 'kysely'
import { changed } from '../../events/changes.ts'
import { addCounts } from '../../receipts/erased.ts'
import type { TypeCounts } from '../../redaction/count-placeholders.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectAdded, type TextRow, writeTexts } from '../../texts/text-rows.ts'
import { isRewritten, type WrittenRow } from '../../texts/written-row.ts'
import type { TextRedactor } from '../text-redactor.ts'
import { type BatchTexts, completionsOf } from './read-batch.ts'
import type { RedactedTexts } from './redact-texts.ts'

/** The part of a batch that a transaction has written. */
interface WrittenBatch {
  rows: WrittenRow[]
  /** The number of message rows that were written. */
  reached: number
  /** The number of message rows in which a text changed. */
  redacted: number
  /** The completions with a row that has changed since it was read, and that were not written; null: none. */
  missed: Set<string | null>
}

/** Writes the redacted texts of a batch, each row only as it was read. The caller has locked its completions. */
export async function writeBatch(
  db: Kysely<Tables>,
  agentId: number,
  { mode, failed }: Pick<TextRedactor, 'mode' | 'failed'>,
  read: BatchTexts,
  { completions, messages, asides, strays }: RedactedTexts,
): Promise<WrittenBatch> {
  const written: WrittenBatch = { rows: [], reached: 0, redacted: 0, missed: new Set() }
  const { rows, missed } = written
  const mark = failed ? {} : { redacted: mode }
  for (const id of await addedSince(db, read.asides, completionsOf(read.completions))) missed.add(id)
  for (const { row, texts } of completions) {
    if (!(await writeTexts(db, row, texts, rows))) missed.add(row.completionId)
  }
  for (const { row, texts, isChanged } of messages) {
    // A completion that was missed is found again by its messages, so they stay unredacted too.
    if (row.completionId !== null && missed.has(row.completionId)) continue
    if (await writeTexts(db, row, { ...texts, ...mark }, rows)) {
      written.reached++
      if (isChanged) written.redacted++
      changed(db, {
        type: 'message_changed',
        agent_id: agentId,
        conversation_id: row.conversationId,
        message_id: row.id,
      })
    } else missed.add(row.completionId)
  }
  for (const { row, texts, isChanged } of asides) {
    if (isChanged && !(await writeTexts(db, row, texts, rows))) missed.add(row.completionId)
  }
  for (const { row, texts } of strays) {
    if (!(await writeTexts(db, row, { ...texts, ...mark }, rows))) missed.add(row.completionId)
  }
  return written
}

/** Returns the completions to which people have added a text since `asides` were read. The caller has locked them. */
async function addedSince(
  db: Kysely<Tables>,
  asides: readonly TextRow[],
  completionIds: string[],
): Promise<string[]> {
  const read = new Set(asides.map(({ table, id }) => `${table} ${id}`))
  const now = await selectAdded(db, completionIds)
  return now.flatMap(({ table, id, completionId }) => (read.has(`${table} ${id}`) ? [] : [completionId]))
}

/** Returns the number of rows in which a text changed, by table. */
export function rowsRewritten(written: readonly WrittenRow[]): Record<string, number> {
  const tables = Map.groupBy(written.filter(isRewritten), ({ table }) => table)
  return Object.fromEntries([...tables].map(([table, rows]) => [table, rows.length]))
}

/** Adds up the values that were replaced in the redacted rows that were written. */
export function typesWritten(
  written: readonly WrittenRow[],
  { completions, messages, asides, strays }: RedactedTexts,
): TypeCounts {
  const ids = new Set(written.map(({ table, id }) => `${table} ${id}`))
  return [...completions, ...messages, ...asides, ...strays]
    .filter(({ row: { table, id } }) => ids.has(`${table} ${id}`))
    .reduce((counts: TypeCounts, { types }) => addCounts(counts, types), {})
}
