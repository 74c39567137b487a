import type { Kysely } from 'kysely'
import { bySystem, detail, record, type TeamBy } from '../audit/record.ts'
import { forgetDrafts } from '../desk/drafts.ts'
import { ApiError } from '../errors.ts'
import { changed } from '../events/changes.ts'
import { raise } from '../events/raise.ts'
import { dropParked, type ParkedScope } from '../mailboxes/drop-parked.ts'
import { forgetProfile } from '../profiles/profile.ts'
import { addCounts, erasedOf, isNothing } from '../receipts/erased.ts'
import { type Erasure, type Erasures, userSubject } from '../receipts/erasures.ts'
import type { TypeCounts } from '../redaction/count-placeholders.ts'
import { prepareReindex, reindex } from '../search/reindex.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../texts/text-columns.ts'
import { selectAdded, selectAsides, selectStrays, type TextRow, writeTexts } from '../texts/text-rows.ts'
import { isRewritten, type WrittenRow } from '../texts/written-row.ts'
import { forgetKeys, keysOfConversations } from '../transcripts/conversations/keys.ts'
import { isOfUser } from '../transcripts/doors/by-filter.ts'
import { lockCompletions, markFinished, noteErasure } from '../transcripts/doors/redacted-completions.ts'
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
import { channelOfSource, readUserKey, writeSourcedId } from '../users/user-key.ts'
import type { ForgetCopies } from './forget-copies.ts'
import { tellRewritten } from './tell-rewritten.ts'
import { redactRow, type TextRedactor, typesReplaced } from './text-redactor.ts'
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
  erasures: Pick<Erasures, 'add' | 'finish' | 'subjectKey'>
}

