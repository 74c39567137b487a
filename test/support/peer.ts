import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepsConnections } from './keeps-connections.ts'

/** An HTTP server on loopback for outgoing calls, which records what reaches it. */
export interface Peer {
  /** The address without a final slash. */
  readonly url: string
  readonly port: number
  readonly requests: PeerRequest[]
  /** The number of connections opened so far. */
  readonly connections: number
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PeerRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

type Respond = (response: ServerResponse, request: PeerRequest, raw: IncomingMessage) => void

/** Starts a peer; it answers 200 `{}` unless told otherwise. */
export async function startPeer(respond: Respond = (response) => response.end('{}')): Promise<Peer> {
  const requests: PeerRequest[] = []
  let connections = 0
  const http = createServer(async (raw, response) => {
    let body = ''
    for await (const chunk of raw.setEncoding('utf8')) body += chunk
    const request = { method: raw.method ?? '', path: raw.url ?? '', headers: raw.headers, body }
    requests.push(request)
    respond(response, request, raw)
  })
  http.on('connection', () => connections++)
  keepsConnections(http)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  async function close(): Promise<void> {
    http.closeAllConnections()
    await new Promise((done) => http.close(done))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
