import { type ServerSaid, saysContextExceeded } from './context-exceeded.ts'

/**
 * The port to anything that produces answers. The shapes are those of OpenAI's chat completions, because requests
 * arrive in them and most model servers speak them. Fields that Parley does not read pass through unchanged.
 */
export interface Model {
  /**
   * Returns the whole answer at once.
   * @throws ModelError when the model fails, is too slow or answers nonsense; AbortError when `signal` fires
   */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
  /**
   * Returns the answer in pieces, in batches as they arrive. The last piece carries `finish_reason`, and `usage` if the
   * server sends it.
   * @throws ModelError, possibly after some pieces, when the stream breaks or ends without a finish_reason
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPiece[]>
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: MessageContent
  tool_calls?: ToolCall[]
  tool_call_id?: string
  name?: string
}

/** Text, OpenAI content parts, or null beside tool calls. */
export type MessageContent = string | ContentPart[] | null

export interface ContentPart {
  type: string
  text?: string
  /** The file that this part stands for. */
  [FILE]?: PartFile
  [field: string]: unknown
}

/** The key of a part's file. It is never read from JSON, so no request can name the file of somebody else. */
export const FILE = Symbol('file')

/** A stored file of a message. */
export interface PartFile {
  id: string
  kind: string
  name: string | null
  /** The media type that was found in its bytes. */
  type: string
  bytes: number
}

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface ModelRequest {
  model: string
  messages: ModelMessage[]
  /** Standard request fields that are passed on unchanged: temperature, tools, response_format, … */
  parameters: Record<string, unknown>
}

export interface ModelAnswer {
  content: MessageContent
  tool_calls: ToolCall[]
  refusal: string | null
  /** The thoughts before the answer, for people who look into it. They are never stored. */
  thoughts?: string
  finish_reason: string
  usage: Usage | null
  citations: Citation[]
  /** The name of the model that answered, according to its server. */
  model: string
  retrieval?: Retrieval
}

/** One piece of a streamed answer. `delta` has OpenAI's shape and is passed on to the client unchanged. */
export interface ModelPiece {
  delta: ModelDelta
  finish_reason: string | null
  usage: Usage | null
  citations?: Citation[]
  model?: string
  retrieval?: Retrieval
}

export interface ModelDelta {
  role?: string
  content?: string | null
  refusal?: string | null
  tool_calls?: ToolCallDelta[]
  [field: string]: unknown
}

/** Tells whether a piece holds a part of the answer, and not only its role or thoughts. */
export function saysSomething({ content, refusal, tool_calls = [] }: ModelDelta): boolean {
  return Boolean(content || refusal || tool_calls.length > 0)
}

/** Returns the thoughts in a piece, in the field that most servers use or the other one. */
export function thoughtsOf({ reasoning_content, reasoning }: ModelDelta): string {
  if (typeof reasoning_content === 'string') return reasoning_content
  return typeof reasoning === 'string' ? reasoning : ''
}

export interface ToolCallDelta {
  index: number
  id?: string
  type?: 'function'
  function?: { name?: string; arguments?: string }
}

export interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  [field: string]: unknown
}

/** The result of the search, for a model that searches for passages itself. */
export interface Retrieval {
  /** The score of the best passage for the question, 0 to 1. */
  score: number
  /** False when the model said that it does not know. */
  answered: boolean
}

/** A source of an answer. */
export interface Citation {
  title: string
  url: string | null
  snippet: string
}

export const modelFailures = [
  'unreachable',
  'timeout',
  'status',
  'protocol',
  'interrupted',
  'blocked',
  'masking',
] as const

type ModelFailure = (typeof modelFailures)[number]

/** The failure of a model to give a usable answer. The message never contains prompt text or credentials. */
export class ModelError extends Error {
  readonly reason: ModelFailure
  /** The model server's HTTP status, when it answered with an error. */
  readonly status: number | null
  /** The server's own words, for logs only. */
  said: ServerSaid | null
  /** The wait that the server asks for before the next request; null: it names none. */
  readonly retryAfterMs: number | null

  constructor(
    reason: ModelError['reason'],
    message: string,
    {
      status = null,
      said = null,
      retryAfterMs = null,
    }: { status?: number | null; said?: ServerSaid | null; retryAfterMs?: number | null } = {},
  ) {
    super(message)
    this.name = 'ModelError'
    this.reason = reason
    this.status = status
    this.said = said
    this.retryAfterMs = retryAfterMs
  }

  /** True if the request was longer than the model's context. */
  get isContextExceeded(): boolean {
    return this.said !== null && saysContextExceeded(this.said)
  }
}

/** Returns what a log may contain about a failed model call. */
export function describeModelError({ reason, status, said }: ModelError): Record<string, unknown> {
  return {
    reason,
    ...(status === null ? {} : { status }),
    ...(said?.code ? { code: said.code } : {}),
    ...(said?.message ? { said: said.message } : {}),
  }
}

/**
 * Tells whether a server refused the parameters of a request. Servers without structured output, models without a
 * temperature, and servers of another form of requests answer 400 or 422.
 */
export function refusesParameters(error: unknown): boolean {
  return error instanceof ModelError && (error.status === 400 || error.status === 422)
}
