import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { holdPauseState } from '../agents/pause-state.ts'
import { timestamp } from '../lib/clock.ts'
import { confirmAddress } from '../mailboxes/continuations.ts'
import { areAllParked, updateItems } from '../mailboxes/items.ts'
import { bindMailbox, selectMailbox } from '../mailboxes/mailbox.ts'
import type { Batch } from '../mailboxes/run-mailboxes.ts'
import { takeoverTopic } from '../mailboxes/topics.ts'
import type { Tables } from '../storage/tables.ts'
import { postHandOver } from '../transcripts/conversations/post-hand-over.ts'
import { keepQuoted } from '../transcripts/messages/keep-quoted.ts'
import { markKind } from '../transcripts/messages/mark-kind.ts'
import { queueMessage } from '../transcripts/messages/queue-message.ts'
import { seesPictures } from '../turns/files/reads-files.ts'
import type { Prompt } from '../turns/prompt.ts'
import { resumeTurn } from '../turns/resume-turn.ts'
import { answerTurn, runTurn } from '../turns/run-turn.ts'
import { isPauseNews, sayPaused } from '../turns/say-paused.ts'
import type { EndedTurn, StartedTurn } from '../turns/turn.ts'
import type { TurnStore } from '../turns/turn-store.ts'
import { LeaseLost } from '../work/lease.ts'
import { TryAgain } from '../work/retry.ts'
import { applyTakeovers, isTakeoverReported } from './apply-control.ts'
import { dropWithdrawn } from './change-message.ts'
import type { Channel } from './channel.ts'
import { type ChannelWork, finish } from './channel-work.ts'
import { type InboundMessage, readMessage, writerOfMessage } from './inbound-message.ts'
import { keepUnread } from './keep-unread.ts'
import { leftTo } from './left-to.ts'
import { attachMedia } from './media/attach-media.ts'
import { awaitFiles } from './media/await-files.ts'
import { conversationOf } from './open-chat.ts'
import { acknowledgePress, recordPress } from './press.ts'
import { takeRatings } from './take-ratings.ts'
import { TAKEN } from './taken.ts'

/**
 * Answers a person's messages as one prompt. One transaction takes the messages out of the mailbox and stores the
 * prompt. Another stores the answer and queues it. So each happens once: if the worker dies in between, the next one
 * answers the stored prompt.
 * @throws TryAgain when the model failed
 */
export async function answerMessages(tools: ChannelWork, channel: Channel, batch: Batch): Promise<void> {
  const { db } = tools
  const store = turnStoreOf(tools, channel, batch)
  const observer = {
    signal: batch.signal,
    reported: {
      topic: takeoverTopic(batch.mailbox),
      isTakenOver: () => isTakeoverReported(db, batch.mailbox.id),
    },
    onStarted(turn: StartedTurn) {
      if (!turn.paused) showTyping(tools, channel, batch)
    },
  }
  try {
    if (!batch.items[0]?.completion_id && (await dropWithdrawn(tools, channel, batch))) return
    if (await takeRatings(tools, channel, batch)) return
    if (await countPresses(tools, channel, batch)) return
    const completionId = batch.items[0]?.completion_id
    const messages = payloads(batch)
    await confirm(tools, batch, messages)
    const leave = completionId ? null : await leftTo(tools, channel, batch, messages)
    if (leave || (!completionId && !(await hasPrompt(tools, channel, messages)))) {
      await keepUnread(tools, channel, batch, messages, leave)
      return
    }
    if (!completionId) {
      const owner = { agentId: channel.agentId, teamId: channel.teamId }
      await runTurn(tools, owner, promptOf(channel, batch), observer, { store })
      return
    }
    const turn = await resumeTurn(db, channel.agentId, completionId)
    if (turn) {
      await answerTurn(tools, turn, {}, observer, store)
      return
    }
    await batch.lease.transaction((db) => finish(db, batch, 'done', timestamp(tools.clock())))
  } catch (error) {
    // If the failed turn and its parked messages are stored, nothing is left to try. Only the database knows.
    const ids = batch.items.map(({ id }) => id)
    if (!batch.isLastAttempt || !(await areAllParked(db, ids))) throw error
  }
}

/**
 * Tells whether there is something to answer: words, a picture that the model sees, or a voice message that can be
 * written down.
 */
async function hasPrompt(
  { db, modelFor, transcriberFor }: ChannelWork,
  { agentId }: Channel,
  messages: readonly InboundMessage[],
): Promise<boolean> {
  if (messages.some(({ isPrompt }) => isPrompt)) return true
  const kinds = new Set(messages.flatMap(({ media = [] }) => media.map(({ kind }) => kind)))
  const hasPicture = kinds.has('image') || kinds.has('sticker')
  if (!hasPicture && !kinds.has('voice')) return false
  const agent = await readAgent(db, agentId)
  if (hasPicture && seesPictures(modelFor(agent), agent)) return true
  try {
    return kinds.has('voice') && transcriberFor(agent) !== null
  } catch {
    // The address or the key of the transcription server cannot be used, so the sound cannot be transcribed.
    return false
  }
}

/** Notes that a mail came from the address that a visitor has left, unless only a program sent it. */
async function confirm(
  { clock }: ChannelWork,
  { mailbox, lease }: Batch,
  messages: readonly InboundMessage[],
): Promise<void> {
  const reply = messages.find(({ leave }) => leave !== 'alone')
  if (!reply || mailbox.unseen_ms === null) return
  await lease.transaction(async (db) => {
    // The visitor may have left another address since the mailbox was claimed.
    const { id, agent_id, conversation_id, unseen_ms } = await selectMailbox(db, mailbox.id)
    Object.assign(mailbox, { conversation_id, unseen_ms })
    if (conversation_id === null || unseen_ms === null) return
    await confirmAddress(db, { id, agent_id, conversation_id }, reply.user.id, timestamp(clock()))
    mailbox.unseen_ms = 0
  })
}

