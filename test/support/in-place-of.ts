import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

/** Makes a server listen on loopback in place of another; returns the other's address with its own host and port. */
export async function listenInPlaceOf(server: Server, target: string): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  // PostgreSQL's clients would go straight to its socket.
  url.searchParams.delete('host')
  return url.href
}

/** Ends a server and its connections. */
export async function closeWith(server: Server, sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
}
