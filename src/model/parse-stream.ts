import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser'
import { type ModelDelta, ModelError, type ModelPiece, type Usage } from './model.ts'
import {
  citationsOf,
  firstChoice,
  isObject,
  objects,
  parseCompletion,
  textOf,
  usageOf,
  type Wire,
  wordOf,
} from './parse-answer.ts'

/** Turns the bytes of a model server's event stream into pieces. */
export interface StreamParser {
  /**
   * Takes bytes, gives the pieces they complete.
   * @throws ModelError `protocol`; when pieces came before the fault they are given first, and the next call throws
   */
  feed(chunks: Buffer[]): ModelPiece[]
  /** Whether all was given out that can come: what still arrives is of no interest. */
  readonly finished: boolean
  /** Whether the server said why the answer ends, so that a broken connection loses nothing any more. */
  readonly concluded: boolean
  /** The stream is over: gives the last piece if it was still held. @throws ModelError `protocol` when cut short */
  end(): ModelPiece[]
}

/** Bytes of a single event. */
const EVENT_LIMIT = 10 * 1024 * 1024
/** Bytes of all that a model says: text, thoughts, arguments of tool calls and whatever else stands in its pieces. */
const ANSWER_LIMIT = 10 * 1024 * 1024
/** What a list, an object or a field of a piece counts beside its text. */
const PER_VALUE = 16
const DEEPEST = 100

/**
 * The piece with `finish_reason` is held until the usage came or the stream ends, because servers send the usage
 * in a chunk of its own after it, and the last piece is to carry both.
 */
export function createStreamParser(): StreamParser {
  const decoder = new StringDecoder('utf8')
  const sse = createParser({ onEvent, onError, maxBufferSize: EVENT_LIMIT })
  const numbered = toolCallNumbers()
  let pieces: ModelPiece[] = []
  let held: ModelPiece | null = null
  let usage: Usage | null = null
  let choiceSeen = false
  let finished = false
  let size = 0
  let fault: unknown

  function onEvent({ data }: EventSourceMessage): void {
    if (finished) return
    if (data.length > EVENT_LIMIT / 3 && Buffer.byteLength(data) > EVENT_LIMIT) throw tooLarge()
    if (data === '[DONE]') conclude()
    else onChunk(parseCompletion(data))
  }

  function onChunk(chunk: Wire): void {
    const choice = firstChoice(chunk)
    if (choice) onChoice(choice, wordOf(chunk.model))
    usage = usageOf(chunk) ?? usage
    if (held && isObject(chunk.usage)) conclude()
  }

  function onChoice(choice: Wire, model: string | null): void {
    choiceSeen = true
    const given = choice.delta ?? choice.message
    const delta = isObject(given) ? given : {}
    size += bytesOf(delta)
    if (size > ANSWER_LIMIT) {
      throw new ModelError('protocol', 'The answer of the model server is too large')
    }
    const finish_reason = wordOf(choice.finish_reason) || null
    const piece: ModelPiece = { delta: numbered.delta(delta), finish_reason, usage: null }
    if (model !== null) piece.model = model
    if (delta.annotations) piece.citations = citationsOf(delta)
    if (held) {
      // Some servers go on after their finish_reason: it moves to the new last piece.
      pieces.push({ ...held, finish_reason: null })
      piece.finish_reason ??= held.finish_reason
    }
    held = piece.finish_reason ? piece : null
    if (!held) pieces.push(piece)
  }

  function conclude(): void {
    if (!choiceSeen) throw new ModelError('protocol', 'The model server sent a stream without a choice in it')
    const finish_reason = numbered.any() ? 'tool_calls' : 'stop'
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
    get finished() {
      return finished
    },
    get concluded() {
      return held !== null
    },
    end() {
      if (fault) throw fault
      if (!finished) {
        // A last event need not be followed by the blank line that would complete it.
        sse.feed(`${decoder.end()}\n\n`)
        if (!finished && !held) {
          throw new ModelError('protocol', "The model server's stream ended early")
        }
        if (!finished) conclude()
      }
      return taken()
    },
  }
}

/** The whole JSON answer of a server that was asked for a stream but does not stream, as one piece. */
export function parseAsOnePiece(text: string): ModelPiece[] {
  const completion = parseCompletion(text)
  const choice = firstChoice(completion)
  if (!isObject(choice?.message))
    throw new ModelError('protocol', 'The model server answered without a message')
  const event = { ...completion, choices: [{ ...choice, delta: choice.message }] }
  const parser = createStreamParser()
  const pieces = parser.feed([Buffer.from(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`)])
  return [...pieces, ...parser.end()]
}

/**
 * Numbers tool calls from 0 in the order in which they begin, whatever numbers their server gives them: lists are made
 * by these. Of unnumbered ones a new id begins the next call.
 */
function toolCallNumbers() {
  const known = new Map<unknown, number>()
  let count = 0
  let last = -1
  let lastId: string | null = null

  function numbered(call: Wire): Wire {
    const id = textOf(call.id)
    if (Number.isInteger(call.index)) {
      last = known.get(call.index) ?? count++
      known.set(call.index, last)
    } else if (last < 0 || (id && id !== lastId)) last = count++
    lastId = id || lastId
    return { ...call, ...(isObject(call.function) && { function: asText(call.function) }), index: last }
  }

  /** Some servers send arguments as an object. */
  function asText(called: Wire): Wire {
    return isObject(called.arguments) ? { ...called, arguments: JSON.stringify(called.arguments) } : called
  }

  return {
    any: () => count > 0,
    /** The delta as it came but for numbered tool calls, no null list of them, and parts of text joined. */
    delta({ tool_calls, ...delta }: Wire): ModelDelta {
      if ('content' in delta) delta.content = contentOf(delta)
      const calls = objects(tool_calls).map(numbered)
      return (calls.length > 0 ? { ...delta, tool_calls: calls } : delta) as ModelDelta
    },
  }
}

/** Text; parts of content, which some servers stream, are joined. */
function contentOf({ content }: Wire): string | null {
  if (!Array.isArray(content)) return textOf(content)
  return objects(content)
    .map((part) => textOf(part.text) ?? '')
    .join('')
}

/** About as many bytes as a value takes as JSON. */
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
  if (error.type === 'max-buffer-size-exceeded') throw tooLarge()
}

function tooLarge(): ModelError {
  return new ModelError('protocol', 'The model server sent an event that is too large')
}
