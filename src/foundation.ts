import type { Config } from './config.ts'
import { type Credentials, openCredentials, sealedHashKey } from './credentials/credentials.ts'
import type { Clock } from './lib/clock.ts'
import { keptMasterKeys, type MasterKeys, withPrevious } from './lib/secrets/master-key.ts'
import { createSecretBox, type SecretBox } from './lib/secrets/secret-box.ts'
import { typed } from './lib/typed-command.ts'
import { ConfigError } from './settings/setting.ts'
import { bindOlderSecrets } from './storage/bind-secrets.ts'
import { orFull } from './storage/data-dir.ts'
import { openDatabase } from './storage/database.ts'
import { setBy } from './storage/database-time.ts'
import { holdsData } from './storage/installation.ts'
import { type Insist, once } from './storage/keep-trying.ts'
import type { MigrateOptions } from './storage/migrate.ts'
import type { Database } from './storage/opened-database.ts'
import { databaseFile, mayHoldData } from './storage/sqlite/sqlite.ts'
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

interface OpenOptions extends MigrateOptions {
  /** Opens an empty database although the data directory has data that is not in it. */
  startEmpty?: boolean
}

/**
 * Opens the database, brings its schema up to date and reads the keys.
 * @param machine the clock of this machine
 * @param insist runs the calls to the database, and may repeat them until the database is available
 * @throws ConfigError for an empty PostgreSQL beside a data directory with data
 */
export async function openFoundation(
  config: Config,
  machine: Clock = Date.now,
  insist: Insist = once,
  { startEmpty = false, ...migrating }: OpenOptions = {},
): Promise<Foundation> {
  const database = await openDatabase(config)
  try {
    const { engine } = database
    const clock = setBy(database.time, machine)
    await insist(engine, () => database.migrate({ triggers, ...migrating }))
    const unused = startEmpty ? null : unusedData(config)
    if (unused && !(await insist(engine, () => holdsData(database.db)))) throw unused
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

/**
 * Returns the error for an empty PostgreSQL beside a data directory with data, null if there is none: whoever adds a
 * database setting may not expect to begin anew.
 */
function unusedData({ databaseUrl, dataDir }: Config): ConfigError | null {
  if (databaseUrl === null || !mayHoldData(dataDir)) return null
  const copying = typed(`copy --from sqlite:${dataDir} --to settings`)
  return new ConfigError(
    `PARLEY_DATABASE_URL names an empty database, while ${databaseFile(dataDir)} has data: copy it with ${copying}, or begin without it with ${typed('serve --start-empty')}`,
  )
}

/** Reads the master keys of a database: the settings', else those in the data directory. */
export async function masterKeysOf(
  config: Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir'>,
  { db }: Pick<Database, 'db'>,
): Promise<MasterKeys> {
  const keys: MasterKeys = config.masterKey
    ? [config.masterKey]
    : await keptMasterKeys(config.dataDir, (await sealedHashKey(db)) === null).catch((error: unknown) => {
        throw orFull(config.dataDir, error)
      })
  return withPrevious(keys, config.masterKeyPrevious)
}
