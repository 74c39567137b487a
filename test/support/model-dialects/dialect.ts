import type { IncomingHttpHeaders } from 'node:http'
import type { ModelKind } from '../../../src/lib/model-kinds.ts'
import type { Answer, Piece, RequestBody } from '../model-server.ts'
import { anthropicDialect } from './anthropic.ts'
import { azureDialect } from './azure.ts'
import { geminiDialect } from './gemini.ts'
import { openaiDialect } from './openai.ts'

export interface Asked {
  /** The path with its query. */
  path: string
  headers: IncomingHttpHeaders
  body: RequestBody
}

/** The words of a model server in one protocol, and what it understands, as the real API does. */
export interface Dialect {
  /** The end of the base address, behind the origin. */
  base: string
  /** The address that lists the models, and the list. */
  models: { path: string; list: object } | null
  /** Tells whether the address asks for an answer. */
  isAsked(path: string): boolean
  isStream(asked: Asked): boolean
  /** Returns why the real API would refuse the request; null: it takes it. */
  refusal(asked: Asked): Refusal | null
  /** The texts of what the user said last. */
  lastUserTexts(body: RequestBody): string[]
  error(status: number, message: string): object
  whole(asked: Asked, answer: Told): object
  /** Encodes a stream. */
  stream(asked: Asked, answer: Told): StreamEncoder
}

export interface Refusal {
  status: number
  message: string
}

/** An answer whose text is known. */
export type Told = Omit<Answer, 'text'> & { text: string | null }

export interface StreamEncoder {
  begin(): string
  piece(piece: Piece): string
  end(): string
  /** An error in the middle of the stream. */
  error(): string
}

/** By functions, because the modules of dialects import this one. */
export const dialectOf = (kind: ModelKind): Dialect =>
  ({
    openai: openaiDialect,
    anthropic: anthropicDialect,
    gemini: geminiDialect,
    azure: azureDialect,
  })[kind]

export const USAGE = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
export const SECRET_DETAIL = (status: number) => `secret detail ${status}`

/** Returns the names of fields that are not among the known ones. */
export function unknownFields(given: object, known: readonly string[]): string[] {
  return Object.keys(given).filter((name) => !known.includes(name))
}
