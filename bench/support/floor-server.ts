// The least cost of a stored prompt: the bare relay with the rows of a prompt and its flushes, and nothing else.
// Usage: floor-server.ts PORT MODEL_URL DATABASE all|least one|two (threads)
import fastify from 'fastify'
import { Pool } from 'undici'
import { openFloorStore, type Rows, threadedFloorStore } from './floor-store.ts'

const [port, target = '', file = '', rows, threads] = process.argv.slice(2)
const pool = new Pool(new URL(target).origin, { connections: 256 })
const server = fastify()
const store = (threads === 'two' ? threadedFloorStore : openFloorStore)(file, rows as Rows)

server.post('/api/v1/chat/completions', async (request, reply) => {
  const body = request.body as { messages: { content: string }[] }
  const started = await store.start(body.messages.at(-1)?.content ?? '')
  const answer = await pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const completion = JSON.parse(await answer.body.text())
  await store.end(started, completion.choices[0].message.content, JSON.stringify(completion.usage))
  reply.type('application/json')
  return JSON.stringify({ ...completion, id: started.completionId, conversation_id: started.conversationId })
})

await server.listen({ port: Number(port), host: '127.0.0.1' })
