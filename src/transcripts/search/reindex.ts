import type { Kysely } from 'kysely'
import { type ReplacedText, replaceTexts } from '../../search/replace-texts.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { MESSAGES, NOTES, textOfMessage, textOfNote } from './searched-texts.ts'

/** A row whose texts were overwritten: its columns before and after. */
export interface WrittenRow {
  table: keyof Tables
  id: string | number
  before: Readonly<Record<string, string | null>>
  after: Readonly<Record<string, string | null>>
}

/** Removes an agent's overwritten texts from the search index, in the transaction that overwrote them. */
export async function reindex(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock'>,
  agentId: number,
  written: readonly WrittenRow[],
): Promise<void> {
  const messages = replacedIn('messages', written, ({ content = null, author = null }) =>
    textOfMessage({ content, author }),
  )
  const notes = replacedIn('conversation_notes', written, ({ text = null }) => textOfNote(text))
  await replaceTexts(db, engine, agentId, MESSAGES, messages)
  await replaceTexts(db, engine, agentId, NOTES, notes)
}

function replacedIn(
  table: keyof Tables,
  written: readonly WrittenRow[],
  textOf: (row: WrittenRow['before']) => string,
): ReplacedText[] {
  return written
    .filter((row) => row.table === table)
    .map(({ id, before, after }) => ({ id: Number(id), before: textOf(before), after: textOf(after) }))
    .filter(({ before, after }) => before !== after)
}
