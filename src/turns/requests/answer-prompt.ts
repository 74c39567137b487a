import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../../errors.ts'
import { goneSignal } from '../../http/gone-signal.ts'
import { type EventStream, openEventStream } from '../../http/server-sent-events.ts'
import { type Idempotency, readIdempotency } from '../../idempotency/repeats.ts'
import type { ModelPiece } from '../../model/model.ts'
import type { Prompt } from '../prompt.ts'
import { runTurn } from '../run-turn.ts'
import type { EndedTurn } from '../turn.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'
import type { AnswerWriter, BegunTurn } from './answer-writer.ts'
import type { InFlight } from './in-flight.ts'
import { repeatAnswer } from './repeat-answer.ts'

export interface PromptDependencies extends TurnDependencies {
  inFlight: InFlight
  /** The key of the hashes by which repeats of requests are recognized. */
  fingerprintKey: string
  /** Makes the error that ends a stream when it is too late for a status. */
  toApiError: (error: unknown) => ApiError
}

/** A prompt as it was read in its protocol, and the way in which it wants to be answered. */
interface AskedPrompt<Whole> {
  prompt: Prompt
  isStreamed: boolean
  writer: AnswerWriter<Whole>
}

/** The wait for the first piece. After it, the stream sends its headers and comments that keep the connection open. */
const QUIET_MS = 5000

/**
 * Answers one prompt over HTTP, in one piece or as a stream. A failure before the first piece becomes an error answer
 * with a status. A later one ends the stream with an error.
 */
export async function answerPrompt<Whole>(
  dependencies: PromptDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: AskedPrompt<Whole>,
) {
  const idempotency = readIdempotency(request, request.body, dependencies.fingerprintKey)
  const gone = goneSignal(request, reply)
  return dependencies.inFlight.track(answer(dependencies, request, reply, asked, idempotency, gone))
}

async function answer<Whole>(
  dependencies: PromptDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { prompt, isStreamed, writer }: AskedPrompt<Whole>,
  idempotency: Idempotency | null,
  signal: AbortSignal,
) {
  const streamed = isStreamed ? streamedAnswer(reply, writer) : null
  try {
    const outcome = await runTurn(
      dependencies,
      request.caller,
      prompt,
      {
        signal,
        onStarted(turn, model) {
          reply.header('x-conversation-id', turn.conversationId)
          // The prompt is stored: a client that repeats it by itself would store it twice.
          reply.header('x-should-retry', 'false')
          streamed?.start({ ...turn, model })
        },
        ...(streamed ? { onPieces: streamed.pieces } : {}),
      },
      { idempotency },
    )
    if (!outcome) return reply.hijack()
    const ended =
      'repeated' in outcome
        ? await repeatAnswer(dependencies, request.caller.agentId, outcome.repeated, isStreamed, reply)
        : outcome
    reply.removeHeader('x-should-retry')
    if (!streamed) return writer.whole(ended)
    return streamed.end(ended)
  } catch (error) {
    if (!streamed?.isOpen()) throw error
    const failure = dependencies.toApiError(error)
    request.log.warn({ code: failure.code }, 'stream ended with an error')
    streamed.fail(failure.body(request.id))
    return reply
  } finally {
    streamed?.stopWaiting()
  }
}

/** The stream of one answer. It opens with the first piece, so that an earlier failure can still set the status. */
function streamedAnswer(reply: FastifyReply, writer: Omit<AnswerWriter, 'whole'>) {
  let stream: EventStream | undefined
  let turn: BegunTurn | undefined
  let hasBegun = false
  let timer: NodeJS.Timeout | undefined

  const open = () => {
    clearTimeout(timer)
    reply.removeHeader('x-should-retry')
    stream ??= openEventStream(reply)
    return stream
  }
  /** Returns the events that begin the answer, the first time. */
  const begin = (begun: BegunTurn) => {
    if (hasBegun) return []
    hasBegun = true
    return writer.begin(begun)
  }
  return {
    isOpen: () => stream !== undefined,
    stopWaiting: () => clearTimeout(timer),
    start(started: BegunTurn) {
      turn = started
      timer = setTimeout(() => open().wake(), QUIET_MS)
    },
    async pieces(pieces: ModelPiece[]) {
      // The end of the answer is written when the answer is stored.
      const told = pieces.filter(({ delta }) => Object.keys(delta).length > 0)
      if (!turn || told.length === 0) return
      const out = open()
      const begun = begin({ ...turn, model: pieces[0]?.model ?? turn.model })
      const events = [...begun, ...writer.pieces(told)]
      if (events.length === 0) return
      out.send(events)
      await out.drained()
    },
    end: (ended: EndedTurn) => open().end([...begin(ended), ...writer.end(ended)]),
    fail: (failure: ReturnType<ApiError['body']>) =>
      stream?.end([...(turn ? begin(turn) : []), ...writer.fail(failure)]),
  }
}
