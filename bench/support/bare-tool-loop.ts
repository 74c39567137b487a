// The least cost of a turn with tools: asks the model, calls the tools it wants over HTTP, and asks again, with undici
// and without storing or checking anything. Usage: bare-tool-loop.ts PORT PEERS_URL
import { createServer } from 'node:http'
import { Pool } from 'undici'

const [port, peers = ''] = process.argv.slice(2)
const pool = new Pool(peers, { connections: 64 })
const find = {
  type: 'function',
  function: {
    name: 'find_order',
    description: 'Finds an order by its number.',
    parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  },
}

interface Call {
  id: string
  function: { arguments: string }
}

async function answer(messages: object[]): Promise<string> {
  for (;;) {
    const { body } = await pool.request({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bench', messages, tools: [find] }),
    })
    const text = await body.text()
    const { message } = JSON.parse(text).choices[0] as { message: { tool_calls?: Call[] } }
    if (!message.tool_calls) return text
    const results = await Promise.all(
      message.tool_calls.map(async ({ id, function: { arguments: args } }) => {
        const { number } = JSON.parse(args) as { number: string }
        const { body } = await pool.request({ method: 'GET', path: `/orders/${number}` })
        return { role: 'tool', tool_call_id: id, content: await body.text() }
      }),
    )
    messages = [...messages, message, ...results]
  }
}

createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  if (text === '') return void response.end()
  response.setHeader('content-type', 'application/json')
  response.end(await answer(JSON.parse(text).messages))
}).listen(Number(port), '127.0.0.1')
