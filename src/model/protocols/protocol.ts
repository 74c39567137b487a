import type { JsonObject } from '../../lib/untrusted-json.ts'
import type { ServerSaid } from '../context-exceeded.ts'
import type { ModelRequest } from '../model.ts'

/** The address of a server, and the key that it takes. */
export interface ServerAddress {
  url: URL
  apiKey: string | null
}

/**
 * A protocol of model servers: the translation to and from OpenAI's chat completions, in which everything else is
 * written. It calls nobody; calls, their limits and their failures are `servedModel`'s.
 */
export interface Protocol {
  /** The headers of each call; the key is one of them. */
  readonly headers: Readonly<Record<string, string>>
  /** The list of the models that requests may name; null: servers have no such list. */
  readonly list: ModelList | null
  /** Translates one request. */
  ask(request: ModelRequest, isStream: boolean): Exchange
}

/** The list of a server's models. */
interface ModelList {
  url: URL
  /** Returns the names in the list; null: it is none of this protocol. */
  names(answer: JsonObject): string[] | null
}

/** One request in the form of the protocol, and the functions that read its answer. */
export interface Exchange {
  url: URL
  body: object
  /** Returns a whole answer as a chat completion. Anything else becomes a completion without choices. */
  answer(given: JsonObject): JsonObject
  /** Returns an event of a stream as chunks of a chat completion. */
  chunks(event: JsonObject): JsonObject[]
  /** Returns the chunks that only the end of the stream completes. */
  rest?(): JsonObject[]
  /** Returns the chat completion that an error stands for; null: it is an error. */
  answerOf?(status: number, said: ServerSaid): JsonObject | null
}
