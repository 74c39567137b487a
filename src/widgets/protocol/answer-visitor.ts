import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../files/attach-files.ts'
import { selectUnsent } from '../../files/store.ts'
import { idempotencyOf } from '../../idempotency/repeats.ts'
import { timestamp } from '../../lib/clock.ts'
import { lockMailboxOf } from '../../mailboxes/post.ts'
import { nameVisitor } from '../../profiles/name-visitor.ts'
import { filesInWords } from '../../redaction/files-of-message.ts'
import type { Attachment } from '../../transcripts/attachments.ts'
import { queueMessage } from '../../transcripts/messages/queue-message.ts'
import { selectCompletionMessages } from '../../transcripts/messages/store.ts'
import type { Prompt } from '../../turns/prompt.ts'
import type { PromptDependencies } from '../../turns/requests/answer-prompt.ts'
import { repeatAnswer } from '../../turns/requests/repeat-answer.ts'
import { runTurn } from '../../turns/run-turn.ts'
import { isPauseNews, sayPaused } from '../../turns/say-paused.ts'
import type { EndedTurn } from '../../turns/turn.ts'
import type { TurnStore } from '../../turns/turn-store.ts'
import { idOfKey } from '../../users/user-key.ts'
import { hashOfVisitor, spokenIn, type Visitor } from './visitor.ts'
import { type VisitorStream, visitorStream } from './visitor-stream.ts'

/** A visitor's message. */
interface VisitorMessageBody {
  /** Blank: it has only files. */
  content: string
  /** The ids of its files. */
  attachments: readonly string[]
  page_url?: string | null | undefined
  language?: string | null | undefined
}

type VisitorDependencies = PromptDependencies & { visitorKey: string }

/** The time for which an answer is still made for a visitor who has gone: most come back and read it. */
const AFTER_GONE_MS = 30_000

/**
 * Answers a visitor's message as a stream. A visitor who leaves in the middle, for another page for example, finds the
 * whole answer afterwards.
 * @param key names the message: if it is sent again, it gets the existing answer and creates nothing new
 */
export async function answerVisitor(
  dependencies: VisitorDependencies,
  visitor: Visitor,
  body: VisitorMessageBody,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return dependencies.inFlight.track(answer(dependencies, visitor, body, key, request, reply))
}

async function answer(
  dependencies: VisitorDependencies,
  visitor: Visitor,
  body: VisitorMessageBody,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const stream = visitorStream(reply)
  using patience = whenLongGone(reply)
  // The visitor's page and language do not make it another message.
  const said = body.attachments.length === 0 ? body.content : [body.content, ...body.attachments]
  const idempotency = idempotencyOf(keyOf(visitor, key), said, dependencies.fingerprintKey)
  const files = await filesOf(dependencies, visitor, body)
  const hasFiles = files.length === body.attachments.length
  const sendsMail = request.widget.row.continue_by !== null
  try {
    const outcome = await runTurn(
      dependencies,
      visitor,
      promptOf(visitor, body, files),
      {
        signal: patience.signal,
        onStarted: (turn) => stream.start(turn),
        onPieces: (pieces) => stream.pieces(pieces),
      },
      { idempotency, store: turnStoreOf(dependencies, visitor, stream, { hasFiles, sendsMail }) },
    )
    if (outcome === null) {
      reply.hijack()
      return
    }
    stream.end(
      'repeated' in outcome ? await repeat(dependencies, visitor, outcome.repeated, stream, reply) : outcome,
    )
  } catch (error) {
    if (!stream.isOpen()) throw error
    const failure = dependencies.toApiError(error)
    request.log.warn({ code: failure.code }, 'a stream of a widget ended with an error')
    stream.fail(JSON.stringify(failure.body(request.id)))
  }
}

