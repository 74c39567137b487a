import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { OutboundError } from './outbound-error.ts'
import { outboundMessages } from './outbound-messages.ts'

type Connector = ReturnType<typeof buildConnector>

/** The most interim responses before an answer. More of them, or longer heads, break the rules. */
const MOST = 32
const LONGEST_HEAD = 16 * 1024

/**
 * Wraps a connector so that its connections skip interim responses (1xx). A client must take any number of them at any
 * time and may ignore them (RFC 9110 section 15.2), but undici takes an unsolicited `100 Continue` for the end of the
 * exchange. 101 is left to undici, which refuses it: nothing here asks for an upgrade.
 */
export function skippingInterim(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result
      if (socket) skipInterim(socket)
      callback(...result)
    })
}

/** Connections whose next bytes begin a response, with the bytes read so far. */
const awaiting = new WeakMap<Socket, { skipped: number; held: Buffer }>()

// The only public sign that a request goes out on a kept connection. Its answer cannot have begun before.
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { socket: Socket }
  awaiting.set(socket, { skipped: 0, held: Buffer.alloc(0) })
})

/** Listens before undici does, and puts back the bytes that undici is to read. */
function skipInterim(socket: Socket): void {
  socket.on('readable', () => {
    const response = awaiting.get(socket)
    const arrived: Buffer | null = response ? socket.read() : null
    if (!response || !arrived) return
    response.held = response.held.length === 0 ? arrived : Buffer.concat([response.held, arrived])
    while (kindOf(response.held) === 'interim') {
      const end = response.held.indexOf('\r\n\r\n')
      if (end < 0) break
      response.held = response.held.subarray(end + 4)
      response.skipped++
    }
    const isFinal = kindOf(response.held) === 'final'
    if (response.skipped > MOST || (!isFinal && response.held.length > LONGEST_HEAD)) {
      socket.destroy(new OutboundError('protocol', outboundMessages.too_many_interim))
    } else if (isFinal) {
      awaiting.delete(socket)
      socket.unshift(response.held)
    }
  })
}

/** Tells whether bytes begin an interim response or the answer itself; `unknown` if there are too few. */
function kindOf(bytes: Buffer): 'interim' | 'final' | 'unknown' {
  const start = bytes.toString('latin1', 0, INTERIM.length)
  // A start that is too short is completed to an interim response, if it can be.
  if (!/^HTTP\/1\.[01] 1(?!01)\d\d$/.test(start + INTERIM.slice(start.length))) return 'final'
  return start.length < INTERIM.length ? 'unknown' : 'interim'
}

const INTERIM = 'HTTP/1.1 100'
