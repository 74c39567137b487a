import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { selectEvaluationsOf } from '../transcripts/completions/evaluations.ts'
import {
  completionsElsewhere,
  conversationsBetween,
  conversationsOfUserAbove,
  countStartedBefore,
  type ExportedConversation,
} from '../transcripts/doors/exported-rows.ts'
import { selectMessagesOf } from '../transcripts/messages/store.ts'
import type { EvaluationRow } from '../transcripts/tables.ts'
import { selectUser } from '../users/known-users.ts'
import type { PersonKeys } from '../users/person-store.ts'
import type { UserRow } from '../users/tables.ts'
import { type ExportedTable, exportedTables, keyOf, type RowOf, rowsAbove, rowsOf } from './rows-of.ts'

type Db = Kysely<Tables>

/** A stored row to export, with its type. */
export type ExportedRow =
  | { type: 'user'; row: UserRow }
  | { type: 'conversation'; row: ExportedConversation }
  | { type: 'completion'; row: RowOf<'completions'>; evaluations: EvaluationRow[] }
  | { type: 'message'; row: RowOf<'messages'> }
  | { type: 'note'; row: RowOf<'conversation_notes'> }
  | { type: 'rating'; row: RowOf<'ratings'> }
  | { type: 'summary'; row: RowOf<'conversation_summaries'> }
  | { type: 'handoff_summary'; row: RowOf<'handoff_summaries'> }
  | { type: 'translation'; row: RowOf<'message_translations'> }

/** The number of conversations read together, and the number of rows read at once. */
const CONVERSATIONS_AT_ONCE = 20
const ROWS_AT_ONCE = 500

/** The conversations to export: those that started at `from` or later, and before `to`. */
interface ExportRange {
  from: string | null
  to: string | null
}

export interface ExportProgress {
  conversations: number
  total: number
}

/**
 * Reads all that was said in an agent's conversations, in the order in which these started: a conversation, then what
 * belongs to it and its neighbours, a few hundred rows at a time. Each page is a query of its own, so that an export
 * delays no redaction, and texts that were redacted before they are read come redacted.
 */
export async function* exportConversations(
  db: Db,
  agentId: number,
  { from, to }: ExportRange,
  onProgress: (progress: ExportProgress) => void = () => {},
): AsyncGenerator<ExportedRow[]> {
  const first = from === null ? 0 : await countStartedBefore(db, agentId, from)
  const last = await countStartedBefore(db, agentId, to)
  const total = Math.max(0, last - first)
  for (let above = first; above < last; ) {
    const conversations = await conversationsBetween(db, agentId, above, last, CONVERSATIONS_AT_ONCE)
    if (conversations.length === 0) break
    yield* rowsOfConversations(db, conversations)
    above = conversations.at(-1)?.sequence ?? last
    onProgress({ conversations: above - first, total })
  }
}

/** Reads all that is stored of a person, key by key; nothing when the agent does not know them. */
export async function* exportUser(db: Db, agentId: number, keys: PersonKeys): AsyncGenerator<ExportedRow[]> {
  for (const key of keys) {
    const user = await selectUser(db, agentId, key)
    if (user) yield [{ type: 'user', row: user }]
    for (let above = 0; ; ) {
      const conversations = await conversationsOfUserAbove(db, agentId, key, above, CONVERSATIONS_AT_ONCE)
      if (conversations.length === 0) break
      yield* rowsOfConversations(db, conversations)
      above = conversations.at(-1)?.sequence ?? 0
    }
    for (let above = 0; ; ) {
      const completions = await completionsElsewhere(db, agentId, key, keys, above, CONVERSATIONS_AT_ONCE)
      if (completions.length === 0) break
      yield await presentable(db, 'completions', completions)
      for (const { id } of completions)
        yield (await selectMessagesOf(db, [id])).map((row) => ({ type: 'message', row }))
      above = completions.at(-1)?.number ?? 0
    }
  }
}

async function* rowsOfConversations(
  db: Db,
  conversations: ExportedConversation[],
): AsyncGenerator<ExportedRow[]> {
  yield conversations.map((row) => ({ type: 'conversation', row }))
  const ids = conversations.map(({ id }) => id)
  for (const table of exportedTables)
    for await (const rows of pagesOf(db, table, ids)) yield presentable(db, table, rows)
}

/** Reads rows of some conversations: all at once when they are few, else conversation by conversation. */
async function* pagesOf<Table extends ExportedTable>(
  db: Db,
  table: Table,
  ids: readonly string[],
): AsyncGenerator<RowOf<Table>[]> {
  const some = await rowsOf(db, table, ids, ROWS_AT_ONCE + 1)
  if (some.length <= ROWS_AT_ONCE) {
    const place = new Map(ids.map((id, at) => [id, at]))
    const placeOf = (row: RowOf<Table>) => place.get(row.conversation_id) ?? 0
    if (some.length > 0)
      yield some.sort((a, b) => placeOf(a) - placeOf(b) || keyOf(table, a) - keyOf(table, b))
    return
  }
  for (const id of ids) {
    for (let above = 0; ; ) {
      const rows = await rowsAbove(db, table, id, above, ROWS_AT_ONCE)
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      if (!last || rows.length < ROWS_AT_ONCE) break
      above = keyOf(table, last)
    }
  }
}

async function presentable<Table extends ExportedTable>(
  db: Db,
  table: Table,
  rows: readonly RowOf<ExportedTable>[],
): Promise<ExportedRow[]> {
  if (table !== 'completions')
    return rows.filter(hasText).map((row) => ({ type: TYPES[table], row }) as ExportedRow)
  const completions = rows as RowOf<'completions'>[]
  const evaluations = Map.groupBy(
    await selectEvaluationsOf(
      db,
      completions.map(({ id }) => id),
    ),
    ({ completion_id }) => completion_id,
  )
  return completions.map((row) => ({ type: 'completion', row, evaluations: evaluations.get(row.id) ?? [] }))
}

/** Tells whether a row is to be exported. Only a summary that was forgotten, or is not made yet, has no text. */
function hasText(row: RowOf<ExportedTable>): boolean {
  return !('covered_id' in row && 'content' in row) || row.content !== null
}

const TYPES = {
  completions: 'completion',
  messages: 'message',
  conversation_notes: 'note',
  message_translations: 'translation',
  handoff_summaries: 'handoff_summary',
  ratings: 'rating',
  conversation_summaries: 'summary',
} as const satisfies Record<ExportedTable, ExportedRow['type']>
