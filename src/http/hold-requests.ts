import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from './server.ts'

/** Holds back incoming requests until the returned function is called. */
export function holdRequests(server: Pick<Server, 'addHook'>): () => void {
  let held: (() => void)[] | null = []
  server.addHook('onRequest', (_request, _reply, done) => {
    if (held) held.push(AsyncLocalStorage.bind(done))
    else done()
  })
  return () => {
    for (const go of held ?? []) go()
    held = null
  }
}
