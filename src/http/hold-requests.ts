import type { Server } from './server.ts'

/** Keeps the requests that come from being looked at until it is let go of. */
export function holdRequests(server: Pick<Server, 'addHook'>): () => void {
  let held: (() => void)[] | null = []
  server.addHook('onRequest', (_request, _reply, done) => {
    if (held) held.push(done)
    else done()
  })
  return () => {
    for (const go of held ?? []) go()
    held = null
  }
}
