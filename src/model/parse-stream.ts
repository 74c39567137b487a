import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser'
import { LARGEST_PEER_JSON } from '../lib/outbound/read-peer-json.ts'
import { isObject, type JsonObject, toObjects } from '../lib/untrusted-json.ts'
import { type ModelDelta, ModelError, type ModelPiece, type Usage } from './model.ts'
import {
  answeredChoice,
  citationsOf,
  firstChoice,
  parseCompletion,
  textOf,
  usageOf,
  wordOf,
} from './parse-answer.ts'
import type { Exchange } from './protocols/protocol.ts'
import { type ToolCallDeltas, toolCallDeltas } from './tool-call-deltas.ts'

/** Turns the bytes of a model server's event stream into pieces. */
interface StreamParser {
  /**
   * Takes bytes and returns the pieces that they complete.
   * @throws ModelError `protocol`. Pieces before the error are returned first, and the next call throws
   */
  feed(chunks: Buffer[]): ModelPiece[]
  /**
   * Takes a chunk that is the whole answer.
   * @throws ModelError `protocol`
   */
  takeWhole(chunk: JsonObject): ModelPiece[]
  /** True once every possible piece has been returned. Anything that still arrives can be ignored. */
  readonly finished: boolean
  /** True once the server has said why the answer ends, so that a broken connection no longer loses anything. */
  readonly concluded: boolean
  /**
   * Ends the stream and returns the last piece if it was still held back.
   * @throws ModelError `protocol` when the stream was cut short
   */
  end(): ModelPiece[]
}

/**
 * The limit on everything that a model says in the pieces of a stream, in bytes: text, thoughts, arguments of tool
 * calls and whatever else they contain. Each piece is parsed by itself, so that it may be more than `readPeerJson` takes.
 */
export const LARGEST_STREAMED_ANSWER = 10 * 1024 * 1024
/** The bytes that a list, an object or a field counts besides its text. */
const PER_VALUE = 16
const DEEPEST = 100

/** The part of an exchange that makes chunks of chat completions from the events of a stream. */
type Events = Pick<Exchange, 'chunks' | 'rest'>

const AS_IT_IS: Events = { chunks: (chunk) => [chunk] }

/**
 * Holds back the piece with `finish_reason` until the usage arrives or the stream ends: servers send the usage later,
 * in a chunk of its own, and the last piece must carry both.
 */
export function createStreamParser(events: Events = AS_IT_IS): StreamParser {
  const decoder = new StringDecoder('utf8')
  const sse = createParser({ onEvent, onError, maxBufferSize: LARGEST_PEER_JSON })
  const calls = toolCallDeltas()
  let pieces: ModelPiece[] = []
  let held: ModelPiece | null = null
  let usage: Usage | null = null
  let choiceSeen = false
  let finished = false
  let size = 0
  let fault: unknown

  function onEvent({ data }: EventSourceMessage): void {
    if (finished) return
    if (data === '[DONE]') conclude()
    else for (const chunk of events.chunks(parseCompletion(data))) onChunk(chunk)
  }

  function onChunk(chunk: JsonObject): void {
    const choice = firstChoice(chunk)
    if (choice) onChoice(choice, wordOf(chunk.model))
    usage = usageOf(chunk) ?? usage
    if (held && isObject(chunk.usage)) conclude()
  }

  function onChoice(choice: JsonObject, model: string | null): void {
    choiceSeen = true
    const given = choice.delta ?? choice.message
    const delta = isObject(given) ? given : {}
    size += bytesOf(delta)
    if (size > LARGEST_STREAMED_ANSWER) {
      throw new ModelError('protocol', 'The answer of the model server is too large')
    }
    const finish_reason = wordOf(choice.finish_reason) || null
    const piece: ModelPiece = { delta: deltaOf(delta, calls), finish_reason, usage: null }
    if (model !== null) piece.model = model
    if (delta.annotations) piece.citations = citationsOf(delta)
    if (held) {
      // Some servers go on after their finish_reason. It moves to the new last piece.
      pieces.push({ ...held, finish_reason: null })
      piece.finish_reason ??= held.finish_reason
    }
    held = piece.finish_reason ? piece : null
    if (!held) pieces.push(piece)
  }

  function conclude(): void {
    if (!choiceSeen) throw new ModelError('protocol', 'The model server sent a stream without a choice in it')
    const finish_reason = calls.count() > 0 ? 'tool_calls' : 'stop'
    pieces.push({ ...(held ?? { delta: {}, finish_reason }), usage })
    finished = true
  }

  function taken(): ModelPiece[] {
    const taken = pieces
    pieces = []
    return taken
  }

  return {
    feed(chunks) {
      try {
        if (!fault) for (const chunk of chunks) sse.feed(decoder.write(chunk))
      } catch (error) {
        fault = error
      }
      if (fault && pieces.length === 0) throw fault
      return taken()
    },
    takeWhole(chunk) {
      onChunk(chunk)
      if (!finished) conclude()
      return taken()
    },
    get finished() {
      return finished
    },
    get concluded() {
      return held !== null
    },
    end() {
      if (fault) throw fault
      if (!finished) {
        // The blank line that completes an event may be missing after the last one.
        sse.feed(`${decoder.end()}\n\n`)
        if (!finished) for (const chunk of events.rest?.() ?? []) onChunk(chunk)
        if (!finished && !held) {
          throw new ModelError('protocol', "The model server's stream ended early")
        }
        if (!finished) conclude()
      }
      return taken()
    },
  }
}

/** Returns a chat completion as one piece: some servers answer as a whole although a stream was asked for. */
export function piecesOfWhole(completion: JsonObject): ModelPiece[] {
  const choice = answeredChoice(completion)
  const chunk = { ...completion, choices: [{ ...choice, delta: choice.message }] }
  return createStreamParser().takeWhole(chunk)
}

/** The delta with its tool calls in one form, without an empty list of them, and with parts of text joined. */
function deltaOf({ tool_calls, ...rest }: JsonObject, calls: ToolCallDeltas): ModelDelta {
  const read = calls.read(tool_calls)
  return {
    ...rest,
    ...('content' in rest && { content: contentOf(rest) }),
    ...(read.length > 0 && { tool_calls: read }),
  } as ModelDelta
}

/** The text of a piece. Some servers stream parts of content, which are joined. */
function contentOf({ content }: JsonObject): string | null {
  if (!Array.isArray(content)) return textOf(content)
  return toObjects(content)
    .map((part) => textOf(part.text) ?? '')
    .join('')
}

/** Estimates the bytes that a value takes as JSON. */
function bytesOf(value: unknown, depth = 0): number {
  if (depth > DEEPEST)
    throw new ModelError('protocol', 'The model server sent a piece that is nested too deep')
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  let size = PER_VALUE
  for (const [name, inner] of Object.entries(value))
    size += name.length + PER_VALUE + bytesOf(inner, depth + 1)
  return size
}

function onError(error: ParseError): void {
  if (error.type === 'max-buffer-size-exceeded')
    throw new ModelError('protocol', 'The model server sent an event that is too large')
}
