import type { Kysely } from 'kysely'
import { holdPauseState } from '../agents/pause-state.ts'
import type { Prompt } from '../chat/request.ts'
import { resumeTurn } from '../chat/resume-turn.ts'
import { answerTurn, runTurn } from '../chat/run-turn.ts'
import type { StartedTurn } from '../chat/turn.ts'
import type { TurnHooks } from '../chat/turn-hooks.ts'
import { timestamp } from '../lib/clock.ts'
import { updateItems } from '../mailboxes/items.ts'
import { postHandOver } from '../mailboxes/post.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import type { Tables } from '../storage/tables.ts'
import { externalIdOf } from '../transcripts/conversations/place.ts'
import { appendMessage } from '../transcripts/messages/append-message.ts'
import { markKind } from '../transcripts/messages/mark-kind.ts'
import { queueMessage } from '../transcripts/messages/queue-message.ts'
import { LeaseLost } from '../work/lease.ts'
import { TryAgain } from '../work/retry.ts'
import { applyTakeovers } from './apply-control.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { type InboundMessage, readMessage, userIdOf } from './inbound-message.ts'
import { isPauseNews, keepUnread } from './keep-unread.ts'
import { bindMailbox } from './mailbox-store.ts'

/**
 * Answers what a person wrote: one prompt of all the messages. It is stored in the transaction that takes the messages
 * out of the mailbox, and the answer is queued in the one that stores it, so that each happens once whatever dies in
 * between: a prompt whose worker died is answered by the next.
 * @throws TryAgain when the model failed
 */
export async function answerMessages(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { db } = tools
  let isSettled = false
  const hooks = hooksOf(tools, channel, batch, () => {
    isSettled = true
  })
  const observer = {
    signal: batch.signal,
    onStarted(turn: StartedTurn) {
      if (!turn.paused) showTyping(tools, channel, batch)
    },
  }
  try {
    const completionId = batch.items[0]?.completion_id
    if (!completionId && !payloads(batch).some(({ isPrompt }) => isPrompt)) {
      await keepUnread(tools, channel, batch, payloads(batch))
      return
    }
    if (!completionId) {
      const owner = { agentId: channel.agentId, teamId: channel.teamId }
      await runTurn(tools, owner, promptOf(channel, batch), null, observer, hooks)
      return
    }
    const turn = await resumeTurn(db, channel.agentId, completionId)
    if (turn) {
      await answerTurn(tools, turn, {}, observer, hooks)
      return
    }
    await db.transaction().execute(async (db) => {
      await batch.lease.hold(db)
      await finish(db, batch, 'done', timestamp(tools.clock()))
    })
  } catch (error) {
    // The failed turn and its parked messages are stored: there is nothing left to try.
    if (!isSettled) throw error
  }
}

function hooksOf(tools: ChannelWork, channel: Channel, batch: Batch, settled: () => void): TurnHooks {
  const { lease, mailbox, items } = batch
  const ids = items.map(({ id }) => id)
  return {
    starting: (db) => lease.hold(db),

    async started(db, turn) {
      const messages = payloads(batch)
      await bindMailbox(db, mailbox, turn.conversationId, messages.at(-1), items.at(-1))
      for (const [at, { id }] of items.entries()) {
        const messageId = turn.messageIds[at] ?? null
        const kind = messages[at]?.kind ?? 'text'
        if (messageId !== null && kind !== 'text') await markKind(db, messageId, kind)
        await updateItems(db, [id], {
          completion_id: turn.completionId,
          message_id: messageId,
          payload: null,
        })
      }
    },

    async ending(db) {
      // A pause that is being stored is waited for: no answer is queued behind its message.
      await holdPauseState(db, channel.agentId)
      await lease.hold(db)
      await applyTakeovers(db, channel, batch, tools.clock())
    },

    async ended(db, turn, ended) {
      const now = timestamp(tools.clock())
      if (!ended) {
        // Nothing of this is kept: the turn stays open and is taken up again.
        if (batch.signal.aborted) throw new LeaseLost()
        if (!batch.isLastAttempt) throw new TryAgain('the model failed')
        await updateItems(db, ids, { state: 'parked', finished_at: now, error: 'model_failed' })
        return settled()
      }
      const messageId = ended.messageId ?? (ended.agentPaused ? await sayPaused(db, turn, now) : null)
      if (messageId !== null) await queueMessage(db, turn.conversationId, messageId, now)
      if (ended.agentPaused) await postHandOver(db, turn.conversationId, 'hand_over', now)
      await finish(db, batch, 'done', now)
    },

    announcesPause: (db, turn) => isPauseNews(db, turn.conversationId),
  }
}

/** The pause came while the answer was being made: that is stored and not sent. */
async function sayPaused(db: Kysely<Tables>, turn: StartedTurn, now: string): Promise<number | null> {
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

function promptOf(channel: Channel, batch: Batch): Prompt {
  const messages = payloads(batch)
  return {
    conversationId: null,
    externalId: externalIdOf(channel, batch.mailbox.thread),
    channelId: channel.id,
    tags: null,
    userId: messages[0] ? userIdOf(batch.mailbox, messages[0]) : null,
    deviceId: null,
    sessionId: null,
    pageUrl: null,
    messages: messages.map(({ text }) => ({ role: 'user', content: text })),
    parameters: {},
    stream: false,
    includeUsage: false,
  }
}

function payloads({ items }: Batch): InboundMessage[] {
  return items.flatMap(({ payload }) => (payload === null ? [] : [readMessage(payload)]))
}

/** A courtesy: nothing waits for it and nobody misses it. */
function showTyping({ http }: ChannelWork, { platform, settings }: Channel, { mailbox, items }: Batch): void {
  const source = items.at(-1)?.source_id
  if (source) platform.showTyping?.(http, settings, mailbox.thread, source).catch(() => {})
}
