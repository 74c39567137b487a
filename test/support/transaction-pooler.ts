import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { closeWith, listenInPlaceOf } from './in-place-of.ts'

/** A pooler on loopback that gives each transaction any free session of the server, as PgBouncer can. */
interface TransactionPooler {
  url: string
  close(): Promise<void>
}

const READY = 0x5a
const IDLE = 0x49
const QUERY = 0x51
const SYNC = 0x53

/**
 * Starts a pooler.
 * @param target a PostgreSQL, to which it keeps one session: of several, a client could get the same each time by chance
 */
export async function startTransactionPooler(target: string): Promise<TransactionPooler> {
  const only = await openSession(target)
  const free = [only]
  const waiting: (() => void)[] = []
  const clients = new Set<Socket>()

  const server = createServer((client) => {
    let session: Session | null = null
    let isGreeted = false
    /** The requests on their way: a client may send one before the answer to another. */
    let asked = 0
    let sent = Promise.resolve()
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.on('data', (data: Buffer) => {
      if (!isGreeted) {
        isGreeted = true
        client.write(greeting())
        return
      }
      sent = sent.then(async () => {
        while (!session && free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
        session ??= free.pop() ?? null
        if (!session) return
        asked += requestsIn(data)
        session.answer = (answer, ready, isIdle) => {
          client.write(answer)
          asked -= ready
          if (asked > 0 || !isIdle || !session) return
          free.push(session)
          session = null
          waiting.shift()?.()
        }
        session.socket.write(data)
      })
    })
  })
  const url = await listenInPlaceOf(server, target)
  return {
    url,
    close: () => closeWith(server, [...clients, only.socket]),
  }
}

interface Session {
  socket: Socket
  answer: (data: Buffer, ready: number, isIdle: boolean) => void
}

/** Opens a session that has logged in; from then on its bytes are passed as they come. */
async function openSession(target: string): Promise<Session> {
  const client = new pg.Client({ connectionString: target })
  client.on('error', () => {})
  await client.connect()
  const socket = client.connection.stream as Socket
  socket.removeAllListeners('data')
  const session: Session = { socket, answer: () => {} }
  let unread = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data])
    let isIdle = false
    let ready = 0
    let end = 0
    while (end + 5 <= unread.length && end + 1 + unread.readUInt32BE(end + 1) <= unread.length) {
      isIdle = unread[end] === READY && unread[end + 5] === IDLE
      if (unread[end] === READY) ready++
      end += 1 + unread.readUInt32BE(end + 1)
    }
    const whole = unread.subarray(0, end)
    unread = unread.subarray(end)
    if (end > 0) session.answer(whole, ready, isIdle)
  })
  return session
}

/** Counts the messages that the server answers with ReadyForQuery. */
function requestsIn(data: Buffer): number {
  let count = 0
  for (let at = 0; at + 5 <= data.length; at += 1 + data.readUInt32BE(at + 1))
    if (data[at] === QUERY || data[at] === SYNC) count++
  return count
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Returns a login without a password: AuthenticationOk, BackendKeyData, ReadyForQuery. */
function greeting(): Buffer {
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
  ])
}
