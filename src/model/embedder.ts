import type { TeamHttp } from '../lib/outbound/outbound.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { toObject, toObjects } from '../lib/untrusted-json.ts'
import type { ModelServer } from './ask-model-server.ts'
import { openJsonServer } from './json-server.ts'
import { ModelError } from './model.ts'
import { serverFailures } from './server-failures.ts'

export interface Embedded {
  /**
   * A vector for each text, all of length 1 and of one dimension; null: what the server gave for the text is no vector.
   */
  vectors: (Float32Array | null)[]
  dimension: number
  /** The number of tokens that the server says it read. */
  tokens: number
}

/** Turns texts into vectors. */
export interface Embedder {
  /** The name of its vectors: vectors of another name are never compared with them. */
  readonly name: string
  /** The address of its server. */
  readonly url: string
  /** @throws ModelError, AbortError */
  embed(texts: readonly string[], call: { timeoutMs: number; signal?: AbortSignal }): Promise<Embedded>
}

/** A server of vectors. All of them speak OpenAI's protocol. */
type EmbeddingServer = Omit<ModelServer, 'kind'>

/** The name of such a server in errors. */
export const EMBEDDING_SERVER = 'embedding server'

/** A batch of 32 vectors of 4,096 numbers has some 3 MB. */
const ANSWER_LIMIT = 8 * 1024 * 1024
const MOST_DIMENSIONS = 8192
/** An answer holds many numbers and little else. */
const BOUNDS = { bytes: ANSWER_LIMIT, values: 34 * MOST_DIMENSIONS, parts: 2000 }

/**
 * A server that speaks OpenAI's `/embeddings`.
 * @throws ModelError `blocked` when the address is not a URL
 */
export function openEmbedder({ url, apiKey, name, trusted }: EmbeddingServer, http: TeamHttp): Embedder {
  const server = openJsonServer({ kind: EMBEDDING_SERVER, url, path: 'embeddings', apiKey, trusted })
  return {
    name,
    url,
    async embed(texts, call) {
      const body = { model: name, input: texts }
      const answer = await server.post(body, { ...call, http, texts, maxResponseBytes: ANSWER_LIMIT })
      return readVectors(answer, texts.length)
    },
  }
}

/** @throws ModelError `protocol` */
function readVectors(body: string, asked: number): Embedded {
  const answer = toObject(readPeerJsonOrNull(body, BOUNDS))
  const items = toObjects(answer?.data)
  const vectors: (Float32Array | null)[] = new Array(asked).fill(null)
  let dimension = 0
  for (const [at, { index = at, embedding }] of items.entries()) {
    const numbers = Array.isArray(embedding) ? embedding : []
    const place = Number(index)
    const isOther = dimension !== 0 && numbers.length !== dimension
    if (!(place in vectors) || numbers.length === 0 || numbers.length > MOST_DIMENSIONS || isOther)
      throw new ModelError('protocol', serverFailures.say('no_vectors', { server: EMBEDDING_SERVER }))
    dimension = numbers.length
    vectors[place] = unitVector(numbers)
  }
  if (items.length !== asked)
    throw new ModelError(
      'protocol',
      serverFailures.say('other_count', { server: EMBEDDING_SERVER, given: items.length, asked }),
    )
  const tokens = Number(toObject(answer?.usage)?.total_tokens ?? 0)
  return { vectors, dimension, tokens: Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0 }
}

/**
 * Returns the same direction with length 1, so that a product tells how alike two vectors are; null when there is none.
 */
function unitVector(numbers: readonly unknown[]): Float32Array | null {
  let squares = 0
  for (const value of numbers) squares += typeof value === 'number' ? value * value : Number.NaN
  const length = Math.sqrt(squares)
  if (!(length > 0 && Number.isFinite(length))) return null
  return Float32Array.from(numbers as number[], (value) => value / length)
}
