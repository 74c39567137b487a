import type { Server } from 'node:http'

/**
 * Has a server leave it to its clients to close connections that are idle. Node's servers close them after five seconds,
 * and on a busy machine just when the next request is on its way, which is lost then.
 */
export function keepsConnections(server: Server): void {
  server.keepAliveTimeout = 0
}
