import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { forgetDrafts } from '../desk/drafts.ts'
import { ApiError } from '../errors.ts'
import { changed } from '../events/changes.ts'
import { raise } from '../events/raise.ts'
import { dropParked, type ParkedScope } from '../mailboxes/drop-parked.ts'
import { forgetProfile } from '../profiles/profile.ts'
import { prepareReindex, reindex } from '../search/reindex.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../texts/text-columns.ts'
import {
  type RedactionMode,
  selectAdded,
  selectAsides,
  selectStrays,
  type TextRow,
  writeTexts,
} from '../texts/text-rows.ts'
import type { WrittenRow } from '../texts/written-row.ts'
import { forgetKeys, keysOfConversations } from '../transcripts/conversations/keys.ts'
import { isOfUser } from '../transcripts/doors/by-filter.ts'
import { lockCompletions, markFinished } from '../transcripts/doors/redacted-completions.ts'
import {
  completionsIn,
  countNextMessages,
  countWaitingMessages,
  isStrayInScope,
  type RedactionScope,
  selectCompletionsWithoutMessages,
  selectWaitingCompletions,
  selectWaitingMessages,
} from '../transcripts/doors/waiting-for-redaction.ts'
import { forgetSummaries } from '../transcripts/summaries/summary-store.ts'
import { channelOfSource, readUserKey } from '../users/user-key.ts'
import type { ForgetCopies } from './forget-copies.ts'
import { tellRewritten } from './tell-rewritten.ts'
import { redactRow, type TextRedactor } from './text-redactor.ts'
import { writeRedaction } from './write-redaction.ts'

export interface RedactionOutcome {
  messages_redacted: number
  remaining: number
}

/** The most times a call starts over because others changed what it had read. */
const MOST_RETRIES = 100

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  /** The most message rows that one call redacts. */
  redactionBatch: number
  forgetCopies: ForgetCopies
}

/** The texts to redact, and the redactor. */
interface RedactionRequest {
  agentId: number
  scope: RedactionScope
  redactor: TextRedactor
  /** A timestamp. */
  now: string
  /** The actor who asked for it; absent: the agent's retention settings. */
  by?: TeamBy
}

/**
 * Redacts the next batch of a scope: message rows, and the texts of their completions in every table. It reads and
 * redacts texts outside of any transaction, and writes them in one, or in several where they are long. Rows that have
 * changed since are read again.
 * @throws ApiError redaction_service_failed if the hosted service failed; what the patterns found is redacted all the
 * same
 */
export async function redactCompletions(
  dependencies: Dependencies,
  request: RedactionRequest,
): Promise<RedactionOutcome> {
  const { db, redactionBatch } = dependencies
  const { agentId, scope, redactor, now, by } = request
  let redacted = 0
  let reached = 0
  let isFirst = true
  for (let retries = 0; ; ) {
    const left = redactionBatch - reached
    const done = await redactBatch(
      dependencies,
      agentId,
      scope,
      redactor,
      { messages: left, others: redactionBatch },
      now,
      isFirst ? by : undefined,
    )
    isFirst = false
    redacted += done.redacted
    reached += done.reached
    if (done.areSomeLeft && !done.hasMissed && reached < redactionBatch) continue
    const remaining = await countWaitingMessages(db, agentId, scope, redactor.mode)
    if (done.hasMissed && retries++ < MOST_RETRIES && (reached < redactionBatch || remaining === 0)) continue
    // `remaining` counts only messages. It must not say that all is done while other texts wait.
    if (remaining === 0 && done.hasMissed) throw new ApiError('unavailable')
    if (remaining > 0 || done.hasReadAll) return { messages_redacted: redacted, remaining }
  }
}

interface Batch {
  /** The number of message rows in which a text changed. */
  redacted: number
  /** The number of message rows that were written. */
  reached: number
  /** True if a row was not written because it has changed since it was read. */
  hasMissed: boolean
  /** True if message rows were left to the next batch. */
  areSomeLeft: boolean
  /** True if all waiting texts other than messages were read. */
  hasReadAll: boolean
}