/** The texts to redact, and the redactor. */
interface RedactionRequest {
  teamId: number
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
 * changed since are read again. When nothing is left, the erasure has its receipt.
 * @throws ApiError redaction_service_failed if the hosted service failed; what the patterns found is redacted all the
 * same
 */
export async function redactCompletions(
  dependencies: Dependencies,
  request: RedactionRequest,
): Promise<RedactionOutcome> {
  const { db, redactionBatch, erasures } = dependencies
  const { agentId, scope, redactor } = request
  const call: Call = {
    ...request,
    erasure: erasureOf(erasures, request),
    erasureId: null,
    actId: null,
    replaced: {},
  }
  let redacted = 0
  let reached = 0
  for (let retries = 0; ; ) {
    const left = redactionBatch - reached
    const done = await redactBatch(dependencies, call, { messages: left, others: redactionBatch })
    redacted += done.redacted
    reached += done.reached
    if (done.areSomeLeft && !done.hasMissed && reached < redactionBatch) continue
    const remaining = await countWaitingMessages(db, agentId, scope, redactor.mode)
    if (done.hasMissed && retries++ < MOST_RETRIES && (reached < redactionBatch || remaining === 0)) continue
    // `remaining` counts only messages. It must not say that all is done while other texts wait.
    if (remaining === 0 && done.hasMissed) throw new ApiError('unavailable')
    if (remaining === 0 && !done.hasReadAll) continue
    if (remaining === 0) {
      await erasures.finish(call.erasure)
      // There may have been nothing left to mark.
      if ('completionId' in scope && call.erasureId !== null)
        await noteErasure(db, scope.completionId, call.erasureId)
    }
    return { messages_redacted: redacted, remaining }
  }
}

/** A call under way. */
interface Call extends RedactionRequest {
  erasure: Erasure
  /** The erasure that it adds to; null: it has added nothing yet. */
  erasureId: string | null
  /** The act in the audit; null: it has none yet. */
  actId: number | null
  /** The number of values replaced so far, by type. */
  replaced: TypeCounts
}

/** Returns what a request erases, as its receipt names it. */
function erasureOf(
  erasures: Pick<Erasures, 'subjectKey'>,
  { teamId, agentId, scope, redactor }: RedactionRequest,
): Erasure {
  const erasure = { teamId, agentId, mode: redactor.mode }
  if ('before' in scope) return { ...erasure, subject: { kind: 'retention' } }
  if ('completionId' in scope) return { ...erasure, subject: { kind: 'completion', id: scope.completionId } }
  const named = writeSourcedId(readUserKey(scope.userKey))
  return { ...erasure, subject: userSubject(erasures, agentId, named) }
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
  { db, engine, forgetCopies, erasures }: Dependencies,
  call: Call,
  most: { messages: number; others: number },
): Promise<Batch> {
  const { agentId, scope, redactor, now, by } = call
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
    Promise.all(
      rows.map(async (row) => {
        const done = await redactRow(row, redactor, keys?.get(conversationOf(row)))
        return { ...done, types: await typesReplaced(done, redactor) }
      }),
    )
  const redactedCompletions = await redact(completions)
  const redactedMessages = await redact(messages)
  const redactedAsides = await redact(asides)
  const redactedStrays = await redact(strays)
  const all = [...redactedCompletions, ...redactedMessages, ...redactedAsides, ...redactedStrays]
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
    const users = 'userKey' in scope ? await forgetProfile(db, agentId, scope.userKey) : 0
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
    const index = await reindex(db, engine, agentId, rewritten, prepared)
    await tellRewritten(db, agentId, rewritten)
    // Copies are forgotten before completions are marked: a scope by age holds only those that are not marked
    // yet.
    const inScope = completionsIn(db, agentId, scope, mode)
    const unprompted = messages.filter(({ completionId }) => completionId === null)
    const conversationIds = unprompted.map(({ conversationId }) => conversationId)
    const isAsked = !('before' in scope)
    const copies = await forgetCopies(db, { completions: inScope, conversationIds, mode, isAsked })
    const drafts = await forgetDrafts(db, inScope, conversationIds)
    if (mode === 'scrub') await forgetKeys(db, inScope, conversationIds)
    const parked = parkedScope(db, scope)
    const mailbox_items = parked ? await dropParked(db, agentId, parked, forgotten('mailbox_items'), now) : 0
    const erased = erasedOf({
      rows: {
        ...rowsRewritten(rewritten),
        users,
        ...copies,
        drafts,
        mailbox_items,
      },
      values: typesWritten(rewritten, all),
      index,
    })
    const isWorth = by !== undefined || rewritten.length > 0 || !isNothing(erased)
    if (isWorth) call.erasureId = await erasures.add(db, call.erasure, erased, (by ?? bySystem).actor)
    if (complete) {
      const written = completionsOf(completions).filter((id) => !missed.has(id))
      await markFinished(db, written, mode, call.erasureId)
    } else {
      await raise(db, {
        key: 'error',
        agent_id: agentId,
        occurred_at: now,
        ...('completionId' in scope ? { completion_id: scope.completionId } : {}),
        data: { code: 'redaction_service_failed' },
      })
    }
    if (by) {
      call.replaced = addCounts(call.replaced, erased.values)
      await recordRedaction(db, call, by)
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

/** Returns the number of rows in which a text changed, by table. */
function rowsRewritten(written: readonly WrittenRow[]): Record<string, number> {
  const tables = Map.groupBy(written.filter(isRewritten), ({ table }) => table)
  return Object.fromEntries([...tables].map(([table, rows]) => [table, rows.length]))
}

/** Adds up the values that were replaced in the redacted rows that were written. */
function typesWritten(
  written: readonly WrittenRow[],
  redacted: readonly { row: TextRow; types: TypeCounts }[],
): TypeCounts {
  const ids = new Set(written.map(({ table, id }) => `${table} ${id}`))
  return redacted
    .filter(({ row: { table, id } }) => ids.has(`${table} ${id}`))
    .reduce((counts: TypeCounts, { types }) => addCounts(counts, types), {})
}

/** Records a call in the audit: its scope, its actor, and how many values of each type it has replaced so far. */
async function recordRedaction(db: Kysely<Tables>, call: Call, by: TeamBy): Promise<void> {
  const { agentId, scope, now: at, redactor, replaced, actId } = call
  const verb = redactor.mode === 'scrub' ? 'scrubbed' : 'anonymized'
  const details = { replaced }
  if (actId !== null) await detail(db, actId, details)
  else if ('completionId' in scope) {
    const target = `completion ${scope.completionId}`
    call.actId = await record(db, { ...by, agentId, at, action: `completion.${verb}`, target, details })
  } else if ('userKey' in scope) {
    const target = `user ${scope.userKey}`
    call.actId = await record(db, { ...by, agentId, at, action: `user.${verb}`, target, details })
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
