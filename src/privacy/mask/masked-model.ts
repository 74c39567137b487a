import { asksForText } from '../../model/asks-for-text.ts'
import type { Embedder } from '../../model/embedder.ts'
import type {
  MessageContent,
  Model,
  ModelAnswer,
  ModelPiece,
  ModelRequest,
  ToolCallDelta,
} from '../../model/model.ts'
import type { Reranker } from '../../model/reranker.ts'
import type { Restore, RestoredPieces } from '../../redaction/mask/restore.ts'
import { type Mask, maskedRequest, maskedTexts } from './masking.ts'

/** The requests as they were sent; null: they were not, because they could not be masked. */
const sent = new WeakMap<ModelRequest, ModelRequest | null>()

/** Returns a request as it left for the model server, masked or not; null: it was not sent. */
export function asSent(request: ModelRequest): ModelRequest | null {
  const left = sent.get(request)
  return left === undefined ? request : left
}

/**
 * A model whose server is sent placeholders in place of personal data, and whose answers have the values again. What
 * cannot be masked is not sent.
 * @throws ModelError `masking`
 */
export function maskedModel(model: Model, mask: Mask): Model {
  async function masked(request: ModelRequest): Promise<{ asked: ModelRequest; restore: Restore | null }> {
    const { messages, parameters } = request
    sent.set(request, null)
    const { request: made, restore } = await maskedRequest(mask, { messages, parameters })
    const asked = { ...request, ...(made as Pick<ModelRequest, 'messages' | 'parameters'>) }
    sent.set(request, asked)
    return { asked, restore }
  }

  return {
    async complete(request, signal) {
      const { asked, restore } = await masked(request)
      const answer = await model.complete(asked, signal)
      return restore ? restoredAnswer(answer, restore, wantsJson(request)) : answer
    },
    async *stream(request, signal) {
      const { asked, restore } = await masked(request)
      if (!restore) return yield* model.stream(asked, signal)
      const restored = restoredPieces(restore, wantsJson(request))
      for await (const pieces of model.stream(asked, signal)) {
        const told = pieces.map(restored).filter(saysSomething)
        if (told.length > 0) yield told
      }
    },
  }
}

/** An embedder whose server is sent placeholders in place of personal data. */
export function maskedEmbedder(embedder: Embedder, mask: Mask): Embedder {
  return { ...embedder, embed: async (texts, call) => embedder.embed(await maskedTexts(mask, texts), call) }
}

/** A reranker whose server is sent placeholders in place of personal data. */
export function maskedReranker(reranker: Reranker, mask: Mask): Reranker {
  return {
    async rank(team, asked, documents, call) {
      const [question = '', ...texts] = await maskedTexts(mask, [asked, ...documents])
      return reranker.rank(team, question, texts, call)
    },
  }
}

/** Tells whether the answer is to be JSON, in whose strings values are escaped. */
function wantsJson({ parameters }: ModelRequest): boolean {
  return !asksForText(parameters)
}

function restoredAnswer(answer: ModelAnswer, restore: Restore, isJson: boolean): ModelAnswer {
  const { content, refusal, thoughts, tool_calls, citations } = answer
  return {
    ...answer,
    content: restoredContent(content, isJson ? restore.json : restore.text),
    refusal: refusal && restore.text(refusal),
    ...(thoughts === undefined ? {} : { thoughts: restore.text(thoughts) }),
    tool_calls: tool_calls.map((call) => ({
      ...call,
      function: { ...call.function, arguments: restore.json(call.function.arguments) },
    })),
    citations: restoredValue(citations, restore.text),
  }
}

function restoredContent(content: MessageContent, text: (text: string) => string): MessageContent {
  return typeof content === 'string' ? text(content) : restoredValue(content, text)
}

/** Restores each string in a value. */
function restoredValue<Value>(value: Value, text: (text: string) => string): Value {
  if (typeof value !== 'object' || value === null) return value
  return JSON.parse(JSON.stringify(value), (_, field: unknown) =>
    typeof field === 'string' ? text(field) : field,
  ) as Value
}

/** The texts of a piece that go on in the next. */
const FIELDS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const

/** Returns a function that restores the pieces of one answer, in order. */
function restoredPieces(restore: Restore, isJson: boolean): (piece: ModelPiece) => ModelPiece {
  const texts = new Map<(typeof FIELDS)[number], RestoredPieces>()
  const calls = new Map<number, RestoredPieces>()
  const readerOf = <Key>(readers: Map<Key, RestoredPieces>, key: Key, isJson: boolean) => {
    const reader = readers.get(key) ?? restore.inPieces(isJson)
    readers.set(key, reader)
    return reader
  }

  function restoredTexts({ delta, finish_reason }: ModelPiece): ModelPiece['delta'] {
    const restored = { ...delta }
    for (const field of FIELDS) {
      const said = delta[field]
      if (typeof said !== 'string' && !(finish_reason && texts.has(field))) continue
      const reader = readerOf(texts, field, isJson && field === 'content')
      const text = reader.feed(typeof said === 'string' ? said : '') + (finish_reason ? reader.end() : '')
      if (text !== '' || said === '') restored[field] = text
      else delete restored[field]
    }
    return restored
  }

  function restoredCalls({ delta, finish_reason }: ModelPiece): ToolCallDelta[] {
    const told = (delta.tool_calls ?? []).map((call): ToolCallDelta => {
      const { arguments: args, ...named } = call.function ?? {}
      if (args === undefined) return call
      return { ...call, function: { ...named, arguments: readerOf(calls, call.index, true).feed(args) } }
    })
    if (!finish_reason) return told
    const held = [...calls].map(([index, reader]) => ({ index, function: { arguments: reader.end() } }))
    return [...told, ...held.filter((call) => call.function.arguments !== '')]
  }

  return (piece) => {
    const { tool_calls: _, ...delta } = restoredTexts(piece)
    const tool_calls = restoredCalls(piece)
    return {
      ...piece,
      delta: { ...delta, ...(tool_calls.length > 0 ? { tool_calls } : {}) },
      ...(piece.citations ? { citations: restoredValue(piece.citations, restore.text) } : {}),
    }
  }
}

/** Tells whether a piece still says something when the beginning of a placeholder is held back. */
function saysSomething({ delta, finish_reason, usage, citations, retrieval }: ModelPiece): boolean {
  return Object.keys(delta).length > 0 || Boolean(finish_reason || usage || citations || retrieval)
}
