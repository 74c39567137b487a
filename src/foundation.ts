import type { Config } from './config.ts'
import { type Credentials, openCredentials } from './credentials/credentials.ts'
import type { Clock } from './lib/clock.ts'
import { keptMasterKey } from './lib/master-key.ts'
import { createSecretBox, type SecretBox } from './lib/secret-box.ts'
import { openDatabase } from './storage/database.ts'
import type { Database } from './storage/engine.ts'

/** What every process needs that works on the data: the database with its schema up to date, and the credentials. */
export interface Foundation extends AsyncDisposable {
  config: Config
  clock: Clock
  database: Database
  box: SecretBox
  credentials: Credentials
  close(): Promise<void>
}

/** Opens the database, brings its schema up to date and reads the keys. */
export async function openFoundation(config: Config, clock: Clock = Date.now): Promise<Foundation> {
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir })
  try {
    await database.migrate()
    const box = createSecretBox(
      config.masterKey ?? (await keptMasterKey(config.dataDir)),
      config.masterKeyPrevious,
    )
    const credentials = await openCredentials(database.db, box, clock)
    const close = () => database.close()
    return { config, clock, database, box, credentials, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await database.close()
    throw error
  }
}
