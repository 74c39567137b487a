import type { Kysely } from 'kysely'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { isRewritten, type WrittenRow } from '../texts/written-row.ts'
import { prepareReplaced, type ReplacedText, replacedText, replaceTexts } from './index/replace-texts.ts'
import { MESSAGES, NOTES } from './index/searched-texts.ts'
import { textOfMessage, textOfNote } from './searched-texts.ts'

/** The searched texts among some rows. */
interface SearchedRows {
  messages: ReplacedText[]
  notes: ReplacedText[]
}

/**
 * Does the slow part of `reindex` for rows that are about to be overwritten, before the transaction that overwrites
 * them.
 */
export async function prepareReindex(
  db: Kysely<Tables>,
  agentId: number,
  rows: readonly WrittenRow[],
): Promise<SearchedRows> {
  const prepared = searchedIn(rows)
  await prepareReplaced(db, agentId, MESSAGES, prepared.messages)
  await prepareReplaced(db, agentId, NOTES, prepared.notes)
  return prepared
}

/**
 * Removes an agent's overwritten texts from the search index, in the transaction that overwrote them. Returns the number of
 * texts.
 * @param prepared the result of `prepareReindex` for these rows, and maybe for others that were then not written
 */
export async function reindex(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock'>,
  agentId: number,
  written: readonly WrittenRow[],
  prepared: SearchedRows = searchedIn(written),
): Promise<number> {
  const writtenOf = (table: keyof Tables, texts: readonly ReplacedText[]) => {
    const ids = new Set(written.filter((row) => row.table === table).map(({ id }) => Number(id)))
    return texts.filter(({ id }) => ids.has(id))
  }
  const messages = writtenOf('messages', prepared.messages)
  const notes = writtenOf('conversation_notes', prepared.notes)
  await replaceTexts(db, engine, agentId, MESSAGES, messages)
  await replaceTexts(db, engine, agentId, NOTES, notes)
  return messages.length + notes.length
}

function searchedIn(rows: readonly WrittenRow[]): SearchedRows {
  return {
    messages: replacedIn('messages', rows, ({ content = null, author = null }) =>
      textOfMessage({ content, author }),
    ),
    notes: replacedIn('conversation_notes', rows, ({ text = null }) => textOfNote(text)),
  }
}

function replacedIn(
  table: keyof Tables,
  rows: readonly WrittenRow[],
  textOf: (row: WrittenRow['before']) => string,
): ReplacedText[] {
  return rows
    .filter((row) => row.table === table && isRewritten(row))
    .map(({ id, before, after }) =>
      replacedText(
        Number(id),
        () => textOf(before),
        () => textOf(after),
      ),
    )
}
