import { type Kysely, sql } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import { openBackfills } from '../backfills.ts'
import { type DatabasePlace, openDatabase, requireDatabase } from '../database.ts'
import { setBy } from '../database-time.ts'
import { holdsData, installationValue } from '../installation.ts'
import { migrations } from '../migrations.ts'
import type { Database } from '../opened-database.ts'
import { beatsOfProcesses } from '../presence.ts'
import { lockFolder } from '../sqlite/serving-lock.ts'
import type { Tables } from '../tables.ts'
import { dropOfTrigger, type Trigger } from '../triggers.ts'
import { type CopyPlace, copyPlaceSchema } from './copy-place.ts'
import {
  beginCopy,
  type CopyProgress,
  copyTables,
  finishCopy,
  tablesToCopy,
  verifyTables,
} from './copy-tables.ts'
import { followSource } from './follow-source.ts'
import { openBulk } from './open-bulk.ts'
import { openCopyNotes } from './open-copy-notes.ts'
import { UNFINISHED } from './unfinished-copy.ts'
import { beatsOnceStill, beatsWhenStill } from './watch-beats.ts'

export interface CopyOptions {
  from: DatabasePlace
  to: DatabasePlace
  /** All tables and triggers of Parley. */
  tables: readonly (keyof Tables)[]
  triggers: readonly Trigger[]
  /**
   * Looks at the source before anything is written.
   * @returns a text that identifies the source
   * @throws Error when it cannot be copied
   */
  check(source: Database): Promise<string>
  /** Called once the target is known to be free, before it is written to. */
  begin(): Promise<void>
  /** Copies a source that is in use, and follows its changes until its services have ended, or until `stop`. */
  follow?: { stop: AbortSignal; caughtUp(): void }
  /** @param what the part of the work that has come so far */
  report(what: 'copied' | 'verified', progress: CopyProgress): void
}

/** The result of a copy. */
interface Copied {
  tables: number
  rows: number
  /** True if it went on with an unfinished copy. */
  isResumed: boolean
  /** True if a service goes on writing to the source, which the copy does not get any more. */
  isLeftBehind: boolean
}

/**
 * Copies a database to another one, on the same engine or the other, and compares all rows afterwards. A copy that was
 * interrupted goes on where it stopped.
 * @throws Error when the source is in use, or the target holds anything but an unfinished copy of the same source
 */
export async function copyDatabase(options: CopyOptions): Promise<Copied> {
  const { from, to } = options
  requireDatabase(from)
  await using open = new AsyncDisposableStack()
  if (!options.follow) open.use(lockFolder(from))
  const source = open.adopt(await openDatabase(from), (source) => source.close())
  await refuseUnlikeSchema(source.db)
  let beats = options.follow ? null : await beatsWhenStill(source)
  const sourceId = await options.check(source)
  open.use(lockFolder(to))
  const target = open.adopt(await openDatabase(to), (target) => target.close())
  const begun = await placeIn(target.db, sourceId)
  await options.begin()
  await target.migrate({ triggers: [], isCopy: true })
  const at = timestamp(setBy(target.time, Date.now)())
  const bulks = {
    source: open.adopt(await openBulk(from, true), (bulk) => bulk.close()),
    target: open.adopt(await openBulk(to, false), (bulk) => bulk.close()),
  }
  const follows = begun?.follows ?? options.follow !== undefined
  if (options.follow && !follows)
    throw new Error('the target holds an unfinished copy that was begun without --follow: remove it first')
  const tables = await tablesToCopy(bulks, options.tables)
  const notes = follows ? open.adopt(await openCopyNotes(from), (notes) => notes.close()) : null
  if (!begun) await notes?.begin(tables)
  else if (notes && !(await notes.areWhole()))
    throw new Error(
      'the source has not noted all that changed since the copy was begun: remove the copy, and copy again',
    )
  const dropped = options.triggers.map((trigger) => dropOfTrigger(target.engine.kind, trigger))
  const about = { source: sourceId, follows }
  let place = begun ?? (await beginCopy(bulks.target, options.tables, about, dropped))
  const work = { ...bulks, tables, report: (progress: CopyProgress) => options.report('copied', progress) }
  if (notes) {
    const { stop, caughtUp } = options.follow ?? { stop: new AbortController().signal, caughtUp: () => {} }
    const stillBeats = beatsOnceStill(source, from, open)
    const isOver = async () => (beats ??= await stillBeats()) !== null
    place = await followSource({ ...work, notes, stop, caughtUp, isOver }, place)
    await refuseUnlikeSchema(source.db)
  } else await copyTables(work, place)
  const rows = await verifyTables({ ...work, report: (progress) => options.report('verified', progress) })
  if (beats !== null && (await beatsOfProcesses(source.db)) !== beats)
    throw new Error(
      `a service ran on the source while it was copied: ${notes ? 'run the same again, and it goes on' : 'remove the copy, and copy again'}`,
    )
  await finishCopy(bulks, place, at)
  if (notes) {
    // Its snapshot keeps tables from being changed.
    await bulks.source.renew()
    await notes.end(tables)
  }
  await target.migrate({ triggers: options.triggers })
  await target.engine.noteSizes(tables.map(({ name }) => name as keyof Tables))
  return { tables: tables.length, rows, isResumed: begun !== null, isLeftBehind: beats === null }
}

/** @throws Error if the schema is not that of this version, or not all rows are brought up to it */
async function refuseUnlikeSchema(db: Kysely<Tables>): Promise<void> {
  const log = await appliedMigrations(db)
  if (log.some((name) => !migrations.some((migration) => migration.name === name.split('#')[0])))
    throw new Error('the source was written by a newer version of Parley: copy with that version')
  const isOlder = migrations.some(({ name }) => !log.includes(name))
  if (isOlder || (await openBackfills(db)).length > 0)
    throw new Error(
      'the source has not been brought up to this version: run parley migrate --finish on it first',
    )
  if ((await installationValue(db, UNFINISHED)) !== null)
    throw new Error('the source is an unfinished copy itself')
}

/** Returns the names of the migrations that a database has; none if it has no tables. */
async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_migrations')) return []
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Returns the place at which the copy of a source goes on; null if the database is new or holds nothing that belongs to
 * anybody.
 * @throws Error if it holds anything else
 */
async function placeIn(db: Kysely<Tables>, source: string): Promise<CopyPlace | null> {
  const log = await appliedMigrations(db)
  if (log.length === 0) return null
  const value = await installationValue(db, UNFINISHED)
  if (value === null) {
    if (await holdsData(db)) throw new Error('the target holds data: copy into an empty database')
    return null
  }
  const place = copyPlaceSchema.parse(JSON.parse(value))
  if (place.source !== source)
    throw new Error('the target holds an unfinished copy of another database: remove it first')
  if (
    log.toString() !==
    migrations
      .map(({ name }) => name)
      .toSorted()
      .toString()
  )
    throw new Error('the target holds an unfinished copy by another version of Parley: remove it first')
  return place
}
