import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { asideTables, type TextColumn, type TextTable, textColumns } from './text-columns.ts'
import type { WrittenRow } from './written-row.ts'

type Db = Kysely<Tables>

/** The way in which a text was redacted. */
export type RedactionMode = 'anonymize' | 'scrub'

/** A row whose texts are to be redacted. */
export interface TextRow {
  table: TextTable
  id: string | number
  /** Null: it belongs to no completion. */
  completionId: string | null
  /** Absent or null: that of its completion. */
  conversationId?: string | null
  /** The text columns as they were read. */
  texts: Record<string, string | null>
  /** The way in which it was redacted when it was read, if its table has that column. */
  redacted?: RedactionMode | null
}

/** Makes the text row of a row that was read with its text columns. */
export function textRow<Table extends TextTable>(
  table: Table,
  row: { id: string | number; redacted?: RedactionMode | null } & Record<TextColumn<Table>, string | null>,
  completionId: string | null,
  conversationId: string,
): TextRow & { conversationId: string } {
  const texts = Object.fromEntries([...textColumns(table).keys()].map((column) => [column, row[column]]))
  const { id, redacted } = row
  return { table, id, completionId, conversationId, texts, ...(redacted === undefined ? {} : { redacted }) }
}

/** Reads the texts of completions in other tables, such as evaluations, notes and events. */
export async function selectAsides(db: Db, completionIds: string[]): Promise<TextRow[]> {
  if (completionIds.length === 0) return []
  const rows = await Promise.all(
    asideTables.map(async (table) => {
      const columns = [...textColumns(table).keys()]
      const { rows } = await sql<Record<string, string | null> & { id: number; completion_id: string }>`
        select id, completion_id, ${sql.join(columns.map((column) => sql.ref(column)))}
        from ${sql.table(table)} where completion_id in (${sql.join(completionIds)})
        and (${sql.join(
          columns.map((column) => sql`${sql.ref(column)} is not null`),
          sql` or `,
        )})`.execute(db)
      return rows.map(({ id, completion_id, ...texts }) => ({
        table,
        id,
        completionId: completion_id,
        texts,
      }))
    }),
  )
  return rows.flat()
}

/** Tables to which people add texts at any time. */
const addedTables = ['conversation_notes', 'ratings', 'case_texts'] as const satisfies TextTable[]
/** The tables among these whose texts may belong to a conversation, and to no completion. */
const strayTables = ['conversation_notes', 'ratings'] as const satisfies TextTable[]

/** Reads the texts that people have added to some completions. */
export async function selectAdded(
  db: Db,
  completionIds: string[],
): Promise<{ table: TextTable; id: number; completionId: string }[]> {
  if (completionIds.length === 0) return []
  const found = await Promise.all(
    addedTables.map(async (table) => {
      const [column = ''] = textColumns(table).keys()
      const { rows } = await sql<{ id: number; completion_id: string }>`
        select id, completion_id from ${sql.table(table)}
        where completion_id in (${sql.join(completionIds)}) and ${sql.ref(column)} is not null`.execute(db)
      return rows.map(({ id, completion_id }) => ({ table, id, completionId: completion_id }))
    }),
  )
  return found.flat()
}

/**
 * Reads texts that people added to conversations without a completion, and that a mode has not redacted yet.
 * @param isInScope the condition for their `conversation_id` and `created_at`
 */
export async function selectStrays(
  db: Db,
  agentId: number,
  isInScope: RawBuilder<SqlBool>,
  mode: RedactionMode,
  limit: number,
): Promise<TextRow[]> {
  const states = [sql`redacted is null`, ...(mode === 'scrub' ? [sql`redacted = 'anonymize'`] : [])]
  const strays: TextRow[] = []
  for (const table of strayTables) {
    const columns = [...textColumns(table).keys()].map((column) => sql.ref(column))
    for (const state of states) {
      const { rows } = await sql<
        Record<string, string | null> & {
          id: number
          conversation_id: string
          redacted: RedactionMode | null
        }
      >`
        select id, conversation_id, redacted, ${sql.join(columns)} from ${sql.table(table)}
        where agent_id = ${agentId} and completion_id is null and ${state} and ${isInScope}
        limit ${limit}`.execute(db)
      for (const { id, conversation_id, redacted, ...texts } of rows)
        strays.push({ table, id, completionId: null, conversationId: conversation_id, texts, redacted })
    }
  }
  return strays.slice(0, limit)
}

/**
 * Writes the redacted texts of a row unless one of them has changed since it was read; returns true if it wrote them.
 * @param written gets the row, whose old texts `reindex` then takes out of the search
 */
export async function writeTexts(
  db: Db,
  { table, id, texts, redacted }: TextRow,
  values: Record<string, string | null>,
  written: WrittenRow[],
): Promise<boolean> {
  const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const read = Object.entries(redacted === undefined ? texts : { ...texts, redacted })
  const isAsRead = read.map(([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`)
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)}
    where id = ${id} and ${sql.join(isAsRead, sql` and `)}`.execute(db)
  if (numAffectedRows !== 1n) return false
  written.push({ table, id, before: texts, after: { ...texts, ...values } })
  return true
}
