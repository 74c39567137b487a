// A route that checks a signature over the raw body and keeps nothing. Usage: bare-webhook.ts PORT SECRET
import { createHmac, timingSafeEqual } from 'node:crypto'
import fastify from 'fastify'

const [port, secret = ''] = process.argv.slice(2)
const server = fastify()

server.removeAllContentTypeParsers()
server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
server.post('/hook', async (request, reply) => {
  const given = Buffer.from(String(request.headers['x-line-signature']), 'base64')
  const made = createHmac('sha256', secret)
    .update(request.body as Buffer)
    .digest()
  if (given.length !== made.length || !timingSafeEqual(given, made)) return reply.code(403).send({})
  return {}
})

await server.listen({ port: Number(port), host: '127.0.0.1' })
