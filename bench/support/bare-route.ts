// A route that answers fixed bytes. Usage: bare-route.ts PORT FILE
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const [port, file = ''] = process.argv.slice(2)
const body = readFileSync(file, 'utf8')
const server = fastify()

server.get('/api/v1/conversations', async (_request, reply) => {
  reply.type('application/json; charset=utf-8')
  return body
})

await server.listen({ port: Number(port), host: '127.0.0.1' })
