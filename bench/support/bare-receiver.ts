// Receives webhooks and keeps nothing; GET returns how many have come. Usage: bare-receiver.ts PORT
import { createServer } from 'node:http'

let count = 0
createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(count))
  request.resume().on('end', () => {
    count++
    response.end('ok')
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
