import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { hasSpokenSince } from '../transcripts/conversations/pause-state.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import type { StartedTurn } from './turn.ts'

/**
 * Tells whether to send the pause message: once for each pause and conversation, and not after people have taken over.
 */
export async function isPauseNews(db: Kysely<Tables>, conversationId: string): Promise<boolean> {
  return !(await hasSpokenSince(db, conversationId))
}

/** Stores the pause message that is sent in place of an answer; returns its id, or null when none is to be sent. */
export async function sayPaused(db: Kysely<Tables>, turn: StartedTurn, now: string): Promise<number | null> {
  const content = turn.agent.settings.pause_message
  if (!content || !(await isPauseNews(db, turn.conversationId))) return null
  const { completionId, conversationId, agent } = turn
  return appendMessage(db, {
    agentId: agent.id,
    conversationId,
    completionId,
    role: 'transition',
    content,
    createdAt: now,
  })
}
