import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Peer, type PeerRequest, startPeer } from './peer.ts'

/** Makes the server listen on a free port of loopback, and print the port. */
const ON_LOOPBACK = `import http from 'node:http'
const { listen } = http.Server.prototype
http.Server.prototype.listen = function (_, told) {
  this.once('listening', () => console.error('AT ' + this.address().port))
  return listen.call(this, 0, '127.0.0.1', told)
}`

/** Starts the reference server of the protocol's authors, in a process of its own. */
export async function startEverything() {
  const process_ = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(ON_LOOPBACK)}`,
      'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
      'streamableHttp',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let port = ''
  for await (const line of createInterface({ input: process_.stderr })) {
    port = /^AT (\d+)/.exec(line)?.[1] ?? ''
    if (port !== '') break
  }
  process_.stderr.resume()
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      const ended = once(process_, 'exit')
      process_.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts a server that speaks only the protocol of 2026-07-28, made with the SDK of the protocol's authors. */
export async function startNewServer(): Promise<Peer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'new', version: '1' })
      const inputSchema = z.object({ number: z.string() })
      server.registerTool(
        'find-order',
        { description: 'Finds an order.', inputSchema, annotations: { readOnlyHint: true } },
        ({ number }) => ({ content: [{ type: 'text', text: `${number} is on its way.` }] }),
      )
      server.registerTool('ask', { description: 'Asks back.', inputSchema: z.object({}) }, () =>
        inputRequired({ requestState: 'asked' }),
      )
      return server
    },
    { legacy: 'reject' },
  )
  const peer = await startPeer(async (response, { method, path, headers, body }) => {
    const given = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers: Object.fromEntries(given),
      ...(method === 'POST' ? { body } : {}),
    })
    const answer = await handler.fetch(request)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  })
  return { ...peer, url: `${peer.url}/mcp` }
}

export interface McpCall {
  method: string
  params: Record<string, unknown>
  response: ServerResponse
  request: PeerRequest
  /** Answers as one JSON document. */
  answer(result: object): void
  /** Answers as server-sent events, the last of which is the result. */
  stream(result: object, ...before: object[]): void
}

export interface McpPeer extends Peer {
  /** The calls so far, without the handshake. */
  readonly calls: { method: string; params: Record<string, unknown> }[]
  /** The number of sessions opened so far. */
  readonly sessions: number
  /** Forgets all sessions; requests with one are then answered with this status. */
  lose(status: number): void
}

/** Starts an MCP server of 2025 that does as told. Calls answer `done` unless told otherwise. */
export async function startMcpPeer(
  tools: object[] | ((cursor: unknown) => object | Promise<object>),
  onCall: (call: McpCall) => void = ({ answer }) => answer({ content: [{ type: 'text', text: 'done' }] }),
): Promise<McpPeer> {
  const calls: McpPeer['calls'] = []
  let sessions = 0
  let known = new Set<string>()
  let lostStatus = 404
  const peer = await startPeer((response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params = {} } = JSON.parse(request.body)
    const reply = (message: object) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...message }))
    const answer = (result: object) => void reply({ result })
    if (method === 'server/discover')
      return void reply({ error: { code: -32601, message: 'Method not found' } })
    if (method === 'initialize') {
      const session = `session-${++sessions}`
      known.add(session)
      response.setHeader('mcp-session-id', session)
      return answer({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'peer', version: '1' },
      })
    }
    if (!known.has(String(request.headers['mcp-session-id']))) {
      return void response.writeHead(lostStatus).end('{"error":"No valid session ID provided"}')
    }
    if (id === undefined) return void response.writeHead(202).end()
    calls.push({ method, params })
    if (method === 'tools/list')
      return void Promise.resolve(Array.isArray(tools) ? { tools } : tools(params.cursor)).then(answer)
    const stream = (result: object, ...before: object[]) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const message of before) response.write(`data: ${JSON.stringify(message)}\n\n`)
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    }
    onCall({ method, params, response, request, answer, stream })
  })
  return {
    ...peer,
    get connections() {
      return peer.connections
    },
    url: `${peer.url}/mcp`,
    calls,
    lose(status: number) {
      known = new Set()
      lostStatus = status
    },
    close: peer.close,
    [Symbol.asyncDispose]: peer.close,
    get sessions() {
      return sessions
    },
  }
}
