import type { KeyObject } from 'node:crypto'
import type { Server } from '../http/server.ts'

const KEY_PATH = '/.well-known/parley-erasure-key'

/** Serves the key with which receipts of erasures are verified, to anybody. */
export function serveErasureKey(server: Server, key: KeyObject): void {
  const pem = key.export({ format: 'pem', type: 'spki' })
  server.get(KEY_PATH, { schema: { hide: true } }, async (_request, reply) => {
    reply.type('application/x-pem-file')
    return pem
  })
}