/** Sends the existing answer to a message that was sent before. */
async function repeat(
  dependencies: PromptDependencies,
  { agentId }: Visitor,
  completionId: string,
  stream: VisitorStream,
  reply: FastifyReply,
): Promise<EndedTurn> {
  const ended = await repeatAnswer(dependencies, agentId, completionId, true, reply)
  const rows = await selectCompletionMessages(dependencies.db, { completion_id: completionId })
  const asked = rows.filter(({ role }) => role === 'user').map(({ id }) => id)
  stream.start({ ...ended, messageIds: asked })
  return ended
}

/** Returns the visitor's own key: the keys of all visitors are in one table. */
function keyOf({ widgetId, userKey }: Visitor, key: string): string {
  return `widget ${createHash('sha256')
    .update(JSON.stringify([widgetId, idOfKey(userKey), key]))
    .digest('base64url')}`
}

/**
 * Reads the files of a message in their order. Files that were sent already are left out, as when a message is
 * repeated.
 */
async function filesOf(
  { db, clock, visitorKey }: VisitorDependencies,
  visitor: Visitor,
  { attachments }: VisitorMessageBody,
): Promise<Attachment[]> {
  if (attachments.length === 0) return []
  const of = { agent_id: visitor.agentId, visitor: hashOfVisitor(visitor, visitorKey) }
  const unsent = await selectUnsent(db, of, attachments, timestamp(clock()))
  return attachments.flatMap((id) => unsent.find((file) => file.id === id.toLowerCase()) ?? [])
}

function promptOf(
  visitor: Visitor,
  { content, page_url, language }: VisitorMessageBody,
  files: readonly Attachment[],
): Prompt {
  const kinds = files.map(({ kind }) => kind)
  const message = { role: 'user' as const, content: content.trim() === '' ? filesInWords(kinds) : content }
  return {
    conversationId: null,
    externalId: null,
    channelId: null,
    widgetId: visitor.widgetId,
    language: spokenIn(language ?? visitor.language),
    tags: null,
    user: visitor.user,
    deviceId: visitor.deviceId,
    sessionId: visitor.sessionId,
    pageUrl: page_url ?? null,
    messages: [message],
    files: new Map([[message, files]]),
    parameters: {},
  }
}

interface TurnOfVisitor {
  /** False: some of its files cannot be sent. */
  hasFiles: boolean
  /** True if an answer that nobody sees may go by mail. */
  sendsMail: boolean
}

/** Stores a turn together with who the visitor is, and with the pause message that the visitor is shown. */
function turnStoreOf(
  { clock }: PromptDependencies,
  visitor: Visitor,
  stream: VisitorStream,
  { hasFiles, sendsMail }: TurnOfVisitor,
): TurnStore {
  return {
    async start(db, write) {
      const started = await write()
      if ('repeated' in started) return started
      if (!hasFiles) refuse()
      await nameVisitor(db, { agentId: visitor.agentId, conversationId: started.conversationId }, visitor)
      return started
    },
    async end(db, turn, write) {
      if (sendsMail) await lockMailboxOf(db, { conversation_id: turn.conversationId })
      const end = await write()
      const messageId = end.isStored ? end.ended?.messageId : null
      if (sendsMail && messageId != null)
        await queueMessage(db, turn.conversationId, messageId, timestamp(clock()))
      if (!end.isStored || !end.ended?.agentPaused || end.ended.messageId !== null) return end
      const paused = await sayPaused(db, turn, timestamp(clock()))
      // Any part of the agent's own answer that was shown stays, and the pause message follows it.
      return stream.hasSaid() ? end : { ...end, ended: { ...end.ended, messageId: paused } }
    },
    announcesPause: (db, turn) => isPauseNews(db, turn.conversationId),
  }
}

/** Returns a signal that fires when the client has been gone for a while. */
function whenLongGone({ raw }: FastifyReply): { signal: AbortSignal } & Disposable {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const gone = () => {
    timer = setTimeout(() => stop.abort(), AFTER_GONE_MS)
  }
  if (raw.closed) gone()
  else raw.once('close', gone)
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      raw.off('close', gone)
      clearTimeout(timer)
    },
  }
}
