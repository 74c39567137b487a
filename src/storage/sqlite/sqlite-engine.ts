import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { turnsOfTeams } from '../turns-of-teams.ts'
import type { GroupCommit } from './group-commit.ts'
import { autoIncrement } from './sqlite-auto-increment.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { copyDatabase } from './sqlite-copy-database.ts'
import { eraser, untilFree } from './sqlite-erase.ts'
import { isBusy, isFull, isUnavailable, isUniqueViolation } from './sqlite-failures.ts'

/** The transactions of a team that store prompts at once. Alone it has no limit: many are written with one flush. */
const TURNS_OF_TEAM = { alone: Number.POSITIVE_INFINITY, beside: 2 }

interface Options {
  writer: SqliteConnection
  group: GroupCommit
  /** The file of the database. */
  file: string
  /** Its folder. */
  dataDir: string
}

/** Creates the engine of an SQLite database. */
export function sqliteEngine({ writer, group, file, dataDir }: Options): Engine {
  const erase = eraser(writer, group)
  const run = randomUUID()
  const inTurnOfTeam = turnsOfTeams(TURNS_OF_TEAM)
  return {
    kind: 'sqlite',
    isSingleProcess: true,
    keepsOrder: true,
    title: `SQLite in ${dataDir}`,
    commitOrder: {
      column: 'id',
      seen: (table) => sql<string>`(':' || ${nextId(table)} || ':')`,
      next: nextId,
    },
    // No other file can replace one that is open.
    incarnation: async () => ({ history: 'sqlite', run }),
    settledUpTo: async () => null,
    locksRows: false,
    lock: async () => {},
    inTurnOf: ({ teamId }, transaction) => inTurnOfTeam(teamId, transaction),
    identityType: 'integer',
    // AUTOINCREMENT writes one more page for each insert. Only tables whose newest rows may be deleted need it
    // (`retireIds`).
    identity: (column) => column.primaryKey(),
    async retireIds(db, given) {
      writer.database.enableDefensive(false)
      try {
        await autoIncrement(db, given)
      } finally {
        writer.database.enableDefensive(true)
      }
    },
    // SQLite itself numbers above the highest row.
    async numberAboveRows() {},
    async noteSizes() {},
    isUniqueViolation,
    isLocked: isBusy,
    isUnavailable,
    isAway: isUnavailable,
    isFull: (error) => isFull(error, dataDir),
    eraseOverwritten: erase,
    name: 'SQLite',
    guarantees: [
      'Overwritten pages were zeroed, and the write-ahead log was cut to nothing before this receipt was signed.',
      'A row that had grown may have left a copy of its neighbour in the unused part of a page, until `parley compact` runs.',
    ],
    rowSecurityWarning: async () => null,
    async load() {
      const [bytes, walBytes] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)])
      return { bytes, walBytes, connections: {} }
    },
    async compact() {
      await untilFree(group, () => {
        writer.keepInFiles(dataDir)
        try {
          writer.exec('VACUUM')
        } finally {
          writer.keepInMemory()
        }
        return true
      })
      await erase()
    },
    backup: (target) => copyDatabase(file, target),
  }
}

/** Returns the size of a file in bytes; 0 when it does not exist. */
async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0
}

/** Selects the id of the next row of a table with AUTOINCREMENT, also when all of its rows were deleted. */
function nextId(table: keyof Tables) {
  return sql<number>`(select coalesce(max(seq), 0) + 1 from sqlite_sequence where name = ${sql.lit(table)})`
}
