import type { Config } from './config.ts'
import { type Credentials, openCredentials, sealedHashKey } from './credentials/credentials.ts'
import type { Clock } from './lib/clock.ts'
import { keptMasterKeys, type MasterKeys } from './lib/secrets/master-key.ts'
import { createSecretBox, type SecretBox } from './lib/secrets/secret-box.ts'
import { bindOlderSecrets } from './storage/bind-secrets.ts'
import { orFull } from './storage/data-dir.ts'
import { openDatabase } from './storage/database.ts'
import { setBy } from './storage/database-time.ts'
import { type Insist, once } from './storage/keep-trying.ts'
import type { MigrateOptions } from './storage/migrate.ts'
import type { Database } from './storage/opened-database.ts'
import { triggers } from './triggers.ts'

/**
 * The foundation of every process that works on the data: the database with its schema up to date, and the credentials.
 */
export interface Foundation extends AsyncDisposable {
  config: Config
  /** Returns the time of the database. */
  clock: Clock
  database: Database
  box: SecretBox
  credentials: Credentials
  close(): Promise<void>
}

/**
 * Opens the database, brings its schema up to date and reads the keys.
 * @param machine the clock of this machine
 * @param insist runs calls to the database
 */
export async function openFoundation(
  config: Config,
  machine: Clock = Date.now,
  insist: Insist = once,
  migrating: MigrateOptions = {},
): Promise<Foundation> {
  const database = await openDatabase(config)
  try {
    const { engine } = database
    const clock = setBy(database.time, machine)
    await insist(engine, () => database.migrate({ triggers, ...migrating }))
    const box = createSecretBox(...(await insist(engine, () => masterKeysOf(config, database))))
    await insist(engine, () => bindOlderSecrets(database.db, box))
    const credentials = await insist(engine, () => openCredentials(database.db, box, clock))
    const close = () => database.close()
    return { config, clock, database, box, credentials, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Reads the master keys of a database: the settings', else those in the data directory. */
export async function masterKeysOf(
  config: Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir'>,
  { db }: Pick<Database, 'db'>,
): Promise<MasterKeys> {
  const [first, ...rest]: MasterKeys = config.masterKey
    ? [config.masterKey]
    : await keptMasterKeys(config.dataDir, (await sealedHashKey(db)) === null).catch((error: unknown) => {
        throw orFull(config.dataDir, error)
      })
  return [first, ...rest, ...(config.masterKeyPrevious ? [config.masterKeyPrevious] : [])]
}
