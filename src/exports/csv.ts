import { csvLine } from '../lib/csv.ts'
import type { MessageContent } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { presentOutcome } from '../transcripts/conversations/outcome.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { presentUserColumns, userOfConversation } from '../users/user-key.ts'
import type { ExportedRow } from './export-rows.ts'

const columns = [
  'type',
  'id',
  'conversation_id',
  'external_id',
  'user_id',
  'channel_id',
  'started_at',
  'ended_at',
  'completion_id',
  'role',
  'author',
  'kind',
  'text',
  'created_at',
  'redacted',
  'delivery',
  'delivery_reason',
  'user_source',
  'outcome',
] as const

export const CSV_HEADER = csvLine(columns)

/** Returns a function that writes exported rows as lines of CSV (RFC 4180): one for each message and each note. */
export function csvLines(): (rows: readonly ExportedRow[]) => string {
  let conversations = new Map<string, ConversationRow>()
  return (rows) => {
    if (rows[0]?.type === 'conversation')
      conversations = new Map(rows.flatMap(({ row }) => ('sequence' in row ? [[row.id, row]] : [])))
    return rows.map((exported) => lineOf(exported, conversations)).join('')
  }
}

function lineOf(exported: ExportedRow, conversations: ReadonlyMap<string, ConversationRow>): string {
  if (exported.type !== 'message' && exported.type !== 'note') return ''
  const { type, row } = exported
  const conversation = conversations.get(row.conversation_id)
  const said =
    exported.type === 'message'
      ? {
          role: exported.row.role,
          kind: exported.row.kind ?? 'text',
          text: textOfContent(JSON.parse(exported.row.content) as MessageContent),
          delivery: exported.row.delivery,
          delivery_reason: exported.row.delivery_reason,
        }
      : { role: null, kind: null, text: exported.row.text, delivery: null, delivery_reason: null }
  const values: Record<(typeof columns)[number], string | number | null> = {
    type,
    id: row.id,
    conversation_id: row.conversation_id,
    external_id: conversation?.external_id ?? null,
    ...presentUserColumns(conversation ? userOfConversation(conversation) : null),
    channel_id: conversation?.channel_id ?? null,
    started_at: conversation?.started_at ?? null,
    ended_at: conversation?.ended_at ?? null,
    outcome: conversation ? presentOutcome(conversation).outcome : null,
    completion_id: row.completion_id,
    author: row.author,
    created_at: row.created_at,
    redacted: row.redacted,
    ...said,
  }
  return csvLine(columns.map((column) => values[column]))
}
