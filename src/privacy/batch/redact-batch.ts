import type { Kysely } from 'kysely'
import { bySystem, detail, record, type TeamBy } from '../../audit/record.ts'
import { ApiError } from '../../errors.ts'
import { raise } from '../../events/raise.ts'
import type { FilePlaces } from '../../files/places/file-place.ts'
import { filesKept, giveUpLost, removeGivenUp } from '../../files/remove-files.ts'
import { forgetProfiles } from '../../profiles/profile.ts'
import { addCounts, type Erased, erasedOf, isNothing } from '../../receipts/erased.ts'
import type { Erasure, Erasures } from '../../receipts/erasures.ts'
import type { TypeCounts } from '../../redaction/count-placeholders.ts'
import { prepareReindex, reindex } from '../../search/reindex.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { TextRow } from '../../texts/text-rows.ts'
import type { WrittenRow } from '../../texts/written-row.ts'
import { lockCompletions, markFinished } from '../../transcripts/doors/redacted-completions.ts'
import type { RedactionScope } from '../../transcripts/doors/waiting-for-redaction.ts'
import type { ForgetCopies } from '../forget-copies.ts'
import { inTurnOfRedactions } from '../in-turn-of-redactions.ts'
import { tellRewritten } from '../tell-rewritten.ts'
import type { TextRedactor } from '../text-redactor.ts'
import { forgetAround } from './forget-around.ts'
import { type BatchLimits, completionsOf, readBatch } from './read-batch.ts'
import { type RedactedTexts, redactTexts } from './redact-texts.ts'
import { rowsRewritten, typesWritten, writeBatch } from './write-batch.ts'

/** The texts to redact, and the redactor. */
export interface RedactionRequest {
  teamId: number
  agentId: number
  scope: RedactionScope
  redactor: TextRedactor
  /** A timestamp. */
  now: string
  /** The actor who asked for it; absent: the agent's retention settings. */
  by?: TeamBy
}

/** A call under way. */
export interface RedactionCall extends RedactionRequest {
  erasure: Erasure
  /** The erasure that it adds to; null: it has added nothing yet. */
  erasureId: string | null
  /** The act in the audit; null: it has none yet. */
  actId: number | null
  /** The failure because of which bytes of files are still there; null: there was none. */
  unremoved: { error: unknown } | null
  /** The number of values replaced so far, by type. */
  replaced: TypeCounts
  /** The number of files that stayed so far. */
  filesKept: number
}

/** The dependencies of a batch. */
export interface BatchDependencies {
  db: Kysely<Tables>
  engine: Engine
  forgetCopies: ForgetCopies
  erasures: Pick<Erasures, 'add'>
  /** The places of the bytes of files. */
  places: FilePlaces
}

/** The outcome of a batch. */
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

/** Redacts the next batch of a call, as `redactCompletions` says. */
export async function redactBatch(
  dependencies: BatchDependencies,
  call: RedactionCall,
  most: BatchLimits,
): Promise<Batch> {
  const { db, engine } = dependencies
  const { agentId, scope, redactor } = call
  const read = await readBatch(db, agentId, scope, redactor.mode, most)
  const redacted = await redactTexts(db, agentId, redactor, read)
  const prepared = await prepareReindex(db, agentId, asWritten(redacted))
  const written = await inTurnOfRedactions(db, engine, agentId, async (db) => {
    await lockCompletions(db, read.completionIds)
    const users = 'person' in scope ? await forgetProfiles(db, agentId, scope.person) : 0
    const written = await writeBatch(db, agentId, redactor, read, redacted)
    const { rows } = written
    const index = await reindex(db, engine, agentId, rows, prepared)
    await tellRewritten(db, agentId, rows)
    const files = await giveUpLost(db, rows, call.now)
    const copies = await forgetAround(db, dependencies.forgetCopies, call, read)
    const erased = erasedOf({
      rows: { ...rowsRewritten(rows), users, files, ...copies },
      values: typesWritten(rows, redacted),
      index,
      filesKept: filesKept(rows),
    })
    if (call.by !== undefined || rows.length > 0 || !isNothing(erased))
      call.erasureId = await dependencies.erasures.add(db, call.erasure, erased, (call.by ?? bySystem).actor)
    if (redactor.failed) await raiseFailure(db, call)
    else await markFinished(db, writtenOf(read.completions, written.missed), redactor.mode, call.erasureId)
    if (call.by) await recordRedaction(db, call, call.by, erased)
    return written
  })
  // Texts are redacted also while a store of files does not work.
  if (call.unremoved === null)
    await removeGivenUp(dependencies, agentId, call.now).catch((error: unknown) => {
      call.unremoved = { error }
    })
  await engine.eraseOverwritten()
  if (redactor.failed) throw new ApiError('redaction_service_failed')
  const { reached, missed } = written
  const { areSomeLeft, hasReadAll } = read
  return { redacted: written.redacted, reached, hasMissed: missed.size > 0, areSomeLeft, hasReadAll }
}

/** Returns the searched texts of a batch as they will be once they are written. */
function asWritten({ messages, asides, strays }: RedactedTexts): WrittenRow[] {
  return [...messages, ...asides, ...strays].map(({ row, texts }) => ({
    table: row.table,
    id: row.id,
    before: row.texts,
    after: texts,
  }))
}

/** Returns the completions whose texts were all written. */
function writtenOf(completions: readonly TextRow[], missed: ReadonlySet<string | null>): string[] {
  return completionsOf(completions).filter((id) => !missed.has(id))
}

/** Tells the team that the hosted service failed, so that the texts do not count as redacted. */
function raiseFailure(db: Kysely<Tables>, { agentId, scope, now }: RedactionCall): Promise<void> {
  return raise(db, {
    key: 'error',
    agent_id: agentId,
    occurred_at: now,
    ...('completionId' in scope ? { completion_id: scope.completionId } : {}),
    data: { code: 'redaction_service_failed' },
  })
}

/** Records a call in the audit: its scope, its actor, and how many values of each type it has replaced so far. */
async function recordRedaction(
  db: Kysely<Tables>,
  call: RedactionCall,
  by: TeamBy,
  erased: Erased,
): Promise<void> {
  call.replaced = addCounts(call.replaced, erased.values)
  call.filesKept += erased.files_kept ?? 0
  const { agentId, scope, now: at, redactor, replaced, filesKept, actId } = call
  const verb = redactor.mode === 'scrub' ? 'scrubbed' : 'anonymized'
  const details = { replaced, ...(filesKept > 0 ? { files_kept: filesKept } : {}) }
  if (actId !== null) await detail(db, actId, details)
  else if ('completionId' in scope) {
    const target = `completion ${scope.completionId}`
    call.actId = await record(db, { ...by, agentId, at, action: `completion.${verb}`, target, details })
  } else if ('person' in scope) {
    const target = `user ${scope.person[0]}`
    call.actId = await record(db, { ...by, agentId, at, action: `user.${verb}`, target, details })
  }
}
