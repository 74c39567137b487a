import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { sealedHashKey } from '../credentials/credentials.ts'
import { masterKeysOf } from '../foundation.ts'
import { keepMasterKeys, MASTER_KEY_FILE, type MasterKeys } from '../lib/secrets/master-key.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import { copyDatabase } from '../storage/copy/copy-database.ts'
import type { DatabasePlace } from '../storage/database.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { unopenedSecrets } from '../storage/unopened-secrets.ts'
import { columns } from '../texts/text-columns.ts'
import { triggers } from '../triggers.ts'
import { type Command, UsageError } from './command.ts'
import { progressLines } from './progress-lines.ts'

export const copy: Command = {
  name: 'copy',
  usage: '--to postgres://…|sqlite:FOLDER|settings [--from postgres://…|sqlite:FOLDER|settings] [--follow]',
  summary:
    'Copy all data to another database, on the same engine or the other; --follow: while the service runs, until it ends',
  options: { to: { type: 'string' }, from: { type: 'string' }, follow: { type: 'boolean' } },
  async run({ config, options, print }) {
    const from = options.from === undefined ? config : placeIn('--from', options.from, config)
    const to = placeIn('--to', options.to, config)
    const follow = options.follow === true ? { stop: stopSignal(), caughtUp } : undefined
    if (nameOf(from) === nameOf(to)) throw new UsageError('--to names the database that would be copied')
    let keys: MasterKeys = ['']
    let unopened: string[] = []
    const { tables, rows, isResumed, isLeftBehind } = await copyDatabase({
      from,
      to,
      tables: Object.keys(columns) as (keyof Tables)[],
      triggers,
      ...(follow ? { follow } : {}),
      report: progressLines(),
      async check(source) {
        const hashKey = await sealedHashKey(source.db)
        if (hashKey === null) throw new Error('the source is empty: nothing has been started on it yet')
        keys = await masterKeysOf({ ...config, dataDir: from.dataDir }, source)
        unopened = await unopenedWith(keys, source, from)
        return createHash('sha256').update(hashKey).digest('hex')
      },
      async begin() {
        if (to.databaseUrl === null) await keepMasterKeys(to.dataDir, keys)
        else if (!config.masterKey && keys.length > 1)
          throw new Error('finish parley rotate-master-key first: a setting holds one key')
      },
    })
    const next = nextSteps(config, from, to)
    print({ tables, rows, resumed: isResumed, left_behind: isLeftBehind, unopened, next }, [
      `Copied ${rows} rows of ${tables} tables, and compared them all`,
      ...(isLeftBehind
        ? ['A service goes on writing to the source: the copy has nothing of what it writes from now on']
        : []),
      ...unopened.map((place) => `the master key does not open the secret at ${place}: set it again`),
      ...next,
    ])
    return 0
  },
}

/** Returns a signal that is aborted by the first SIGINT or SIGTERM; a second one ends the process. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
  return stopping.signal
}

function caughtUp(): void {
  process.stderr.write('the copy has all that the source has, and follows it: stop the service to finish\n')
}

/**
 * Returns the database that an option names. `settings` means that of the settings, so that its address, which holds a
 * password, does not appear in lists of processes.
 * @throws UsageError
 */
function placeIn(option: string, value: string | boolean | undefined, config: Config): DatabasePlace {
  const text = String(value ?? '')
  if (text === 'settings') return config
  const [, folder] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text) ?? []
  if (folder !== undefined) return { databaseUrl: null, dataDir: folder }
  if (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''))
    return { databaseUrl: text, dataDir: config.dataDir }
  throw new UsageError(`${option} must be given as postgres://…, sqlite:FOLDER or settings`)
}

function nameOf({ databaseUrl, dataDir }: DatabasePlace): string {
  return databaseUrl ?? resolve(dataDir)
}

/** Returns the places of the secrets that no key opens. @throws Error if the keys are not those of the database */
async function unopenedWith(
  keys: MasterKeys,
  { db }: Database,
  { databaseUrl, dataDir }: DatabasePlace,
): Promise<string[]> {
  const unopened = await unopenedSecrets(db, createSecretBox(...keys))
  if (unopened.includes('installation|credential_hash_key|value'))
    throw new Error(
      `the master key is not that of the source: set PARLEY_MASTER_KEY to ${
        databaseUrl === null ? `what ${join(dataDir, MASTER_KEY_FILE)} holds` : 'the key that it was run with'
      }`,
    )
  return unopened
}

/** Says how the service is started on the copy. The key itself is never printed. */
function nextSteps({ masterKey, databaseUrl }: Config, from: DatabasePlace, to: DatabasePlace): string[] {
  if (to.databaseUrl === null)
    return [
      `Remove PARLEY_DATABASE_URL and set PARLEY_DATA_DIR to ${to.dataDir}, which now has the master key as well`,
    ]
  return [
    to.databaseUrl === databaseUrl
      ? 'Keep PARLEY_DATABASE_URL as it is'
      : 'Set PARLEY_DATABASE_URL to the address of the copy',
    masterKey
      ? 'Keep PARLEY_MASTER_KEY as it is'
      : `Set PARLEY_MASTER_KEY to what ${join(from.dataDir, MASTER_KEY_FILE)} holds: nothing else opens the stored secrets`,
  ]
}
