// The peers of a turn with tools, in one process that costs little: a model server that calls tools, an HTTP endpoint,
// and an MCP server of the protocol of 2025. Usage: tool-peers.ts PORT
// The user's text decides the model's behaviour: `none` answers at once, `beside` makes three calls in one round,
// `after` makes one call in each of three rounds.
import { createServer } from 'node:http'

const CALLS = 3
const usage = { prompt_tokens: 12, completion_tokens: 12, total_tokens: 24 }
const base = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'bench', usage }

interface Body {
  id?: number
  method?: string
  params?: { arguments?: { number?: string } }
  messages?: { role: string; content: string | null }[]
  tools?: { function: { name: string } }[]
}

createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const answer = answerTo(request.url ?? '', text)
  const body = answer === null ? '' : JSON.stringify(answer)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(answer === null ? 202 : 200, headers).end(body)
}).listen(Number(process.argv[2]), '127.0.0.1')

/** Returns the body of an answer; null for none. */
function answerTo(path: string, text: string): object | null {
  if (path.startsWith('/orders/')) return { number: path.slice('/orders/'.length), state: 'sent' }
  const body = JSON.parse(text || '{}') as Body
  if (path !== '/mcp') return completion(body)
  if (body.id === undefined) return null
  return { jsonrpc: '2.0', id: body.id, ...mcpAnswer(body) }
}

function completion({ messages = [], tools = [] }: Body): object {
  const wish = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const made = messages.filter(({ role }) => role === 'tool').length
  const name = tools[0]?.function.name
  const wanted = callsWanted(wish, made)
  if (wanted > 0 && name === undefined) throw new Error('no tools were offered')
  if (wanted === 0) {
    const message = { role: 'assistant', content: 'All three were sent.' }
    return { ...base, choices: [{ index: 0, message, finish_reason: 'stop' }] }
  }
  const tool_calls = Array.from({ length: wanted }, (_, at) => ({
    id: `call_${made + at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify({ number: String(made + at) }) },
  }))
  const message = { role: 'assistant', content: null, tool_calls }
  return { ...base, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
}

function callsWanted(wish: string, made: number): number {
  if (wish === 'beside') return made === 0 ? CALLS : 0
  return wish === 'after' && made < CALLS ? 1 : 0
}

function mcpAnswer({ method, params }: Body): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'bench', version: '1' }
    return { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } }
  }
  if (method === 'tools/list') return { result: { tools: [findOrder] } }
  if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } }
  const order = JSON.stringify({ number: params?.arguments?.number, state: 'sent' })
  return { result: { content: [{ type: 'text', text: order }] } }
}

const findOrder = {
  name: 'find-order',
  description: 'Finds an order by its number.',
  inputSchema: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
}