/**
 * Counts each pressed button once, and tells the platform that the press has arrived. A press without any text is
 * finished here, because there is nothing to answer.
 * @returns true if a press was finished, so that the remaining items must be chosen anew
 */
async function countPresses(
  tools: ChannelWork,
  channel: Channel,
  { mailbox, items, lease }: Batch,
): Promise<boolean> {
  const { clock } = tools
  let isTaken = false
  for (const item of items) {
    if (item.payload === null) continue
    const { pressed, ...message } = readMessage(item.payload)
    if (pressed === undefined) continue
    acknowledgePress(tools, channel, item)
    await lease.transaction(async (db) => {
      const now = timestamp(clock())
      const label = await recordPress(db, mailbox, pressed, now)
      const text = message.text || label
      const payload = text ? JSON.stringify({ ...message, text }) : null
      if (payload === null) {
        await updateItems(db, [item.id], { ...TAKEN, finished_at: now })
        isTaken = true
      } else await updateItems(db, [item.id], { payload })
      item.payload = payload
    })
  }
  return isTaken
}

/** Stores a turn together with what becomes of its messages in the mailbox. */
function turnStoreOf(tools: ChannelWork, channel: Channel, batch: Batch): TurnStore {
  const { lease } = batch
  return {
    async start(db, write) {
      await lease.hold(db)
      const started = await write()
      if (!('repeated' in started)) await bindItems(tools, db, channel, batch, started)
      return started
    },

    async end(db, turn, write) {
      // Waits for a pause that is being stored, so that no answer is queued after the pause message.
      await holdPauseState(db, channel.agentId)
      await lease.hold(db)
      await applyTakeovers(db, channel, batch, tools.clock())
      const end = await write()
      const now = timestamp(tools.clock())
      if (end.isStored && end.ended) await queueAnswer(db, batch, turn, end.ended, now)
      else if (end.isStored) await parkItems(db, batch, now)
      return end
    },

    ready: (turn, signal) =>
      payloads(batch).every(({ media }) => media === undefined) && !batch.items[0]?.completion_id
        ? Promise.resolve(turn)
        : awaitFiles(tools.db, turn, signal),

    announcesPause: (db, turn) => isPauseNews(db, turn.conversationId),
  }
}

/** Takes the messages out of the mailbox: they are the prompt now. */
async function bindItems(
  tools: ChannelWork,
  db: Kysely<Tables>,
  channel: Channel,
  batch: Batch,
  turn: StartedTurn,
): Promise<void> {
  const { mailbox, items } = batch
  const messages = payloads(batch)
  await bindMailbox(db, mailbox, turn.conversationId, messages.at(-1), items.at(-1))
  for (const [at, { id }] of items.entries()) {
    const messageId = turn.messageIds[at] ?? null
    const kind = messages[at]?.kind ?? 'text'
    if (messageId !== null) {
      if (kind !== 'text') await markKind(db, messageId, kind)
      await keepQuoted(db, messageId, messages[at]?.quoted)
      const place = { conversationId: turn.conversationId, messageId }
      await attachMedia(db, channel, place, messages[at]?.media, tools.places, tools.clock())
    }
    await updateItems(db, [id], {
      completion_id: turn.completionId,
      message_id: messageId,
      payload: null,
    })
  }
}

/** Queues the answer, or the pause message, to be sent to the platform. */
async function queueAnswer(
  db: Kysely<Tables>,
  batch: Batch,
  turn: StartedTurn,
  ended: EndedTurn,
  now: string,
): Promise<void> {
  const messageId = ended.messageId ?? (ended.agentPaused ? await sayPaused(db, turn, now) : null)
  if (messageId !== null) await queueMessage(db, turn.conversationId, messageId, now)
  if (ended.agentPaused) await postHandOver(db, turn.conversationId, 'hand_over', now)
  await finish(db, batch, 'done', now)
}

/**
 * Parks messages that the model failed to answer.
 * @throws LeaseLost, TryAgain to store nothing: the turn stays open and is resumed later
 */
async function parkItems(db: Kysely<Tables>, batch: Batch, now: string): Promise<void> {
  if (batch.signal.aborted) throw new LeaseLost()
  if (!batch.isLastAttempt) throw new TryAgain('the model failed')
  await updateItems(
    db,
    batch.items.map(({ id }) => id),
    { state: 'parked', finished_at: now, error: 'model_failed', attempts: batch.attempt },
  )
}

function promptOf(channel: Channel, batch: Batch): Prompt {
  const messages = payloads(batch)
  return {
    ...conversationOf(channel, batch.mailbox),
    channelId: channel.id,
    widgetId: null,
    language: null,
    tags: null,
    user: messages[0] ? writerOfMessage(channel, batch.mailbox, messages[0]) : null,
    deviceId: null,
    sessionId: null,
    pageUrl: null,
    messages: messages.map(({ text }) => ({ role: 'user', content: text })),
    parameters: {},
  }
}

function payloads({ items }: Batch): InboundMessage[] {
  return items.flatMap(({ payload }) => (payload === null ? [] : [readMessage(payload)]))
}

/** Shows that an answer is being made. Nothing waits for this, and a failure does not matter. */
function showTyping(
  { outbound }: ChannelWork,
  { platform, settings, teamId }: Channel,
  { mailbox, items }: Batch,
): void {
  const source = items.at(-1)?.source_id
  const http = outbound.of(teamId)
  if (source) platform.showTyping?.(http, settings, mailbox.thread, source).catch(() => {})
}
