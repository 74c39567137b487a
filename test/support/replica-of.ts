import { type App, createApp, createLogger } from '../../src/app/create-app.ts'
import { openFoundation } from '../../src/foundation.ts'

/** Another process of the service would be like this one: it shares nothing but the database. */
export async function replicaOf({ foundation: { config } }: App) {
  const foundation = await openFoundation({ ...config, port: 0 })
  const app = await createApp(foundation, createLogger(config))
  const url = await app.listen()
  return { baseUrl: `${url}/api/v1`, [Symbol.asyncDispose]: () => app.close() }
}
