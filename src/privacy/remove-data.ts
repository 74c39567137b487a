import { setTimeout as wait } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import { changed } from '../events/changes.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'
import { prepareReindex, reindex } from '../search/reindex.ts'
import { type BackfillWork, moveBackfill, placeOfBackfill } from '../storage/backfills.ts'
import { asideTables, type TextTable, textColumns } from '../texts/text-columns.ts'
import { type TextRow, writeTexts } from '../texts/text-rows.ts'
import type { WrittenRow } from '../texts/written-row.ts'
import { isOfAnonymized, lockCompletions } from '../transcripts/doors/redacted-completions.ts'
import { completionsWith } from '../transcripts/doors/waiting-for-redaction.ts'
import type { ForgetCopies } from './forget-copies.ts'
import { inTurnOfRedactions } from './in-turn-of-redactions.ts'
import { tellRewritten } from './tell-rewritten.ts'
import { redactRow } from './text-redactor.ts'

/** The name of the backfill that migration 0056 has left. */
const NAME = '0056-encoded-data'
/** The tables, in the order in which they are processed. */
const TABLES: readonly TextTable[] = ['messages', 'completions', ...asideTables]
/** The number of rows examined between two rests. */
const ROWS = 500

interface Dependencies extends BackfillWork {
  redactionWork: Pick<RedactionWork, 'run'>
  forgetCopies: ForgetCopies
}

/**
 * Replaces the pictures, sounds and files that earlier versions left in what they anonymized, from the newest row of
 * each table down. Continues where it or another process stopped.
 */
export async function removeData(dependencies: Dependencies): Promise<void> {
  const { db, engine, report, signal } = dependencies
  for (let replaced = 0; !signal?.aborted; ) {
    const at = await placeOfBackfill(db, NAME)
    if (at === null) return
    const began = performance.now()
    const place = placeIn(at)
    const { ids, next } = await selectAnonymized(db, place)
    let isAnyReplaced = false
    // Processes rows one at a time, because each may hold some megabytes.
    for (const id of ids) {
      if (signal?.aborted) break
      if (await removeFrom(dependencies, place.table, id)) isAnyReplaced = ++replaced > 0
    }
    if (isAnyReplaced) await engine.eraseOverwritten()
    if (signal?.aborted) return
    await moveBackfill(db, NAME, at, next)
    if (next === null) report?.(`${NAME}, replaced in ${replaced} rows`)
    // Pausing as long as the work took leaves others at least half of the time.
    await wait(performance.now() - began)
  }
}

interface Place {
  table: TextTable
  /** The highest key that is left; null: all rows are left. */
  from: number | null
}

function placeIn(at: string): Place {
  const [name, from] = at.split(' ')
  const table = TABLES.find((table) => table === name)
  if (!table) throw new Error(`no place in ${NAME}: ${name}`)
  return { table, from: from === undefined ? null : Number(from) }
}

/** Returns the ids of the anonymized among the next rows, and the place after these rows. */
async function selectAnonymized(
  db: BackfillWork['db'],
  { table, from }: Place,
): Promise<{ ids: (string | number)[]; next: string | null }> {
  const key = sql.ref(`${table}.${table === 'completions' ? 'number' : 'id'}`)
  const { rows: keys } = await sql<{ at: number }>`select ${key} as at from ${sql.table(table)}
    ${from === null ? sql`` : sql`where ${key} <= ${from}`} order by ${key} desc limit ${sql.lit(ROWS + 1)}`.execute(
    db,
  )
  const after = keys[ROWS]?.at
  const nextTable = TABLES[TABLES.indexOf(table) + 1]
  const next = after === undefined ? (nextTable ?? null) : `${table} ${after}`
  const [first, last] = [keys[0]?.at, keys.slice(0, ROWS).at(-1)?.at]
  if (first === undefined || last === undefined) return { ids: [], next }
  const { rows } = await sql<{ id: string | number }>`select id from ${sql.table(table)}
    where ${key} <= ${first} and ${key} >= ${last} and ${isAnonymized(table)} order by ${key} desc`.execute(
    db,
  )
  return { ids: rows.map(({ id }) => id), next }
}

const isMarked = sql<SqlBool>`redacted = 'anonymize'`

/** Returns the condition that a row is anonymized, by its own mark or by that of its completion. */
function isAnonymized(table: TextTable) {
  if (table === 'messages' || table === 'completions') return isMarked
  const isOfMarked = isOfAnonymized(`${table}.completion_id`)
  const hasMark = table === 'conversation_notes' || table === 'ratings'
  return hasMark ? sql<SqlBool>`(${isMarked} or ${isOfMarked})` : isOfMarked
}

/** A row to process, with the conversation of a message. */
interface AnonymizedRow extends TextRow {
  agentId: number
  conversationId: string | null
}

async function selectRow(
  db: BackfillWork['db'],
  table: TextTable,
  id: string | number,
): Promise<AnonymizedRow | null> {
  const columns = [...textColumns(table).keys()].map((column) => sql.ref(column))
  const conversation = table === 'messages' ? sql`conversation_id` : sql`null`
  const completion = table === 'completions' ? sql`id` : sql`completion_id`
  const { rows } = await sql<Record<string, string | null> & { agent_id: number }>`
    select agent_id, ${conversation} as of_conversation, ${completion} as of_completion, ${sql.join(columns)}
    from ${sql.table(table)} where id = ${id} and ${isAnonymized(table)}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { agent_id, of_conversation = null, of_completion = null, ...texts } = row
  return { table, id, agentId: agent_id, conversationId: of_conversation, completionId: of_completion, texts }
}

/** Replaces the data in a row, and forgets what was made of it; returns true if there was any. */
async function removeFrom(
  { db, engine, redactionWork, forgetCopies }: Dependencies,
  table: TextTable,
  id: string | number,
): Promise<boolean> {
  for (;;) {
    const found = await selectRow(db, table, id)
    if (!found) return false
    const { row, texts, isChanged } = await redactRow(found, {
      // With no texts to replace, this does only what every anonymization does.
      redact: (kind, stored) => redactionWork.run(null, 'replace', kind, stored, '', new Map()),
    })
    if (!isChanged) return false
    const { agentId, completionId, conversationId } = row
    const prepared = await prepareReindex(db, agentId, [{ table, id, before: row.texts, after: texts }])
    const isWritten = await inTurnOfRedactions(db, engine, agentId, async (db) => {
      const written: WrittenRow[] = []
      await lockCompletions(db, completionId === null ? [] : [completionId])
      // A row that somebody has changed since it was read is read again.
      if (!(await writeTexts(db, row, texts, written))) return false
      if (conversationId !== null)
        changed(db, {
          type: 'message_changed',
          agent_id: agentId,
          conversation_id: conversationId,
          message_id: Number(id),
        })
      await reindex(db, engine, agentId, written, prepared)
      await tellRewritten(db, agentId, written)
      await forgetCopies(db, {
        completions: completionsWith(db, completionId === null ? [] : [completionId]),
        conversationIds: conversationId === null ? [] : [conversationId],
        mode: 'anonymize',
        isAsked: false,
      })
      return true
    })
    if (isWritten) return true
  }
}
