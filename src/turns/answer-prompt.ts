import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { type EventStream, openEventStream } from '../http/server-sent-events.ts'
import type { ModelPiece } from '../model/model.ts'
import { type Idempotency, readIdempotency } from '../repeats/repeats.ts'
import { chatCompletion, chunkWriter } from './answer.ts'
import type { InFlight } from './in-flight.ts'
import { repeatAnswer } from './repeat-answer.ts'
import { type ChatRequest, type Prompt, readPrompt } from './request.ts'
import { runTurn } from './run-turn.ts'
import type { EndedTurn, StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'

export interface PromptDependencies extends TurnDependencies {
  inFlight: InFlight
  /** The key of the hashes by which repeats of requests are recognized. */
  fingerprintKey: string
  /** Makes the error that ends a stream when it is too late for a status. */
  toApiError: (error: unknown) => ApiError
}

/** The wait for the first piece. After it, the stream sends its headers and comments that keep the connection open. */
const QUIET_MS = 5000

/**
 * Answers one prompt over HTTP, in one piece or as a stream. A failure before the first piece becomes an error answer
 * with a status. A later one ends the stream with an `error` chunk.
 */
export async function answerPrompt(
  dependencies: PromptDependencies,
  request: FastifyRequest<{ Body: ChatRequest }>,
  reply: FastifyReply,
) {
  const prompt = readPrompt(request.body)
  const idempotency = readIdempotency(request, request.body, dependencies.fingerprintKey)
  const gone = goneSignal(request, reply)
  return dependencies.inFlight.track(answer(dependencies, request, reply, prompt, idempotency, gone))
}

async function answer(
  dependencies: PromptDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  prompt: Prompt,
  idempotency: Idempotency | null,
  signal: AbortSignal,
) {
  const streamed = prompt.stream ? streamedAnswer(reply, prompt.includeUsage) : null
  try {
    const outcome = await runTurn(dependencies, request.caller, prompt, idempotency, {
      signal,
      onStarted(turn, model) {
        reply.header('x-conversation-id', turn.conversationId)
        // The prompt is stored: a client that repeats it by itself would store it twice.
        reply.header('x-should-retry', 'false')
        streamed?.start(turn, model)
      },
      ...(streamed ? { onPieces: streamed.pieces } : {}),
    })
    if (!outcome) return reply.hijack()
    const ended =
      'repeated' in outcome
        ? await repeatAnswer(dependencies, request.caller.agentId, outcome.repeated, prompt.stream, reply)
        : outcome
    reply.removeHeader('x-should-retry')
    if (!streamed) return chatCompletion(ended)
    return streamed.end(ended)
  } catch (error) {
    if (!streamed?.isOpen()) throw error
    const failure = dependencies.toApiError(error)
    request.log.warn({ code: failure.code }, 'stream ended with an error')
    streamed.fail(JSON.stringify(failure.body(request.id)))
    return reply
  } finally {
    streamed?.stopWaiting()
  }
}

/** The stream of one answer. It opens with the first piece, so that an earlier failure can still set the status. */
function streamedAnswer(reply: FastifyReply, includeUsage: boolean) {
  let stream: EventStream | undefined
  let write: ReturnType<typeof chunkWriter> | undefined
  let begun: { turn: StartedTurn; model: string } | undefined
  let timer: NodeJS.Timeout | undefined

  const open = () => {
    clearTimeout(timer)
    reply.removeHeader('x-should-retry')
    stream ??= openEventStream(reply)
    return stream
  }
  return {
    isOpen: () => stream !== undefined,
    stopWaiting: () => clearTimeout(timer),
    start(turn: StartedTurn, model: string) {
      begun = { turn, model }
      timer = setTimeout(() => open().wake(), QUIET_MS)
    },
    async pieces(pieces: ModelPiece[]) {
      if (!write && begun) write = chunkWriter(begun.turn, pieces[0]?.model ?? begun.model, includeUsage)
      // The last chunk is written when the answer is stored.
      const told = pieces.filter(({ delta }) => Object.keys(delta).length > 0)
      if (!write || told.length === 0) return
      const out = open()
      out.send(told.map(write.piece))
      await out.drained()
    },
    end(ended: EndedTurn) {
      const events: string[] = []
      if (!write) {
        write = chunkWriter(ended, ended.model, includeUsage)
        events.push(write.piece({ delta: wholeDelta(ended), finish_reason: null, usage: null }))
      }
      events.push(write.last(ended))
      if (includeUsage) events.push(write.usage(ended.usage))
      open().end([...events, '[DONE]'])
    },
    fail: (data: string) => stream?.end([data]),
  }
}

/** A whole answer as the only piece of a stream. */
function wholeDelta({ content, refusal, tool_calls }: EndedTurn) {
  return {
    role: 'assistant',
    content: typeof content === 'string' ? content : null,
    ...(refusal === null ? {} : { refusal }),
    ...(tool_calls.length > 0 ? { tool_calls: tool_calls.map((call, index) => ({ index, ...call })) } : {}),
  }
}
