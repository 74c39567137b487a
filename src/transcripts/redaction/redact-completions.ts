import { type Kysely, sql } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import { raise } from '../../events/raise.ts'
import { dropParked, type ParkedScope } from '../../mailboxes/drop-parked.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../tables.ts'
import {
  lockCompletions,
  markFinished,
  wipeDeliveries,
  writeRedaction,
  writeTexts,
} from './redaction-store.ts'
import { forgotten } from './text-columns.ts'
import { redactColumns, type TextRedactor } from './text-redactor.ts'
import {
  countWaitingMessages,
  type RedactionScope,
  selectAsides,
  selectCompletionsWithoutMessages,
  selectWaitingCompletions,
  selectWaitingMessages,
  type TextRow,
} from './waiting-for-redaction.ts'

export interface RedactionOutcome {
  messages_redacted: number
  remaining: number
}

/** How often a call starts over because others changed what it had read. Each time one of them has got on. */
const MOST_RETRIES = 20

/**
 * Redacts the next batch of a scope's texts: message rows, and the texts of their completions in every table. Texts are
 * worked on outside any transaction and written in one. What another call redacts at the same time is left to it, and
 * the rest is read again.
 * @param batch message rows at most
 * @param by who asked for it; absent: the agent's retention
 * @throws ApiError redaction_service_failed when the hosted service failed; what the patterns found is kept
 */
export async function redactCompletions(
  db: Kysely<Tables>,
  engine: Engine,
  agentId: number,
  scope: RedactionScope,
  redactor: TextRedactor,
  batch: number,
  now: string,
  by?: TeamBy,
): Promise<RedactionOutcome> {
  let redacted = 0
  let reached = 0
  let isFirst = true
  for (let retries = 0; ; ) {
    const left = batch - reached
    const done = await redactBatch(
      db,
      engine,
      agentId,
      scope,
      redactor,
      { messages: left, others: batch },
      now,
      isFirst ? by : undefined,
    )
    isFirst = false
    redacted += done.redacted
    reached += done.reached
    const remaining = await countWaitingMessages(db, agentId, scope, redactor.mode)
    if (done.hasMissed && retries++ < MOST_RETRIES && (reached < batch || remaining === 0)) continue
    // When no message row waits any more, nothing beside the messages may wait either.
    if (remaining === 0 && done.hasMissed) throw new ApiError('unavailable')
    if (remaining > 0 || done.hasReadAll) return { messages_redacted: redacted, remaining }
  }
}

interface Batch {
  /** Message rows that a text changed in. */
  redacted: number
  /** Message rows that were written. */
  reached: number
  /** Whether a row was not written because it has changed since it was read. */
  hasMissed: boolean
  /** Whether all was read that waits beside messages. */
  hasReadAll: boolean
}

async function redactBatch(
  db: Kysely<Tables>,
  engine: Engine,
  agentId: number,
  scope: RedactionScope,
  redactor: TextRedactor,
  most: { messages: number; others: number },
  now: string,
  by?: TeamBy,
): Promise<Batch> {
  const { mode } = redactor
  const messages =
    most.messages > 0 ? await selectWaitingMessages(db, agentId, scope, mode, most.messages) : []
  const ofMessages = completionsOf(messages)
  // The others come last: sought sooner, all that wait with messages would be walked through for each batch.
  const isLast = most.messages === 0 || messages.length < most.messages
  const others = isLast ? await selectCompletionsWithoutMessages(db, agentId, scope, mode, most.others) : []
  const completions = [...(await selectWaitingCompletions(db, ofMessages, mode)), ...others]
  const asides = await selectAsides(db, completionsOf(completions))
  const redact = (rows: TextRow[]) => Promise.all(rows.map((row) => redactRow(row, redactor)))
  const redactedCompletions = await redact(completions)
  const redactedMessages = await redact(messages)
  const redactedAsides = await redact(asides)
  const complete = !redactor.failed
  let redacted = 0
  let reached = 0
  const missed = new Set<string | null>()
  await writeRedaction(db, engine, agentId, async (db) => {
    if (by) await recordRedaction(db, agentId, scope, mode, now, by)
    await lockCompletions(db, [...ofMessages, ...completionsOf(others)])
    for (const { row, texts } of redactedCompletions) {
      if (!(await writeTexts(db, row, texts))) missed.add(row.completionId)
    }
    for (const { row, texts, isChanged } of redactedMessages) {
      // They wait together, since a completion is found again by its messages and they count in what remains.
      if (row.completionId !== null && missed.has(row.completionId)) continue
      const mark = complete ? { redacted: mode } : {}
      if (await writeTexts(db, row, { ...texts, ...mark })) {
        reached++
        if (isChanged) redacted++
      } else missed.add(row.completionId)
    }
    for (const { row, texts, isChanged } of redactedAsides) {
      if (isChanged && !(await writeTexts(db, row, texts))) missed.add(row.completionId)
    }
    // Before they are marked: the scope of an age holds only those that are not.
    await wipeDeliveries(db, agentId, scope, mode)
    if (!('completionId' in scope))
      await dropParked(db, agentId, parkedScope(db, scope), forgotten('mailbox_items'), now)
    if (complete) {
      const written = completionsOf(completions).filter((id) => !missed.has(id))
      await markFinished(db, written, mode)
    } else {
      await raise(db, {
        key: 'error',
        agent_id: agentId,
        occurred_at: now,
        ...('completionId' in scope ? { completion_id: scope.completionId } : {}),
        data: { code: 'redaction_service_failed' },
      })
    }
  })
  await engine.eraseOverwritten()
  if (!complete) throw new ApiError('redaction_service_failed')
  return {
    redacted,
    reached,
    hasMissed: missed.size > 0,
    hasReadAll: isLast && others.length < most.others,
  }
}

/** Who had what redacted. */
async function recordRedaction(
  db: Kysely<Tables>,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  at: string,
  by: TeamBy,
): Promise<void> {
  const verb = mode === 'scrub' ? 'scrubbed' : 'anonymized'
  if ('completionId' in scope) {
    const target = `completion ${scope.completionId}`
    await record(db, { ...by, agentId, at, action: `completion.${verb}`, target })
  } else if ('userId' in scope) {
    await record(db, { ...by, agentId, at, action: `user.${verb}`, target: `user ${scope.userId}` })
  }
}

function parkedScope(
  db: Kysely<Tables>,
  scope: Exclude<RedactionScope, { completionId: string }>,
): ParkedScope {
  if ('before' in scope) return scope
  const { userId } = scope
  const conversation = db
    .selectFrom('conversations')
    .select('conversations.id')
    .where('conversations.id', '=', sql.ref<string>('mailboxes.conversation_id'))
    .where('conversations.user_id', '=', userId)
  return { userId, conversation }
}

async function redactRow(row: TextRow, redactor: TextRedactor) {
  const texts = await redactColumns(row.table, row.texts, redactor)
  const isChanged = Object.keys(texts).some((column) => texts[column] !== row.texts[column])
  return { row, texts, isChanged }
}

/** Also of one that was marked before: messages of it may have come later. */
function completionsOf(rows: TextRow[]): string[] {
  return [...new Set(rows.flatMap(({ completionId }) => completionId ?? []))]
}
