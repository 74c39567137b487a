import { connect, createServer, type Socket } from 'node:net'
import { closeWith, listenInPlaceOf } from './in-place-of.ts'

/** A TCP proxy to PostgreSQL on loopback that counts how often a transaction waits for the server. */
export interface TurnsProxy {
  /** The given address, through the proxy. */
  url: string
  /** The round trips of each transaction that has ended and in which this text was sent, in order of their ends. */
  roundTripsOf(text: string): number[]
  close(): Promise<void>
}

const BEGIN = Buffer.from('begin\0')
const COMMIT = Buffer.from('commit\0')

/** @param target address whose host and port are stood in for */
export async function startTurnsProxy(target: string): Promise<TurnsProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const transactions: { roundTrips: number; sent: Buffer }[] = []

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let sent: Buffer[] | null = null
    let roundTrips = 0
    let wasAnswered = true
    client.on('data', (data: Buffer) => {
      if (data.includes(BEGIN)) {
        sent = []
        roundTrips = 0
      }
      if (wasAnswered) roundTrips++
      wasAnswered = false
      sent?.push(data)
      if (sent && data.includes(COMMIT)) {
        transactions.push({ roundTrips, sent: Buffer.concat(sent) })
        sent = null
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      wasAnswered = true
      client.write(data)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })

  const url = await listenInPlaceOf(server, target)
  return {
    url,
    roundTripsOf: (text) =>
      transactions.filter(({ sent }) => sent.includes(text)).map(({ roundTrips }) => roundTrips),
    close: () => closeWith(server, sockets),
  }
}
