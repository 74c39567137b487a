import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { raise } from '../events/raise.ts'
import type { Citation } from '../model/model.ts'
import type { Engine } from '../storage/engine.ts'
import type { RedactionMode, Tables } from '../storage/tables.ts'
import {
  dropParkedTexts,
  lockCompletions,
  markFinished,
  wipeDeliveries,
  writeAside,
  writeCompletion,
  writeMessage,
  writeRedaction,
} from './redaction-store.ts'
import {
  countWaitingMessages,
  type RedactableCompletion,
  type RedactableMessage,
  type RedactionScope,
  selectAsides,
  selectCompletionsWithoutMessages,
  selectWaitingCompletions,
  selectWaitingMessages,
} from './waiting-for-redaction.ts'

/** Redacts stored values of one mode. Values keep their shape: text, content parts, tool calls. */
export interface ValueRedactor {
  readonly mode: RedactionMode
  /**
   * Redacts any number of values at once.
   * @returns the values in their order; `complete` is false when a part of the redaction failed and the values
   *   must be redacted again
   */
  redact(values: RedactableValue[]): Promise<{ values: unknown[]; complete: boolean }>
}

export type RedactableValue =
  | { kind: 'text'; value: string | null }
  | { kind: 'content' | 'tool_calls'; value: unknown }
  | { kind: 'name'; value: string | null }

export interface RedactionOutcome {
  messages_redacted: number
  remaining: number
}

/**
 * Redacts the next batch of a scope's texts: message rows, feedback, flag reasons, citation snippets. What another
 * call redacts at the same time is left to it. Texts are worked on outside any transaction and written in one.
 * @param batch message rows at most
 * @throws ApiError redaction_service_failed when the hosted service failed; what the patterns found is kept
 */
export async function redactCompletions(
  db: Kysely<Tables>,
  engine: Engine,
  agentId: number,
  scope: RedactionScope,
  redactor: ValueRedactor,
  batch: number,
  now: string,
): Promise<RedactionOutcome> {
  for (let messagesRedacted = 0; ; ) {
    const done = await redactBatch(db, engine, agentId, scope, redactor, batch, now)
    messagesRedacted += done.messagesRedacted
    const remaining = await countWaitingMessages(db, agentId, scope, redactor.mode)
    // When no message row waits any more, nothing beside the messages may wait either.
    if (remaining > 0 || done.hasReadAll) return { messages_redacted: messagesRedacted, remaining }
  }
}

async function redactBatch(
  db: Kysely<Tables>,
  engine: Engine,
  agentId: number,
  scope: RedactionScope,
  redactor: ValueRedactor,
  batch: number,
  now: string,
): Promise<{ messagesRedacted: number; hasReadAll: boolean }> {
  const { mode } = redactor
  const messages = await selectWaitingMessages(db, agentId, scope, mode, batch)
  const ofMessages = completionsOf(messages)
  // The others come last: sought sooner, all that wait with messages would be walked through for each batch.
  const isLast = messages.length < batch
  const others = isLast ? await selectCompletionsWithoutMessages(db, agentId, scope, mode, batch) : []
  const completions = [...(await selectWaitingCompletions(db, ofMessages, mode)), ...others]
  const asides = await selectAsides(
    db,
    completions.map(({ id }) => id),
  )
  const { values, complete } = await redactor.redact([
    ...completions.flatMap(valuesOfCompletion),
    ...messages.flatMap(valuesOfMessage),
    ...asides.map(({ text }) => ({ kind: 'text' as const, value: text })),
  ])
  const redacted = complete ? mode : null
  let messagesRedacted = 0
  const missed = new Set<string | null>()
  await writeRedaction(db, engine, agentId, async (db) => {
    await lockCompletions(db, [...ofMessages, ...others.map(({ id }) => id)])
    const next = values[Symbol.iterator]()
    const take = () => next.next().value
    const written: string[] = []
    for (const row of completions) {
      const flag_reason = take() as string | null
      const feedback = take() as string | null
      const citations = citationsOf(row).map((citation) => ({ ...citation, snippet: take() as string }))
      const values = {
        flag_reason,
        feedback,
        citations: row.citations === null ? null : JSON.stringify(citations),
      }
      if (await writeCompletion(db, row, values)) written.push(row.id)
      else missed.add(row.id)
    }
    for (const row of messages) {
      const content = JSON.stringify(take())
      const toolCalls = take()
      const values = {
        content,
        tool_calls: toolCalls === null ? null : JSON.stringify(toolCalls),
        author: take() as string | null,
        redacted: redacted ?? row.redacted,
      }
      // They wait together, since a completion is found again by its messages and they count in what remains.
      if (missed.has(row.completion_id)) continue
      const changed =
        content !== row.content || values.tool_calls !== row.tool_calls || values.author !== row.author
      if ((await writeMessage(db, row, values)) && changed) messagesRedacted++
    }
    for (const aside of asides) {
      const text = take() as string
      if (text !== aside.text) await writeAside(db, aside, text)
    }
    // Before they are marked: the scope of an age holds those alone that are not.
    await wipeDeliveries(db, agentId, scope, mode)
    if ('userId' in scope) await dropParkedTexts(db, agentId, scope.userId, now)
    if (complete) {
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
  const hasReadAll = isLast && others.length < batch && !others.some(({ id }) => missed.has(id))
  return { messagesRedacted, hasReadAll }
}

/** Also of one that was marked before: messages of it may have come later. */
function completionsOf(messages: RedactableMessage[]): string[] {
  return [...new Set(messages.flatMap(({ completion_id }) => completion_id ?? []))]
}

function valuesOfMessage(row: RedactableMessage): RedactableValue[] {
  return [
    { kind: 'content', value: JSON.parse(row.content) },
    { kind: 'tool_calls', value: row.tool_calls === null ? null : JSON.parse(row.tool_calls) },
    { kind: 'name', value: row.author },
  ]
}

function valuesOfCompletion(row: RedactableCompletion): RedactableValue[] {
  return [
    { kind: 'text', value: row.flag_reason },
    { kind: 'text', value: row.feedback },
    ...citationsOf(row).map(({ snippet }) => ({ kind: 'text' as const, value: snippet })),
  ]
}

function citationsOf({ citations }: RedactableCompletion): Citation[] {
  return citations === null ? [] : (JSON.parse(citations) as Citation[])
}
