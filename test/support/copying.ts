import type { BulkKind, BulkRow, BulkValue } from '../../src/storage/bulk.ts'
import { type CopyOptions, copyDatabase } from '../../src/storage/copy/copy-database.ts'
import { tablesToCopy } from '../../src/storage/copy/copy-tables.ts'
import { openBulk } from '../../src/storage/copy/open-bulk.ts'
import { type DatabasePlace, openDatabase } from '../../src/storage/database.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { dropOfTrigger } from '../../src/storage/triggers.ts'
import { columns } from '../../src/texts/text-columns.ts'
import { triggers } from '../../src/triggers.ts'
import { type EngineKind, engines } from './databases.ts'

export const tableNames = Object.keys(columns) as (keyof Tables)[]

/** The engines between which tests copy. */
export const directions: readonly (readonly [from: EngineKind, to: EngineKind])[] = engines.includes(
  'postgres',
)
  ? [
      ['sqlite', 'postgres'],
      ['postgres', 'sqlite'],
    ]
  : [['sqlite', 'sqlite']]

/** Copies a database as `parley copy` does, without looking at keys. */
export function copyFrom(from: DatabasePlace, to: DatabasePlace, options: Partial<CopyOptions> = {}) {
  return copyDatabase({
    from,
    to,
    tables: tableNames,
    triggers,
    check: async () => 'source',
    begin: async () => {},
    report: () => {},
    ...options,
  })
}

const TEXT = 'Zoë said: "{\\n, \'é\', 🦙}"\n\t\\N \\.'
const VALUES: Record<BulkKind, (n: number) => BulkValue> = {
  integer: BigInt,
  double: (n) => n / 3,
  single: (n) => Math.fround(n / 3),
  text: (n) => `${n} ${TEXT}`,
  bytes: (n) => Buffer.from([n, ...Array(256).keys()]),
}

/** Columns with other values: a number that is wider than JavaScript's, and texts that do not fit into one page. */
const SPECIAL: Record<string, (n: number) => BulkValue> = {
  // This column has single precision on PostgreSQL.
  'test_runs.cost_limit': (n) => n / 10,
  'agents.rows_erased': (n) => 2n ** 53n + BigInt(n),
  'messages.content': (n) => 'long '.repeat(n === 2 ? 850_000 : 1),
}

/** Puts three rows into every table of a database with the schema, with values of every kind, and nulls in the last. */
export async function fillEveryTable(place: DatabasePlace): Promise<void> {
  const database = await openDatabase(place)
  await database.migrate({ triggers })
  const bulk = await openBulk(place, false)
  const tables = await tablesToCopy({ source: bulk, target: bulk }, tableNames)
  const nullable = await nullableColumns(database)
  await bulk.transaction(async (writes) => {
    for (const trigger of triggers) await writes.run(dropOfTrigger(database.engine.kind, trigger))
    await writes.empty(tables)
    for (const table of tables) {
      const rows = [1, 2, 3].map((n) =>
        table.columns.map(({ name, kind }, at) => {
          const column = `${table.name}.${name}`
          if (n === 3 && nullable.has(column) && !table.key.includes(at)) return null
          return (SPECIAL[column] ?? VALUES[kind])(n)
        }),
      )
      await writes.insert(table, rows)
    }
  })
  await bulk.close()
  await database.migrate({ triggers })
  await database.close()
}

async function nullableColumns({ db }: Pick<Awaited<ReturnType<typeof openDatabase>>, 'db'>) {
  const tables = await db.introspection.getTables()
  return new Set(
    tables.flatMap(({ name, columns }) =>
      columns.filter(({ isNullable }) => isNullable).map((column) => `${name}.${column.name}`),
    ),
  )
}

/** Reads all rows of the tables that are copied. */
export async function readEveryTable(place: DatabasePlace): Promise<Map<string, BulkRow[]>> {
  const bulk = await openBulk(place, true)
  const tables = await tablesToCopy({ source: bulk, target: bulk }, tableNames)
  const read = new Map<string, BulkRow[]>()
  for (const table of tables) {
    const rows: BulkRow[] = []
    for (let page = await bulk.read(table, null); page.length > 0; ) {
      rows.push(...page)
      const last = page.at(-1)
      page = await bulk.read(
        table,
        table.key.map((at) => last?.[at] ?? null),
      )
    }
    read.set(
      table.name,
      rows.map((row) => row.map(plain)),
    )
  }
  await bulk.close()
  return read
}

/** Engines return bytes as arrays of two classes. */
function plain(value: BulkValue): BulkValue {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** Counts the messages of a database. */
export async function messagesIn(place: DatabasePlace): Promise<number> {
  const bulk = await openBulk(place, true)
  try {
    const [messages] = await bulk.tables(['messages'])
    return messages ? await bulk.count(messages, null) : 0
  } finally {
    await bulk.close()
  }
}
