import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { onRequestHookHandler } from 'fastify'

/** The time in which a body has to arrive; of an upload, the time in which some of it has to. */
const ARRIVES_MS = 60_000

const uploads = new WeakSet<IncomingMessage>()

/** Lets a request take longer, because it uploads files. Call it before the body is read. */
export function allowUpload(request: IncomingMessage): void {
  uploads.add(request)
}

/** Returns a hook that watches each body arrive. @param cut ends the connection of one that takes too long */
export function endSlowSenders(
  cut: (socket: Socket) => void,
  arrivesMs: number = ARRIVES_MS,
): onRequestHookHandler {
  return ({ raw }, _reply, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
    if (length !== undefined || coding !== undefined) watch(raw, cut, arrivesMs)
    done()
  }
}

function watch(request: IncomingMessage, cut: (socket: Socket) => void, arrivesMs: number): void {
  const { socket } = request
  let read = socket.bytesRead
  const watching = setInterval(() => {
    // A body that nobody reads, such as an empty one, has arrived long before the request is over.
    const goesOn = request.complete || (uploads.has(request) && socket.bytesRead > read)
    read = socket.bytesRead
    if (goesOn) return
    clearInterval(watching)
    cut(socket)
  }, arrivesMs).unref()
  request.once('close', () => clearInterval(watching))
}
