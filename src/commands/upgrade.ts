import { statfs } from 'node:fs/promises'
import { OWN_VERSION } from '../lib/own-version.ts'
import { checkUpgrade, type PendingStep } from '../storage/check-upgrade.ts'
import { isUnfinishedCopy } from '../storage/copy/unfinished-copy.ts'
import { openDatabase, requireDatabase } from '../storage/database.ts'
import { isServed } from '../storage/sqlite/serving-lock.ts'
import { type Command, UsageError } from './command.ts'

/** A new index, and the log of the change, take at most this share of the database. */
const ROOM_NEEDED = 0.5

export const upgrade: Command = {
  name: 'upgrade',
  usage: '--check',
  summary: 'Say what an upgrade to this version would do to this database, and what is in its way',
  options: { check: { type: 'boolean' } },
  async run({ config, options, print }) {
    if (!options.check)
      throw new UsageError('usage: parley upgrade --check; the upgrade itself is parley migrate')
    requireDatabase(config)
    const database = await openDatabase(config)
    const { db, engine } = database
    try {
      const { hasSchema, steps, background, unknown, processes } = await checkUpgrade(db, engine, {
        isServed: config.databaseUrl !== null || isServed(config.dataDir),
      })
      const isUnfinished = hasSchema && (await isUnfinishedCopy(db))
      const { bytes } = await engine.load()
      const free = config.databaseUrl === null ? await freeBytes(config.dataDir) : null
      const needed = steps.some(({ kind }) => kind !== 'change') ? Math.ceil(bytes * ROOM_NEEDED) : 0
      const blocksSeconds = Math.round(10 * steps.reduce((sum, step) => sum + step.blocksSeconds, 0)) / 10
      const obstacles = [
        ...(unknown.length > 0
          ? [`a newer version of Parley wrote the database (${unknown.join(', ')})`]
          : []),
        ...(isUnfinished ? ['the database is an unfinished copy: run parley copy again'] : []),
        ...(free !== null && free < needed
          ? [`${inMb(free)} are free, and ${inMb(needed)} may be needed`]
          : []),
      ]
      print(
        {
          version: OWN_VERSION,
          steps,
          background,
          blocks_seconds: blocksSeconds,
          database_bytes: bytes,
          free_bytes: free,
          needed_bytes: needed,
          processes,
          obstacles,
        },
        [
          hasSchema
            ? `${engine.title}, ${inMb(bytes)}, to version ${OWN_VERSION}`
            : `${engine.title} is empty: the first start creates its tables`,
          ...(hasSchema && steps.length === 0
            ? ['No migration is pending']
            : new Set(steps.map((step) => inWords(step, engine.locksRows)))),
          ...background.map((name) => `${name}: afterwards, in the background of the running service`),
          ...(steps.length > 0 ? [`Nobody can write for about ${blocksSeconds} s in all`] : []),
          free === null
            ? `Free space: look at the disk of the server; ${inMb(needed)} may be needed`
            : `Free space: ${inMb(free)}; ${inMb(needed)} may be needed`,
          ...processes.map(
            ({ version, count }) => `Running: ${count} of ${version ?? 'a version before 0.2.0'}`,
          ),
          ...obstacles.map((obstacle) => `In the way: ${obstacle}`),
        ],
      )
      return obstacles.length > 0 ? 1 : 0
    } finally {
      await database.close()
    }
  },
}

function inWords(
  { migration, kind, name, rows = 0, blocksSeconds }: PendingStep,
  othersWrite: boolean,
): string {
  if (kind === 'change') return `${migration}: changes of tables, milliseconds each`
  if (kind === 'rows') return `${migration}: ${name}, rows changed a few at a time before the service starts`
  const blocks = blocksSeconds > 0 ? `nobody can write for about ${blocksSeconds} s` : 'milliseconds'
  const how = othersWrite ? 'others go on writing' : blocks
  return `${migration}: index ${name} of ${rows} rows, ${how}`
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function inMb(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`
}
