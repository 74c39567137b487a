import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../../texts/text-rows.ts'
import { selectAsides, selectStrays, type TextRow } from '../../texts/text-rows.ts'
import {
  countNextMessages,
  isStrayInScope,
  type MessageTextRow,
  type RedactionScope,
  selectCompletionsWithoutMessages,
  selectWaitingCompletions,
  selectWaitingMessages,
} from '../../transcripts/doors/waiting-for-redaction.ts'

/** The texts that are redacted together, as they were read. */
export interface BatchTexts {
  messages: MessageTextRow[]
  /** Completions whose own texts wait. */
  completions: TextRow[]
  /** The texts of these completions in other tables. */
  asides: TextRow[]
  /** Texts without a completion, other than messages. */
  strays: TextRow[]
  /** The ids of the completions of all of them. */
  completionIds: string[]
  /** True if message rows were left to the next batch. */
  areSomeLeft: boolean
  /** True if all waiting texts other than messages were read. */
  hasReadAll: boolean
}

/** The most rows that a batch reads. */
export interface BatchLimits {
  messages: number
  others: number
}

/** Reads the next texts of a scope that a mode has not redacted yet. */
export async function readBatch(
  db: Kysely<Tables>,
  agentId: number,
  scope: RedactionScope,
  mode: RedactionMode,
  most: BatchLimits,
): Promise<BatchTexts> {
  const { count, areSomeLeft } = await countNextMessages(db, agentId, scope, mode, most.messages)
  const messages = count > 0 ? await selectWaitingMessages(db, agentId, scope, mode, count) : []
  const ofMessages = completionsOf(messages)
  // Completions without waiting messages come last. A search for them reads every completion that waits with its
  // messages.
  const isLast = most.messages === 0 || !areSomeLeft
  const others = isLast ? await selectCompletionsWithoutMessages(db, agentId, scope, mode, most.others) : []
  const completions = [...(await selectWaitingCompletions(db, ofMessages, mode)), ...others]
  const asides = await selectAsides(db, completionsOf(completions))
  const strays =
    isLast && !('completionId' in scope)
      ? await selectStrays(db, agentId, isStrayInScope(db, agentId, scope), mode, most.others)
      : []
  return {
    messages,
    completions,
    asides,
    strays,
    completionIds: [...ofMessages, ...completionsOf(others)],
    areSomeLeft,
    hasReadAll: isLast && others.length < most.others && strays.length < most.others,
  }
}

/**
 * Returns the completions of some rows, each once. Some may be marked as redacted, because a message can come after
 * that.
 */
export function completionsOf(rows: readonly TextRow[]): string[] {
  return [...new Set(rows.flatMap(({ completionId }) => completionId ?? []))]
}
