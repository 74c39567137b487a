import { type Bulk, type BulkKind, type BulkRow, type BulkTable, type BulkWrites, keyOf } from '../bulk.ts'
import type { Tables } from '../tables.ts'
import { type Checksum, checksumOf } from './checksum.ts'
import { type CopyPlace, remaining } from './copy-place.ts'
import { UNFINISHED } from './unfinished-copy.ts'

/** The tables that stay behind, and why. All others are copied as they are, also what could be derived. */
const STAYS: Partial<Record<keyof Tables, string>> = {
  changes: 'places in this log mean nothing in another database, which begins an epoch of its own',
  log_epochs: 'they belong to the log of changes',
  backfills: 'a copy begins when all are complete',
  write_probes: 'they hold nothing',
}

/** Two databases, and the tables that are copied from one to the other. */
export interface CopyWork {
  source: Bulk
  target: Bulk
  /** In an order in which rows refer only to rows before them. */
  tables: readonly BulkTable[]
  report: (progress: CopyProgress) => void
}

export interface CopyProgress {
  table: string
  done: number
  of: number
}

/**
 * Describes the tables that are copied.
 * @param names all tables of Parley
 */
export async function tablesToCopy(
  { source, target }: Pick<CopyWork, 'source' | 'target'>,
  names: readonly string[],
): Promise<readonly BulkTable[]> {
  const copied = names.filter((name) => !Object.hasOwn(STAYS, name))
  const [from, to] = [await source.tables(copied), await target.tables(copied)]
  return inOrder(from.map((table) => withKindsOf(table, to)))
}

/** Returns tables in an order in which rows refer only to rows of tables before them. */
function inOrder(tables: readonly BulkTable[]): BulkTable[] {
  const ordered = new Set<BulkTable>()
  const add = (table: BulkTable): void => {
    for (const other of tables) if (other !== table && table.references.includes(other.name)) add(other)
    ordered.add(table)
  }
  for (const table of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) add(table)
  return [...ordered]
}

/** Returns a table whose numbers are no more precise than in the other database. */
function withKindsOf(table: BulkTable, others: readonly BulkTable[]): BulkTable {
  const columns = others.find(({ name }) => name === table.name)?.columns ?? []
  const names = (of: BulkTable['columns']) => of.map(({ name }) => name).toString()
  if (columns.length === 0 || names(table.columns) !== names(columns))
    throw new Error(`the table ${table.name} differs between the two databases`)
  const kindOf = (kind: BulkKind, at: number) => (columns[at]?.kind === 'single' ? 'single' : kind)
  return { ...table, columns: table.columns.map(({ name, kind }, at) => ({ name, kind: kindOf(kind, at) })) }
}

/**
 * Empties a database and marks it as an unfinished copy, so that nothing starts on it.
 * @param names all tables of Parley
 * @param about identifies the database that is copied, and says whether the copy follows it
 * @param dropTriggers statements: triggers would add rows of their own to those that are copied
 */
export async function beginCopy(
  target: Bulk,
  names: readonly string[],
  about: Pick<CopyPlace, 'source' | 'follows'>,
  dropTriggers: readonly string[],
): Promise<CopyPlace> {
  const tables = inOrder(await target.tables(names))
  const place: CopyPlace = { ...about, table: null, after: null, isComplete: false, restore: [] }
  await target.transaction(async (writes) => {
    for (const statement of dropTriggers) await writes.run(statement)
    await writes.empty(tables)
    place.restore = await writes.dropReferences()
    await keepPlace(writes, tables, place)
  })
  return place
}

/** Copies all rows from a place on. Each page is written together with the place that it reaches. */
export async function copyTables(
  { source, target, tables, report }: CopyWork,
  place: CopyPlace,
): Promise<void> {
  for (const { table, after: begun } of remaining(tables, place)) {
    let after = begun
    const of = await source.count(table, null)
    let done = after ? of - (await source.count(table, after)) : 0
    let page = await source.read(table, after)
    while (page.length > 0) {
      const rows = page
      after = keyOf(table, rows.at(-1) as BulkRow)
      const reached = { ...place, table: table.name, after: after.map(String) }
      const [next] = await Promise.all([
        source.read(table, after),
        target.transaction(async (writes) => {
          await writes.insert(table, rows)
          await keepPlace(writes, tables, reached)
        }),
      ])
      page = next
      done += rows.length
      report({ table: table.name, done, of })
    }
  }
}

/** Notes in the target how far its copy has come. */
export async function keepPlace(
  writes: BulkWrites,
  tables: readonly BulkTable[],
  place: CopyPlace,
): Promise<void> {
  await forgetPlace(writes)
  const installation = tables.find(({ name }) => name === 'installation')
  if (!installation) throw new Error('the copy has nowhere to keep its place')
  const row = { name: UNFINISHED, value: JSON.stringify(place) }
  await writes.insert(installation, [installation.columns.map(({ name }) => row[name as keyof typeof row])])
}

const forgetPlace = (writes: BulkWrites) =>
  writes.run(`delete from installation where name = '${UNFINISHED}'`)

/** Compares all rows of the two databases. @returns the number of rows @throws when a table differs */
export async function verifyTables({ source, target, tables, report }: CopyWork): Promise<number> {
  const differing: string[] = []
  let rows = 0
  for (const [at, table] of tables.entries()) {
    const place = table.columns.findIndex(({ name }) => name === 'name')
    const isCopied = (row: BulkRow) => table.name !== 'installation' || row[place] !== UNFINISHED
    const [from, to] = await Promise.all([checksumOf(source, table), checksumOf(target, table, isCopied)])
    if (from.hash !== to.hash || from.rows !== to.rows) differing.push(inWords(table, from, to))
    rows += from.rows
    report({ table: table.name, done: at + 1, of: tables.length })
  }
  if (differing.length > 0)
    throw new Error(
      `the copy differs from its source, which has changed since it was begun: ${differing.join(', ')}. Remove it, and copy again`,
    )
  return rows
}

function inWords({ name }: BulkTable, from: Checksum, to: Checksum): string {
  return `${name} (${from.rows} rows, ${to.rows} in the copy)`
}

/**
 * Makes Parley able to start on a complete copy: no process of the source counts as alive in it, and it gives no id
 * again.
 * @param place the place at its end
 * @param at the time, which is listed among the backups, because the source keeps what is erased in the copy
 */
export async function finishCopy(
  { source, target }: Pick<CopyWork, 'source' | 'target'>,
  { restore }: CopyPlace,
  at: string,
): Promise<void> {
  const given = await source.givenNumbers()
  await target.transaction(async (writes) => {
    for (const statement of restore) await writes.run(statement)
    await writes.retireNumbers(given)
    await writes.run('update processes set gone = 1')
    await writes.run(`insert into backups (at) values ('${at}')`)
    await forgetPlace(writes)
  })
}
