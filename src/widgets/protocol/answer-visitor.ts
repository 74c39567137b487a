import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { primaryOf } from '../../language/best-tag.ts'
import { timestamp } from '../../lib/clock.ts'
import { nameVisitor } from '../../profiles/name-visitor.ts'
import { idempotencyOf } from '../../repeats/repeats.ts'
import { selectCompletionMessages } from '../../transcripts/messages/store.ts'
import type { Prompt } from '../../turns/prompt.ts'
import type { PromptDependencies } from '../../turns/requests/answer-prompt.ts'
import { repeatAnswer } from '../../turns/requests/repeat-answer.ts'
import { runTurn } from '../../turns/run-turn.ts'
import { isPauseNews, sayPaused } from '../../turns/say-paused.ts'
import type { EndedTurn } from '../../turns/turn.ts'
import type { TurnStore } from '../../turns/turn-store.ts'
import { idOfKey } from '../../users/user-key.ts'
import type { Visitor } from './visitor.ts'
import { type VisitorStream, visitorStream } from './visitor-stream.ts'

/** A visitor's message. */
export interface VisitorMessageBody {
  content: string
  page_url?: string | null | undefined
  language?: string | null | undefined
}

/** The time for which an answer is still made for a visitor who has gone: most come back and read it. */
const AFTER_GONE_MS = 30_000

/**
 * Answers a visitor's message as a stream. A visitor who leaves in the middle, for another page for example, finds the
 * whole answer afterwards.
 * @param key names the message: if it is sent again, it gets the existing answer and creates nothing new
 */
export async function answerVisitor(
  dependencies: PromptDependencies,
  visitor: Visitor,
  body: VisitorMessageBody,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  return dependencies.inFlight.track(answer(dependencies, visitor, body, key, request, reply))
}

async function answer(
  dependencies: PromptDependencies,
  visitor: Visitor,
  body: VisitorMessageBody,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const stream = visitorStream(reply)
  using patience = whenLongGone(reply)
  // The visitor's page and language do not make it another message.
  const idempotency = idempotencyOf(keyOf(visitor, key), body.content, dependencies.fingerprintKey)
  try {
    const outcome = await runTurn(
      dependencies,
      visitor,
      promptOf(visitor, body),
      idempotency,
      {
        signal: patience.signal,
        onStarted: (turn) => stream.start(turn),
        onPieces: (pieces) => stream.pieces(pieces),
      },
      turnStoreOf(dependencies, visitor, stream),
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

function promptOf(visitor: Visitor, { content, page_url, language }: VisitorMessageBody): Prompt {
  return {
    conversationId: null,
    externalId: null,
    channelId: null,
    widgetId: visitor.widgetId,
    language: primaryLanguage(language ?? visitor.language),
    tags: null,
    user: visitor.user,
    deviceId: visitor.deviceId,
    sessionId: visitor.sessionId,
    pageUrl: page_url ?? null,
    messages: [{ role: 'user', content }],
    parameters: {},
  }
}

function primaryLanguage(tag: string | null): string | null {
  return tag === null ? null : primaryOf(tag)
}

/** Stores a turn together with who the visitor is, and with the pause message that the visitor is shown. */
function turnStoreOf({ clock }: PromptDependencies, visitor: Visitor, stream: VisitorStream): TurnStore {
  return {
    async start(db, write) {
      const started = await write()
      if (!('repeated' in started))
        await nameVisitor(db, { agentId: visitor.agentId, conversationId: started.conversationId }, visitor)
      return started
    },
    async end(db, turn, write) {
      const end = await write()
      if (!end.isStored || !end.ended?.agentPaused || end.ended.messageId !== null) return end
      const messageId = await sayPaused(db, turn, timestamp(clock()))
      // Any part of the agent's own answer that was shown stays, and the pause message follows it.
      return stream.hasSaid() ? end : { ...end, ended: { ...end.ended, messageId } }
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