async function redactBatch(
  { db, engine, forgetCopies }: Dependencies,
  agentId: number,
  scope: RedactionScope,
  redactor: TextRedactor,
  most: { messages: number; others: number },
  now: string,
  by?: TeamBy,
): Promise<Batch> {
  const { mode } = redactor
  const next = await countNextMessages(db, agentId, scope, mode, most.messages)
  const messages = next.count > 0 ? await selectWaitingMessages(db, agentId, scope, mode, next.count) : []
  const ofMessages = completionsOf(messages)
  // Completions without waiting messages come last. A search for them reads every completion that waits with its
  // messages.
  const isLast = most.messages === 0 || !next.areSomeLeft
  const others = isLast ? await selectCompletionsWithoutMessages(db, agentId, scope, mode, most.others) : []
  const completions = [...(await selectWaitingCompletions(db, ofMessages, mode)), ...others]
  const asides = await selectAsides(db, completionsOf(completions))
  const strays =
    isLast && !('completionId' in scope)
      ? await selectStrays(db, agentId, isStrayInScope(db, agentId, scope), mode, most.others)
      : []
  const conversations = new Map(completions.map((row) => [row.completionId, row.conversationId]))
  const conversationOf = ({ conversationId, completionId }: TextRow) =>
    conversationId ?? conversations.get(completionId) ?? ''
  const keys = redactor.isNumbered
    ? await keysOfConversations(db, agentId, [...messages, ...completions, ...strays].map(conversationOf))
    : null
  const redact = <Row extends TextRow>(rows: Row[]) =>
    Promise.all(rows.map((row) => redactRow(row, redactor, keys?.get(conversationOf(row)))))
  const redactedCompletions = await redact(completions)
  const redactedMessages = await redact(messages)
  const redactedAsides = await redact(asides)
  const redactedStrays = await redact(strays)
  const prepared = await prepareReindex(
    db,
    agentId,
    [...redactedMessages, ...redactedAsides, ...redactedStrays].map(({ row, texts }) => ({
      table: row.table,
      id: row.id,
      before: row.texts,
      after: texts,
    })),
  )
  const complete = !redactor.failed
  let redacted = 0
  let reached = 0
  const missed = new Set<string | null>()
  await writeRedaction(db, engine, agentId, async (db) => {
    const rewritten: WrittenRow[] = []
    await lockCompletions(db, [...ofMessages, ...completionsOf(others)])
    if ('userKey' in scope) await forgetProfile(db, agentId, scope.userKey)
    if (by) await recordRedaction(db, agentId, scope, mode, now, by)
    for (const id of await addedSince(db, asides, completionsOf(completions))) missed.add(id)
    const mark = complete ? { redacted: mode } : {}
    for (const { row, texts } of redactedCompletions) {
      if (!(await writeTexts(db, row, texts, rewritten))) missed.add(row.completionId)
    }
    for (const { row, texts, isChanged } of redactedMessages) {
      // A completion that was missed is found again by its messages, so they stay unredacted too.
      if (row.completionId !== null && missed.has(row.completionId)) continue
      if (await writeTexts(db, row, { ...texts, ...mark }, rewritten)) {
        reached++
        changed(db, {
          type: 'message_changed',
          agent_id: agentId,
          conversation_id: row.conversationId,
          message_id: row.id,
        })
        if (isChanged) redacted++
      } else missed.add(row.completionId)
    }
    for (const { row, texts, isChanged } of redactedAsides) {
      if (isChanged && !(await writeTexts(db, row, texts, rewritten))) missed.add(row.completionId)
    }
    for (const { row, texts } of redactedStrays) {
      if (!(await writeTexts(db, row, { ...texts, ...mark }, rewritten))) missed.add(row.completionId)
    }
    await reindex(db, engine, agentId, rewritten, prepared)
    await tellRewritten(db, agentId, rewritten)
    // Copies are forgotten before completions are marked: a scope by age holds only those that are not marked
    // yet.
    await forgetCopies(db, completionsIn(db, agentId, scope, mode), mode, !('before' in scope))
    const unprompted = messages.filter(({ completionId }) => completionId === null)
    const alone = unprompted.map(({ conversationId }) => conversationId)
    await forgetDrafts(db, completionsIn(db, agentId, scope, mode), alone)
    await forgetSummaries(db, completionsIn(db, agentId, scope, mode), alone)
    if (mode === 'scrub') await forgetKeys(db, completionsIn(db, agentId, scope, mode), alone)
    const parked = parkedScope(db, scope)
    if (parked) await dropParked(db, agentId, parked, forgotten('mailbox_items'), now)
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
    areSomeLeft: next.areSomeLeft,
    hasReadAll: isLast && others.length < most.others && strays.length < most.others,
  }
}

/** Returns the completions to which people have added a text since `asides` were read. The caller has locked them. */
async function addedSince(db: Kysely<Tables>, asides: TextRow[], completionIds: string[]): Promise<string[]> {
  const read = new Set(asides.map(({ table, id }) => `${table} ${id}`))
  const now = await selectAdded(db, completionIds)
  return now.flatMap(({ table, id, completionId }) => (read.has(`${table} ${id}`) ? [] : [completionId]))
}

/** Records in the audit the redaction, its scope and its actor. */
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
  } else if ('userKey' in scope) {
    await record(db, { ...by, agentId, at, action: `user.${verb}`, target: `user ${scope.userKey}` })
  }
}

/** Returns the scope of parked messages; null: the scope has none. Only what came through channels can be parked. */
function parkedScope(db: Kysely<Tables>, scope: RedactionScope): ParkedScope | null {
  if ('before' in scope) return scope
  if ('completionId' in scope) return null
  const { source, id } = readUserKey(scope.userKey)
  const channelId = channelOfSource(source)
  if (channelId === null) return null
  return {
    channelId,
    personId: id,
    isTheirs: (conversationId) => isOfUser(db, conversationId, scope.userKey),
  }
}

/**
 * Returns the completions of some rows, each once. Some may be marked as redacted, because a message can come after
 * that.
 */
function completionsOf(rows: TextRow[]): string[] {
  return [...new Set(rows.flatMap(({ completionId }) => completionId ?? []))]
}
