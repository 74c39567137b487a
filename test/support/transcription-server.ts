import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createAwaited } from './awaited.ts'
import { keepsConnections } from './keeps-connections.ts'

/** A server on loopback that speaks OpenAI's `/audio/transcriptions`. */
export interface TranscriptionServer extends AsyncDisposable {
  /** The address, which ends in /v1. */
  readonly url: string
  readonly requests: { path: string; authorization: string | undefined; model: string; file: File }[]
  /** The answer to each request. */
  answer: { status?: number; body: string } | 'hang'
  /** Resolves when this many requests have come. */
  arrived(count: number): Promise<void>
}

export async function startTranscriptionServer(): Promise<TranscriptionServer> {
  const requests: TranscriptionServer['requests'] = []
  const awaited = createAwaited()
  const http = createServer(async (request, response) => {
    const body = Uint8Array.from(await buffer(request))
    const form = await new Response(body, {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    requests.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      model: String(form.get('model')),
      file: form.get('file') as File,
    })
    awaited.tell()
    if (server.answer === 'hang') return
    response.writeHead(server.answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(server.answer.body)
  })
  keepsConnections(http)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: TranscriptionServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests,
    answer: { body: '{}' },
    arrived: (count) => awaited.until(() => requests.length >= count, `request ${count} of transcriptions`),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server
}
