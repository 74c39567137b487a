import { connect, createServer, type Socket } from 'node:net'
import { closeWith, listenInPlaceOf } from './in-place-of.ts'

/** A TCP proxy to PostgreSQL on loopback that counts the waits of each transaction for the server. */
export interface TurnsProxy {
  /** The given address, through the proxy. */
  url: string
  /** Returns the round trips of each ended transaction in which this text was sent, in the order of their ends. */
  roundTripsOf(text: string): number[]
  close(): Promise<void>
}

/** Alone, or with the agents that the transaction reaches. */
const BEGIN = /\bbegin(?:\0|; set )/
const COMMIT = Buffer.from('commit\0')

/** Starts a proxy. @param target the address whose host and port it replaces */
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
      if (BEGIN.test(data.toString('latin1'))) {
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
