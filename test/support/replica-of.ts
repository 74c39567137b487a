import { type App, createApp, createLogger } from '../../src/app/create-app.ts'
import { openFoundation } from '../../src/foundation.ts'

/** Starts a replica in this process. Like another process, it shares nothing but the database. */
export async function replicaOf({ foundation: { config } }: App) {
  const foundation = await openFoundation({ ...config, port: 0 })
  const app = await createApp(foundation, createLogger(config))
  const url = await app.listen()
  return { baseUrl: `${url}/api/v1`, [Symbol.asyncDispose]: () => app.close() }
}
