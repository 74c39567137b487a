// Takes files into a folder and gives them back, and does nothing else with them. Usage: bare-files.ts PORT FOLDER
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import fastify from 'fastify'

const [port, folder = ''] = process.argv.slice(2)
const server = fastify()
const file = join(folder, 'file')

server.register(multipart, { limits: { fileSize: 1024 ** 3 } })
server.post('/files', async (request) => {
  const part = await request.file()
  if (part) await pipeline(part.file, createWriteStream(file))
  return {}
})
server.get('/files', async (_request, reply) => reply.send(createReadStream(file)))

await server.listen({ port: Number(port), host: '127.0.0.1' })
