import { type ServerSaid, saysContextExceeded } from './server-said.ts'

/**
 * The port to whatever produces answers. Shapes are those of OpenAI's chat completions, because that is what
 * comes in and what most model servers speak; fields Parley does not read pass through untouched.
 */
export interface Model {
  /**
   * Answers in one piece.
   * @throws ModelError when the model fails, is too slow or answers nonsense; AbortError when `signal` fires.
   */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
  /**
   * Answers in pieces, in batches as they arrive. The last piece carries `finish_reason`, and `usage` when the server tells it.
   * @throws ModelError, also in the middle, when the stream breaks or ends without a finish_reason.
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
  [field: string]: unknown
}

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface ModelRequest {
  model: string
  messages: ModelMessage[]
  /** Standard request fields that go through as they are: temperature, tools, response_format, … */
  parameters: Record<string, unknown>
}

export interface ModelAnswer {
  content: MessageContent
  tool_calls: ToolCall[]
  refusal: string | null
  finish_reason: string
  usage: Usage | null
  citations: Citation[]
  /** The name of the model that answered, as its server tells it. */
  model: string
  retrieval?: Retrieval
}

/** One piece of a streamed answer: `delta` has OpenAI's shape and goes to the client as it is. */
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

/** What came of the search of a model that looks for passages itself. */
export interface Retrieval {
  /** How well the best passage fits, 0 to 1. */
  score: number
  /** False when it said that it does not know. */
  answered: boolean
}

/** A place an answer was taken from. */
export interface Citation {
  title: string
  url: string | null
  snippet: string
}

/** Why a model gave no usable answer. The message never holds prompt text or credentials. */
export class ModelError extends Error {
  readonly reason: 'unreachable' | 'timeout' | 'status' | 'protocol' | 'interrupted' | 'blocked'
  /** HTTP status of the model server, when it answered with an error. */
  readonly status: number | null
  /** The server's own words, for logs. */
  said: ServerSaid | null

  constructor(
    reason: ModelError['reason'],
    message: string,
    { status = null, said = null }: { status?: number | null; said?: ServerSaid | null } = {},
  ) {
    super(message)
    this.name = 'ModelError'
    this.reason = reason
    this.status = status
    this.said = said
  }

  /** Whether the request held more than the model can read. */
  get isContextExceeded(): boolean {
    return this.said !== null && saysContextExceeded(this.said)
  }
}

/** What a log may say of a failed model call. */
export function describeModelError({ reason, status, said }: ModelError): Record<string, unknown> {
  return {
    reason,
    ...(status === null ? {} : { status }),
    ...(said?.code ? { code: said.code } : {}),
    ...(said?.message ? { said: said.message } : {}),
  }
}
