import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAwaited } from './awaited.ts'
import { keepsConnections } from './keeps-connections.ts'

/**
 * An embedding server on loopback that speaks OpenAI's `/embeddings`. It is not a learned model: words of one meaning
 * in the lexicon below, in any of its languages, get one direction, every other word gets a direction of its own, and a
 * text is the sum of its words. So texts of the same meaning are alike, also across languages, within the lexicon.
 */
export interface EmbeddingServer extends AsyncDisposable {
  /** The address, which ends in /v1. */
  readonly url: string
  readonly requests: { headers: IncomingHttpHeaders; model: string; input: string[] }[]
  /** The number of dimensions of a vector, by the name of the model; `usual` if it names none. */
  dimensions: Record<string, number>
  /** The answer to every request while it is set. */
  failure: { status: number; body?: string } | 'hang' | null
  /** Returns true for texts that are refused, with all that are sent with them. */
  refuses: (text: string) => boolean
  /** Holds every answer back until it is resolved. */
  gate: Promise<void>
  /** Resolves when this many requests have come. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

/** The number of dimensions of a vector by default. */
const USUAL = 64

const MEANINGS = [
  'return returns returned back refund zurück zurückgeben rückgabe rücksendung retourner devolver 返品',
  'kettle wasserkocher bouilloire hervidor やかん',
  'ship shipping deliver delivery lieferung liefern versand livraison envío 配送',
  'cost costs price prices much kostet preis preise prix precio いくら',
  'park parking garage car parken parkplatz auto stationner aparcar 駐車',
  'open opening hours öffnungszeiten geöffnet offen horaires horario 営業時間',
  'dog dogs pet pets hund hunde chien perro 犬',
]

const lexicon = new Map(MEANINGS.flatMap((words, meaning) => words.split(' ').map((word) => [word, meaning])))

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingServer['requests'] = []
  const awaited = createAwaited()
  const http = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const { model, input } = JSON.parse(await text(request))
    requests.push({ headers: request.headers, model, input })
    awaited.tell()
    await server.gate
    if (server.failure === 'hang') return
    if (server.failure) return answer(server.failure.status, server.failure.body ?? '{}')
    if (input.some(server.refuses)) return answer(413, { error: { message: 'too long' } })
    const dimension = server.dimensions[model] ?? USUAL
    const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(text, dimension) }))
    answer(200, { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: input.length } })
  })
  keepsConnections(http)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: EmbeddingServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests,
    dimensions: {},
    failure: null,
    refuses: () => false,
    gate: Promise.resolve(),
    async arrived(count) {
      await awaited.until(() => requests.length >= count, `request ${count} of embeddings`)
    },
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  return server
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

function vectorOf(text: string, dimension: number): number[] {
  const vector: number[] = new Array(dimension).fill(0)
  for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase())) {
    // Short words carry little meaning in any language.
    if (!isWordLike || (segment.length < 4 && !lexicon.has(segment))) continue
    const meaning = lexicon.get(segment)
    const at = meaning ?? MEANINGS.length + (hashOf(segment) % (dimension - MEANINGS.length))
    vector[at] = (vector[at] ?? 0) + (meaning === undefined ? 0.4 : 1)
  }
  // A text without words has a direction, too.
  if (!vector.some((value) => value > 0)) vector[dimension - 1] = 1
  return vector
}

function hashOf(word: string): number {
  let hash = 7
  for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}
