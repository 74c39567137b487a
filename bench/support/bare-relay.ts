// A relay that stores nothing: Fastify in front, an undici pool behind. Usage: bare-relay.ts PORT MODEL_URL
import fastify from 'fastify'
import { Pool } from 'undici'

const [port, target = ''] = process.argv.slice(2)
const pool = new Pool(new URL(target).origin, { connections: 256 })
const server = fastify()

server.post('/api/v1/chat/completions', async (request, reply) => {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  })
  reply.code(statusCode).type(String(headers['content-type']))
  return reply.send(body)
})

await server.listen({ port: Number(port), host: '127.0.0.1' })
