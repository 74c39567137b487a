// A model server that costs next to nothing, so that only the server before it is measured: answers are prepared bytes,
// written by hand to the socket. Usage: model-server.ts PORT packet|packets|GAP_MS
// `packet`: a stream's 50 pieces leave in one packet; `packets`: each in one of its own, a turn of the event loop
// after the one before; a number: that many milliseconds after it.
import { createServer, type Socket } from 'node:net'

const PIECES = 50
const [port, pace = 'packet'] = process.argv.slice(2)
const usage = { prompt_tokens: 12, completion_tokens: PIECES, total_tokens: 12 + PIECES }
const words = Array.from({ length: PIECES }, (_, n) => ` word${n}`)
const base = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'bench' }

const message = { role: 'assistant', content: words.join('') }
const json = JSON.stringify({ ...base, choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
const jsonAnswer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
)
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const chunks = [
  head + event({ role: 'assistant', content: '' }),
  ...words.map((content) => event({ content })),
]
const last = `${event({}, 'stop')}${httpChunk(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`)}`
const packets = [...chunks, `${last}${httpChunk('data: [DONE]\n\n')}0\r\n\r\n`].map((text) =>
  Buffer.from(text),
)
const packet = Buffer.concat(packets)

createServer({ noDelay: true }, (socket) => {
  let received = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => {
    received += data.toString('latin1')
    const begin = received.indexOf('\r\n\r\n') + 4
    if (begin < 4) return
    const length = Number(/content-length: *(\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < begin + length) return
    const stream = received.includes('"stream":true', begin)
    received = ''
    if (!stream) socket.write(jsonAnswer)
    else if (pace === 'packet') socket.write(packet)
    else writePaced(socket)
  })
}).listen(Number(port), '127.0.0.1')

function writePaced(socket: Socket): void {
  let sent = 0
  const send = () => {
    const next = packets[sent++]
    return next !== undefined && !socket.destroyed && (socket.write(next) || true)
  }
  if (pace === 'packets') {
    const next = () => send() && setImmediate(next)
    next()
  } else {
    const timer = setInterval(() => send() || clearInterval(timer), Number(pace))
    send()
  }
}

function event(delta: object, finish_reason: string | null = null): string {
  const chunk = { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }
  return httpChunk(`data: ${JSON.stringify(chunk)}\n\n`)
}

function httpChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}
