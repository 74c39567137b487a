import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import { DAY_MS, HOUR_MS, timestamp } from '../lib/clock.ts'
import { type CommitOrder, parseSeen, type Transactions } from '../storage/commit-order.ts'
import { preparedInsert } from '../storage/prepared-insert.ts'
import type { Tables } from '../storage/tables.ts'
import type { Change, LoggedChange } from './change.ts'
import { type Epoch, parseEpochs } from './epochs.ts'
import { forgetById } from './forget-by-id.ts'
import { isRead, type Place, readingOrder } from './place.ts'
import type { ChangesTable } from './tables.ts'

interface NewRow {
  agent_id: number
  conversation_id: string | null
  at: string
  changes: string
}

const insertRows = preparedInsert<NewRow>('changes', ['agent_id', 'conversation_id', 'at', 'changes'])

/** Stores the changes of a transaction as the last of its writes: one row for each conversation. */
export async function writeChanges(db: Kysely<Tables>, changes: readonly Change[]): Promise<void> {
  const at = timestamp(Date.now())
  const places = new Map<number | string, NewRow & { logged: LoggedChange[] }>()
  for (const change of changes) {
    const { agent_id, conversation_id } = change
    const key = conversation_id ?? agent_id
    const place = places.get(key)
    if (place) place.logged.push(toLogged(change))
    else places.set(key, { agent_id, conversation_id, at, changes: '', logged: [toLogged(change)] })
  }
  const rows = [...places.values()]
  for (const row of rows) row.changes = JSON.stringify(row.logged)
  await insertRows(db, rows)
}

function toLogged(change: Change): LoggedChange {
  switch (change.type) {
    case 'conversation':
      return { type: change.type, fields: change.fields, ...(change.from ? { from: change.from } : {}) }
    case 'agent':
      return change.said_at === undefined
        ? { type: change.type }
        : { type: change.type, said_at: change.said_at }
    case 'replies':
      return { type: change.type }
    default:
      return { type: change.type, message_id: change.message_id }
  }
}

/** SQL for the epochs, as text for `parseEpochs`. */
const EPOCHS = sql<
  string | null
>`(select string_agg(transaction_id || ':' || mark, ',' order by id) from log_epochs)`

/** A row of the log. */
export interface LogRow {
  id: number
  transaction: number
  agentId: number
  conversationId: string | null
  at: string
  changes: LoggedChange[]
}

/** A part of the log. */
export interface LogPage {
  /** The rows in the order of `readingOrder`: no transaction comes before one that it could see. */
  rows: LogRow[]
  /** The transactions that were committed when the log was read. */
  seen: Transactions
  /** The epochs that had begun when the log was read. */
  epochs: Epoch[]
  /** True if more rows may follow. */
  isCut: boolean
}

/** The agent whose log is read, or the one of its conversations, with what is logged of the agent as a whole. */
interface LogScope {
  agentId: number
  conversationId: string | null
}

/**
 * Reads the rows of the log after a place. A row that was read in part comes with all of its changes.
 * @param scope absent: all
 */
export async function readLog(
  db: Kysely<Tables>,
  order: CommitOrder,
  { transactions, within }: Place,
  limit: number,
  scope?: LogScope,
): Promise<LogPage> {
  const column = sql.ref<number>(order.column)
  const { until, without } = transactions
  const all = db
    .selectFrom('changes')
    .select(['id', 'agent_id', 'conversation_id', 'at', 'changes'])
    .select(column.as('transaction_id'))
  const parts = !scope
    ? [all]
    : scope.conversationId === null
      ? [all.where('agent_id', '=', scope.agentId)]
      : [
          all.where('conversation_id', '=', scope.conversationId),
          all.where('agent_id', '=', scope.agentId).where('conversation_id', 'is', null),
        ]
  const start =
    within && within.transaction >= until
      ? sql<SqlBool>`(${column}, id) >= (${within.transaction}, ${within.row})`
      : sql<SqlBool>`${column} >= ${until}`
  const pages = parts.map((rows) =>
    rows
      .where(start)
      .orderBy(column)
      .orderBy('id')
      .limit(limit + 1),
  )
  // Rows of transactions that were still open when later ones were read.
  const late = parts.map((rows) => rows.where(column, 'in', [-1, ...without]))
  const log = [...pages, ...late]
    .map((part) => db.selectFrom(part.as('part')).selectAll())
    .reduce((union, part) => union.unionAll(part))
  const found = await db
    .selectFrom(db.selectNoFrom([order.seen('changes').as('seen'), EPOCHS.as('epochs')]).as('now'))
    .leftJoin(log.as('log'), (join) => join.on(sql<SqlBool>`1 = 1`))
    .selectAll()
    .execute()
  const rows = found.flatMap((row) => (row.id === null ? [] : toRow(row as StoredRow)))
  const isInTime = ({ transaction }: LogRow) => transaction >= until
  const unread = rows
    .filter((row) => !isRead({ transactions, within }, row, row.changes.length - 1))
    .sort(readingOrder({ transactions, within }))
  const isCut = rows.filter(isInTime).length > limit
  const lateRows = unread.filter((row) => !isInTime(row)).length
  return {
    rows: isCut ? unread.slice(0, lateRows + limit) : unread,
    seen: parseSeen(found[0]?.seen ?? ''),
    epochs: parseEpochs(found[0]?.epochs ?? null),
    isCut,
  }
}

type StoredRow = Selectable<ChangesTable>

function toRow(row: StoredRow): LogRow {
  return {
    id: row.id,
    transaction: row.transaction_id,
    agentId: row.agent_id,
    conversationId: row.conversation_id,
    at: row.at,
    changes: JSON.parse(row.changes) as LoggedChange[],
  }
}

/** Reads the end of the log, and the epochs that have begun. */
export async function endOfLog(db: Kysely<Tables>, order: CommitOrder): Promise<EndOfLog> {
  const { seen, epochs } = await db
    .selectNoFrom([order.seen('changes').as('seen'), EPOCHS.as('epochs')])
    .executeTakeFirstOrThrow()
  return { place: { transactions: parseSeen(seen), within: null }, epochs: parseEpochs(epochs) }
}

interface EndOfLog {
  place: Place
  epochs: Epoch[]
}

/** The time for which a stream that broke off resumes without a gap. */
export const RESUMABLE_MS = DAY_MS
/** Rows are kept somewhat longer than places are valid: the clocks of processes differ. */
const CHANGES_KEPT_MS = DAY_MS + HOUR_MS

/** Deletes the rows that no place leads to anymore. */
export function forgetChanges(db: Kysely<Tables>, nowMs: number, signal?: AbortSignal): Promise<void> {
  return forgetById(db, ['changes', 'at'], { before: timestamp(nowMs - CHANGES_KEPT_MS), nowMs }, signal)
}
