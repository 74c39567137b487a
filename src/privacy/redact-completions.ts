import { ApiError } from '../errors.ts'
import { type Erasure, type Erasures, userSubject } from '../receipts/erasures.ts'
import { noteErasure } from '../transcripts/doors/redacted-completions.ts'
import { countWaitingMessages } from '../transcripts/doors/waiting-for-redaction.ts'
import { readUserKey, writeSourcedId } from '../users/user-key.ts'
import {
  type BatchDependencies,
  type RedactionCall,
  type RedactionRequest,
  redactBatch,
} from './batch/redact-batch.ts'

interface RedactionOutcome {
  messages_redacted: number
  remaining: number
}

/** The most times a call starts over because others changed what it had read. */
const MOST_RETRIES = 100

interface Dependencies extends BatchDependencies {
  /** The most message rows that one call redacts. */
  redactionBatch: number
  erasures: Pick<Erasures, 'add' | 'finish' | 'subjectKey'>
}

/**
 * Redacts the next batch of a scope: message rows, and the texts of their completions in every table. It reads and
 * redacts texts outside of any transaction, and writes them in one, or in several where they are long. Rows that have
 * changed since are read again. When nothing is left, the erasure has its receipt.
 * @throws ApiError redaction_service_failed if the hosted service failed; what the patterns found is redacted all the
 * same. Also ApiError unavailable if a store of files failed.
 */
export async function redactCompletions(
  dependencies: Dependencies,
  request: RedactionRequest,
): Promise<RedactionOutcome> {
  const { db, redactionBatch, erasures } = dependencies
  const { agentId, scope, redactor } = request
  const call: RedactionCall = {
    ...request,
    erasure: erasureOf(erasures, request),
    erasureId: null,
    actId: null,
    unremoved: null,
    replaced: {},
    filesKept: 0,
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
    // Without a receipt. The bytes are removed as soon as they can be; the next call of the same erasure finishes it.
    if (call.unremoved) throw call.unremoved.error
    if (remaining === 0) {
      await erasures.finish(call.erasure)
      // There may have been nothing left to mark.
      if ('completionId' in scope && call.erasureId !== null)
        await noteErasure(db, scope.completionId, call.erasureId)
    }
    return { messages_redacted: redacted, remaining }
  }
}

/** Returns what a request erases, as its receipt names it. */
function erasureOf(
  erasures: Pick<Erasures, 'subjectKey'>,
  { teamId, agentId, scope, redactor }: RedactionRequest,
): Erasure {
  const erasure = { teamId, agentId, mode: redactor.mode }
  if ('before' in scope) return { ...erasure, subject: { kind: 'retention' } }
  if ('completionId' in scope) return { ...erasure, subject: { kind: 'completion', id: scope.completionId } }
  const named = writeSourcedId(readUserKey(scope.person[0]))
  return { ...erasure, subject: userSubject(erasures, agentId, named) }
}
